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
  /// SQLite's own files cannot be watched instead, because they change before a commit becomes visible. The bell holds numbers of 8 bytes,
  /// big-endian. They are not synced to the disk:
  ///
  /// ```
  ///  0  the last appended revision: only a hint, except that a journal whose bell was rung cannot be empty
  ///  8  the inode of the bell itself
  /// 16  the inode of the journal's file
  /// 24  the inode of the write-ahead log that belongs to that file
  /// 32  the number at 0, if the last ring was that of a version that knows the following numbers
  /// 40  the last appended revision of the journal with the number 1; at 48 that of number 2, and so on
  /// ```
  ///
  /// All journals of a file share the bell. The numbers from 40 on show which of them has grown. Older versions of this library write only
  /// the number at 0; while it differs from the one at 32, each journal may have grown.
  ///
  /// Sendable: the descriptor never changes between init and deinit; `pwrite` may be called from any thread.
  final class Doorbell: Sendable {
    private let descriptor: Int32
    /// The number of the journal in its file; nil for a bell of a single journal.
    private let journal: Int64?
    private let known = Lock(Known())
    /// The watch of this handle. It does not receive this handle's own rings.
    private let watch = Lock(Listener())

    private struct Listener { weak var watch: BellWatch? }

    private struct Known {
      /// The revision that this handle rang the bell with last.
      var own: Int64?
      /// The revision of another handle's ring after which the end of the journal was read.
      var heard: Int64?
    }

    private enum Place {
      static let copy: off_t = 32
      static let journals: off_t = 40
      /// Beyond this number a journal has no place of its own, so that a wrong number cannot make a huge file.
      static let lastJournal: Int64 = 1_000_000
    }

    /// Opens the bell. If it is missing, creates it with mode 0600.
    ///
    /// If that fails, as in a folder that is not writable, ringing has no effect, and the other handles poll. A file that is not a regular
    /// file of the user is not rung.
    ///
    /// - Parameters:
    ///   - path: The path of the bell.
    ///   - file: The path of the journal's file.
    ///   - journal: The number of the journal in its file; nil for a bell of a single journal.
    init(path: String, beside file: String? = nil, journal: Int64? = nil) {
      descriptor = (try? HelperFile.open(path, O_RDWR | O_CREAT, of: .user, beside: file, name: path)) ?? -1
      self.journal = journal.flatMap { (1...Place.lastJournal).contains($0) ? $0 : nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Keeps a watch from receiving this handle's own rings.
    func spare(_ watch: BellWatch) { self.watch.withLock { $0.watch = watch } }

    /// Notifies the other handles that the journal has grown. The caller holds the lock.
    func ring(_ revision: Revision) {
      guard descriptor >= 0 else { return }
      // Set before another handle can receive the ring.
      known.withLock { $0.own = revision.number }
      if let watch = watch.withLock({ $0.watch }) { watch.deaf { write(revision) } } else { write(revision) }
    }

    /// Notifies all handles, this one included, that the journal ends at a revision, if its last append has not done so: its process may
    /// have died before. The caller holds the lock.
    func ringAgain(_ revision: Revision) {
      guard descriptor >= 0, number(at: place ?? 0) != revision.number else { return }
      write(revision)
    }

    private func write(_ revision: Revision) {
      // The number at 0 is the last one: whenever it equals the one at 32, the journal's own number is there.
      if let place { write(revision.number, at: place) }
      if journal != nil { write(revision.number, at: Place.copy) }
      write(revision.number, at: 0)
    }

    private var place: off_t? { journal.map { Place.journals + 8 * off_t($0 - 1) } }

    private func write(_ number: Int64, at place: off_t) {
      withUnsafeBytes(of: number.bigEndian) { _ = pwrite(descriptor, $0.baseAddress, 8, place) }
    }

    /// The number at a place; nil if the bell is shorter, or cannot be read.
    private func number(at place: off_t) -> Int64? {
      var number: Int64 = 0
      let count = withUnsafeMutableBytes(of: &number) { pread(descriptor, $0.baseAddress, 8, place) }
      return count == 8 ? Int64(bigEndian: number) : nil
    }

    /// Another handle's ring.
    struct Ring: Sendable, Hashable {
      /// The revision that the journal has reached; nil if that is unknown.
      fileprivate let revision: Int64?

      /// A ring of which nothing is known.
      static let unknown = Ring(revision: nil)
    }

    /// Another handle's last ring of this journal, unless this handle has rung since, or has heard it.
    ///
    /// It may be missed if several journals share the file, and an older version of this library rings for one of them with the same number
    /// as the last ring, or just before another ring; its commit is then detected within a second or two, by the log.
    var othersRing: Ring? {
      guard let place, let last = number(at: 0), last == number(at: Place.copy) else {
        // A bell of a single journal, or a ring of an older version.
        guard let own = known.withLock({ $0.own }), journal == nil, number(at: 0) == own else { return .unknown }
        return nil
      }
      guard let revision = number(at: place), revision != 0 else { return nil }
      return known.withLock { revision == $0.own || revision == $0.heard ? nil : Ring(revision: revision) }
    }

    /// Records that the end of the journal was read after a ring.
    func hear(_ ring: Ring) {
      if let revision = ring.revision { known.withLock { $0.heard = revision } }
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
