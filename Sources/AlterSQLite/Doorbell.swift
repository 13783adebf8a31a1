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
  /// Watching SQLite's own files would not do: they change before a commit can be seen. The bell holds four numbers of 8 bytes, big-endian, not synced:
  ///
  /// ```
  ///  0  the last revision that was written: a hint, never the truth, except that a journal whose bell has rung can't be empty
  ///  8  the number of the bell's own inode
  /// 16  that of the journal's file
  /// 24  that of the write-ahead log which belongs to that file
  /// ```
  ///
  /// Sendable: the descriptor never changes between init and deinit; `pwrite` may be called from any thread.
  final class Doorbell: Sendable {
    private let descriptor: Int32
    /// What this handle has rung it with last.
    private let own = Lock<Int64?>(nil)
    /// The watch of this handle, which need not hear it.
    private let watch = Lock(Listener())

    private struct Listener { weak var watch: BellWatch? }

    /// Opens the bell, making it if it is missing, with mode 0600. Without one (an unwritable folder) ringing does nothing: others poll. What is no file of
    /// the user's isn't rung.
    init(path: String, beside journal: String? = nil) {
      descriptor = (try? HelperFile.open(path, O_RDWR | O_CREAT, of: .user, beside: journal, name: path)) ?? -1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Spares a watch from hearing this handle.
    func spare(_ watch: BellWatch) { self.watch.withLock { $0.watch = watch } }

    /// Tells everybody that the journal has grown. The caller holds the lock.
    func ring(_ revision: Revision) {
      guard descriptor >= 0 else { return }
      // Known before anybody can hear it.
      own.withLock { $0 = revision.number }
      let ring = { withUnsafeBytes(of: revision.number.bigEndian) { _ = pwrite(self.descriptor, $0.baseAddress, 8, 0) } }
      if let watch = watch.withLock({ $0.watch }) { watch.deaf(ring) } else { ring() }
    }

    /// Whether somebody else has rung it since this handle did. (When several journals share the file and one of them has come to the same revision
    /// just now, an answer of no may be wrong: then what the other has written is seen a second later.)
    var tellsOfOthers: Bool {
      guard let own = own.withLock({ $0 }) else { return true }
      var number: Int64 = 0
      let count = withUnsafeMutableBytes(of: &number) { pread(descriptor, $0.baseAddress, 8, 0) }
      return count != 8 || Int64(bigEndian: number) != own
    }

    /// Remembers which file the write-ahead log belongs to. The caller holds the lock.
    func remember(_ file: FileStatus, log: FileStatus) {
      guard descriptor >= 0, let own = FileStatus(descriptor: descriptor) else { return }
      let inodes = [own.inode, file.inode, log.inode]
      guard Self.numbers(descriptor).dropFirst() != inodes[...] else { return }
      inodes.map(\.bigEndian).withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, 24, 8) }
    }

    /// Whether the log belongs to another file than this one, as far as the bell at a path knows. What was copied, the bell or the log, is not known.
    static func knows(_ log: FileStatus, asOfAnotherThan file: FileStatus, at path: String) -> Bool {
      reading(path) { descriptor in
        let numbers = numbers(descriptor)
        guard numbers.count == 4, let own = FileStatus(descriptor: descriptor) else { return false }
        return numbers[1] == own.inode && numbers[2] != file.inode && numbers[3] == log.inode
      } ?? false
    }

    /// The revision that the bell at a path was last rung with; 0 when it never was.
    static func lastRung(at path: String) -> Revision {
      reading(path) { descriptor in numbers(descriptor).first.map { Revision(Int64(bitPattern: $0)) } ?? .zero } ?? .zero
    }

    /// The numbers that a bell holds, as many as there are.
    private static func numbers(_ descriptor: Int32) -> [UInt64] {
      var numbers: [UInt64] = [0, 0, 0, 0]
      let count = numbers.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 32, 0) }
      return numbers.prefix(max(0, count) / 8).map { UInt64(bigEndian: $0) }
    }

    /// Opens a bell to look at it; nil when there is none.
    private static func reading<Answer>(_ path: String, _ look: (Int32) -> Answer) -> Answer? {
      guard let descriptor = try? HelperFile.open(path, O_RDONLY, of: .anybody, name: path) else { return nil }
      defer { close(descriptor) }
      return look(descriptor)
    }
  }
#endif
