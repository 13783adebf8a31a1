#if SQLite
  import AlterCore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The file that a writer writes to after each commit, so that the others, who watch it, wake up.
  ///
  /// Watching SQLite's own files would not do: they change before a commit can be seen. The bell holds three numbers of 8 bytes, big-endian, not synced:
  ///
  /// ```
  ///  0  the last revision that was written: a hint, never the truth, except that a journal whose bell has rung can't be empty
  ///  8  the number of the bell's own inode
  /// 16  that of the journal's file, for which the write-ahead log beside it was begun
  /// ```
  ///
  /// `@unchecked Sendable`: the descriptor never changes between init and deinit; `pwrite` may be called from any thread.
  final class Doorbell: @unchecked Sendable {
    private let descriptor: Int32

    /// Opens the bell, making it if it is missing, with mode 0600. Without one (an unwritable folder) ringing does nothing: others poll.
    init(path: String) {
      #if canImport(Darwin)
        descriptor = Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #elseif canImport(Glibc)
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #else
        descriptor = Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Tells everybody that the journal has grown.
    func ring(_ revision: Revision) {
      guard descriptor >= 0 else { return }
      withUnsafeBytes(of: revision.number.bigEndian) { _ = pwrite(descriptor, $0.baseAddress, 8, 0) }
    }

    /// Remembers which file the write-ahead log belongs to. The caller holds the lock.
    func remember(_ file: FileStatus) {
      guard descriptor >= 0, let own = FileStatus(descriptor: descriptor) else { return }
      let numbers = [own.inode.bigEndian, file.inode.bigEndian]
      guard Self.numbers(descriptor).dropFirst() != [own.inode, file.inode] else { return }
      numbers.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, 16, 8) }
    }

    /// Whether the bell at a path was last used for another file than this one. A bell that was copied itself, with everything else, knows nothing.
    static func isOfAnother(_ file: FileStatus, at path: String) -> Bool {
      reading(path) { descriptor in
        let numbers = numbers(descriptor)
        guard numbers.count == 3, let own = FileStatus(descriptor: descriptor), numbers[1] == own.inode else { return false }
        return numbers[2] != file.inode
      } ?? false
    }

    /// The revision that the bell at a path was last rung with; 0 when it never was.
    static func lastRung(at path: String) -> Revision {
      reading(path) { descriptor in numbers(descriptor).first.map { Revision(Int64(bitPattern: $0)) } ?? .zero } ?? .zero
    }

    /// The numbers that a bell holds, as many as there are.
    private static func numbers(_ descriptor: Int32) -> [UInt64] {
      var numbers: [UInt64] = [0, 0, 0]
      let count = numbers.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 24, 0) }
      return numbers.prefix(max(0, count) / 8).map { UInt64(bigEndian: $0) }
    }

    /// Opens a bell to look at it; nil when there is none.
    private static func reading<Answer>(_ path: String, _ look: (Int32) -> Answer) -> Answer? {
      #if canImport(Darwin)
        let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
      #elseif canImport(Glibc)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      #else
        let descriptor = Musl.open(path, O_RDONLY | O_CLOEXEC)
      #endif
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return look(descriptor)
    }
  }
#endif
