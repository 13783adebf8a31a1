#if SQLite
  import AlterCore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The file that a writer writes to after each commit. The other handles watch it, and wake up.
  ///
  /// SQLite's own files cannot be watched instead, because they change before a commit becomes visible. The bell holds four numbers of 8
  /// bytes, big-endian. They are not synced to the disk:
  ///
  /// ```
  ///  0  the last appended revision: only a hint, except that a journal whose bell was rung cannot be empty
  ///  8  the inode of the bell itself
  /// 16  the inode of the journal's file
  /// 24  the inode of the write-ahead log that belongs to that file
  /// ```
  ///
  /// Sendable: the descriptor never changes between init and deinit; `pwrite` may be called from any thread.
  final class Doorbell: Sendable {
    private let descriptor: Int32
    /// The number that this handle rang the bell with last.
    private let own = Lock<Int64?>(nil)
    /// The watch of this handle. It does not receive this handle's own rings.
    private let watch = Lock(Listener())

    private struct Listener { weak var watch: BellWatch? }

    /// Opens the bell. If it is missing, creates it with mode 0600.
    ///
    /// If that fails, as in a folder that is not writable, ringing has no effect, and the other handles poll. A file that is not a regular
    /// file of the user is not rung.
    init(path: String, beside journal: String? = nil) {
      descriptor = (try? HelperFile.open(path, O_RDWR | O_CREAT, of: .user, beside: journal, name: path)) ?? -1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Keeps a watch from receiving this handle's own rings.
    func spare(_ watch: BellWatch) { self.watch.withLock { $0.watch = watch } }

    /// Notifies the other handles that the journal has grown. The caller holds the lock.
    func ring(_ revision: Revision) {
      guard descriptor >= 0 else { return }
      // Set before another handle can receive the ring.
      own.withLock { $0 = revision.number }
      let ring = { withUnsafeBytes(of: revision.number.bigEndian) { _ = pwrite(self.descriptor, $0.baseAddress, 8, 0) } }
      if let watch = watch.withLock({ $0.watch }) { watch.deaf(ring) } else { ring() }
    }

    /// Whether another handle has rung the bell since this one did. The answer may be a false no if several journals share the file and
    /// another one has just reached the same revision; its commit is then detected a second later.
    var tellsOfOthers: Bool {
      guard let own = own.withLock({ $0 }) else { return true }
      var number: Int64 = 0
      let count = withUnsafeMutableBytes(of: &number) { pread(descriptor, $0.baseAddress, 8, 0) }
      return count != 8 || Int64(bigEndian: number) != own
    }

    /// Stores which file the write-ahead log belongs to. The caller holds the lock.
    func remember(_ file: FileStatus, log: FileStatus) {
      guard descriptor >= 0, let own = FileStatus(descriptor: descriptor) else { return }
      let inodes = [own.inode, file.inode, log.inode]
      guard Self.numbers(descriptor).dropFirst() != inodes[...] else { return }
      inodes.map(\.bigEndian).withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, 24, 8) }
    }

    /// Whether the bell at a path says that the log belongs to another file. It cannot tell if the bell or the log itself was copied.
    static func knows(_ log: FileStatus, asOfAnotherThan file: FileStatus, at path: String) -> Bool {
      reading(path) { descriptor in
        let numbers = numbers(descriptor)
        guard numbers.count == 4, let own = FileStatus(descriptor: descriptor) else { return false }
        return numbers[1] == own.inode && numbers[2] != file.inode && numbers[3] == log.inode
      } ?? false
    }

    /// The revision with which the bell at a path was rung last; 0 if it was never rung.
    static func lastRung(at path: String) -> Revision {
      reading(path) { descriptor in numbers(descriptor).first.map { Revision(Int64(bitPattern: $0)) } ?? .zero } ?? .zero
    }

    /// The numbers in a bell: up to four.
    private static func numbers(_ descriptor: Int32) -> [UInt64] {
      var numbers: [UInt64] = [0, 0, 0, 0]
      let count = numbers.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 32, 0) }
      return numbers.prefix(max(0, count) / 8).map { UInt64(bigEndian: $0) }
    }

    /// Opens a bell for reading; nil if there is none.
    private static func reading<Answer>(_ path: String, _ look: (Int32) -> Answer) -> Answer? {
      guard let descriptor = try? HelperFile.open(path, O_RDONLY, of: .anybody, name: path) else { return nil }
      defer { close(descriptor) }
      return look(descriptor)
    }
  }
#endif
