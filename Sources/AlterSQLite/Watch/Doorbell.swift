#if SQLite
  import AlterCore
  import Dispatch

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
  /// The handles of one open file share a bell.
  final class Doorbell: Sendable {
    /// The descriptor; -1 if there is none. It is closed under the lock, because bells are read on any thread.
    private let descriptor: Lock<Int32>
    /// For each journal: the revision that this bell was rung with last, or that was heard.
    private let known = Lock<[Int64: Int64]>([:])
    /// The watch of this bell's handles. It does not receive their rings.
    private let watch = Lock(Listener())

    private struct Listener { weak var watch: BellWatch? }

    private enum Place {
      static let copy: off_t = 32
      static let journals: off_t = 40
      /// Beyond this number a journal has no place of its own, so that a wrong number cannot make a huge file.
      static let lastJournal: Int64 = 1_000_000

      static func of(_ journal: Int64) -> off_t? { (1...lastJournal).contains(journal) ? journals + 8 * off_t(journal - 1) : nil }
    }

    /// Opens the bell. If it is missing, creates it with mode 0600.
    ///
    /// If that fails, as in a folder that is not writable, ringing has no effect, and the other handles poll. A file that is not a regular
    /// file of the user is not rung.
    ///
    /// - Parameters:
    ///   - path: The path of the bell.
    ///   - file: The path of the journal's file.
    init(path: String, beside file: String? = nil) {
      descriptor = Lock((try? HelperFile.open(path, O_RDWR | O_CREAT, of: .user, beside: file, name: path)) ?? -1)
    }

    deinit { close() }

    /// Closes the file. Later rings have no effect, and none is heard.
    func close() {
      descriptor.withLock { descriptor in
        if descriptor >= 0 { systemClose(descriptor) }
        descriptor = -1
      }
    }

    /// Keeps a watch from receiving this bell's own rings.
    func spare(_ watch: BellWatch) { self.watch.withLock { $0.watch = watch } }

    /// Notifies the other processes that a journal has grown. The caller holds the lock.
    func ring(_ revision: Revision, of journal: Int64) {
      // Set before another handle can receive the ring.
      known.withLock { $0[journal] = revision.number }
      if let watch = watch.withLock({ $0.watch }) { watch.deaf { write(revision, of: journal) } } else { write(revision, of: journal) }
    }

    /// Notifies all handles, the ones of this bell included, that a journal ends at a revision, if its last append has not done so: its
    /// process may have died before. The caller holds the lock.
    func ringAgain(_ revision: Revision, of journal: Int64) {
      guard let last = descriptor.withLock({ Self.bytes(of: $0, at: Place.of(journal) ?? 0, 8) }), last.number(at: 0) != revision.number
      else { return }
      write(revision, of: journal)
    }

    private func write(_ revision: Revision, of journal: Int64) {
      descriptor.withLock { descriptor in
        guard descriptor >= 0 else { return }
        // The number at 0 is the last one: whenever it equals the one at 32, the journal's own number is there.
        for place in [Place.of(journal), Place.copy, 0] {
          guard let place else { continue }
          withUnsafeBytes(of: revision.number.bigEndian) { _ = pwrite(descriptor, $0.baseAddress, 8, place) }
        }
      }
    }

    /// Bytes of the file; nil if they cannot be read. Missing ones are zeros.
    private static func bytes(of descriptor: Int32, at place: off_t, _ count: Int) -> [UInt8]? {
      guard descriptor >= 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(descriptor, &bytes, count, place) < 0 ? nil : bytes
    }

    /// Whether the last ring for a journal, of any process, had a number. False if that cannot be told.
    func hasRungLast(_ number: Int64, of journal: Int64) -> Bool {
      guard let place = Place.of(journal) else { return false }
      return descriptor.withLock { descriptor in
        guard let start = Self.bytes(of: descriptor, at: 0, 48), start.number(at: 0) != 0,
          start.number(at: 0) == start.number(at: Int(Place.copy))
        else { return false }
        let bytes = journal == 1 ? start.dropFirst(40) : Self.bytes(of: descriptor, at: place, 8)?[...]
        return bytes.map { Array($0).number(at: 0) == number } ?? false
      }
    }

    /// Forgets a journal that no handle has open any more.
    func forget(_ journal: Int64) { known.withLock { $0[journal] = nil } }

    /// The rings of other processes, and of other bells of this process, for some journals.
    struct Rings: Sendable, Equatable {
      /// The new revision of each journal that was rung for; nil if it is unknown.
      var revisions: [Int64: Int64?] = [:]

      /// Whether no journal was rung for.
      var isEmpty: Bool { revisions.isEmpty }
    }

    /// The last rings of others, unless this bell was rung since, or has heard them.
    ///
    /// A ring may be missed if an older version of this library rings with the same number as the last ring, or just before another ring;
    /// its commit is then detected within a second or two, by the log.
    ///
    /// - Complexity: O(journals), and a read of 4 KiB for each 512 consecutive numbers of journals.
    func rings(of journals: some Sequence<Int64>) -> Rings {
      let known = known.withLock { $0 }
      return descriptor.withLock { descriptor in
        let isPrecise = Self.bytes(of: descriptor, at: 0, 40).map {
          $0.number(at: 0) == $0.number(at: Int(Place.copy)) && $0.number(at: 0) != 0
        }
        var rings = Rings()
        var pages: [off_t: [UInt8]] = [:]
        for journal in journals {
          guard isPrecise == true, let place = Place.of(journal) else {
            // Nothing was ever rung, an older version has rung last, or the bell cannot be read.
            rings.revisions[journal] = .some(nil)
            continue
          }
          let page = place / 4_096
          let bytes = pages[page] ?? Self.bytes(of: descriptor, at: page * 4_096, 4_096) ?? []
          pages[page] = bytes
          let revision = bytes.number(at: Int(place % 4_096))
          if revision != 0, revision != known[journal] { rings.revisions[journal] = revision }
        }
        return rings
      }
    }

    /// Records that the ends of the journals were read after rings.
    func hear(_ rings: Rings) {
      known.withLock { known in
        for case (let journal, let revision?) in rings.revisions { known[journal] = revision }
      }
    }

    /// Stores which file the write-ahead log belongs to. The caller holds the lock.
    func remember(_ file: FileStatus, log: FileStatus) {
      descriptor.withLock { descriptor in
        guard descriptor >= 0, let own = FileStatus(descriptor: descriptor) else { return }
        let inodes = [own.inode, file.inode, log.inode]
        guard Self.numbers(descriptor).dropFirst() != inodes[...] else { return }
        inodes.map(\.bigEndian).withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, 24, 8) }
      }
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
      defer { systemClose(descriptor) }
      return look(descriptor)
    }
  }

  extension [UInt8] {
    /// The number of 8 bytes at a place, big-endian; 0 beyond the end.
    fileprivate func number(at place: Int) -> Int64 {
      guard place + 8 <= count else { return 0 }
      return withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: Int64.self)) }
    }
  }
#endif

#if SQLite && (os(Linux) || os(Android))
  /// The events of the files of all journals in this process, by one inotify instance and one dispatch source. Both exist only while a file
  /// is watched.
  ///
  /// The kernel has one watch for each file in an instance, so the handlers of a file share it.
  final class FileEvents: Sendable {
    /// Receives the kinds of events, a combination of the constants `IN_…`. It runs on the queue of the events and must return at once.
    typealias Handler = @Sendable (_ events: UInt32) -> Void

    /// One watched file and one handler.
    struct Token: Sendable, Hashable { fileprivate let number: Int }

    private struct Watch {
      var handlers: [Int: Handler] = [:]
      var mask: UInt32 = 0
    }

    private struct Contents {
      /// The inotify descriptor. The source's cancel handler closes it.
      var descriptor: Int32?
      var source: (any DispatchSourceRead)?
      var lastToken = 0
      /// By the kernel's number.
      var watches: [Int32: Watch] = [:]
      var numbers: [Int: Int32] = [:]
    }

    static let shared = FileEvents()

    private let queue = DispatchQueue(label: "alter.sqlite.events")
    private let contents = Lock(Contents())

    /// Starts to watch a file or a folder. A link is not followed.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - events: The events to report. With `IN_ONESHOT` the watch ends with the first event. All watches of one file must agree on that.
    ///   - handler: Receives each event, and `IN_IGNORED` when the watch has ended because the file is gone.
    /// - Returns: The token to end the watch; nil if the system allows no further instance or watch, or if there is no file.
    func watch(_ path: String, for events: UInt32, _ handler: @escaping Handler) -> Token? {
      contents.withLock { contents in
        guard let descriptor = open(&contents) else { return nil }
        let number = inotify_add_watch(descriptor, path, events | UInt32(IN_DONT_FOLLOW))
        guard number >= 0 else {
          closeIfUnused(&contents)
          return nil
        }
        let known = contents.watches[number]?.mask ?? 0
        // The call has replaced the mask of the other handlers.
        if known | events != events { inotify_add_watch(descriptor, path, known | events | UInt32(IN_DONT_FOLLOW)) }
        contents.lastToken += 1
        contents.watches[number, default: Watch()].handlers[contents.lastToken] = handler
        contents.watches[number]?.mask = known | events
        contents.numbers[contents.lastToken] = number
        return Token(number: contents.lastToken)
      }
    }

    /// Ends a watch. A handler that is running ends by itself.
    func end(_ token: Token) {
      contents.withLock { contents in
        guard let number = contents.numbers.removeValue(forKey: token.number) else { return }
        contents.watches[number]?.handlers[token.number] = nil
        if contents.watches[number]?.handlers.isEmpty == true {
          contents.watches[number] = nil
          if let descriptor = contents.descriptor { inotify_rm_watch(descriptor, number) }
        }
        closeIfUnused(&contents)
      }
    }

    /// Writes to a watched file without an event, and calls the other handlers of the file.
    ///
    /// No other process may write to the file meanwhile, because its event would be missed, too.
    ///
    /// - Parameters:
    ///   - token: The watch whose handler is not called.
    ///   - path: The path of the file.
    ///   - write: Writes to the file. It is called once.
    /// - Returns: False if the file is not watched any more, so that later events are missed.
    func silently(_ token: Token, at path: String, _ write: () -> Void) -> Bool {
      let (isWatched, others): (Bool, [Handler]) = contents.withLock { contents in
        guard let descriptor = contents.descriptor, let number = contents.numbers[token.number], let watch = contents.watches[number] else {
          write()
          return (false, [])
        }
        // A second mask for the same file replaces the first, without an event.
        let deaf = inotify_add_watch(descriptor, path, UInt32(IN_DELETE_SELF | IN_DONT_FOLLOW))
        write()
        // Another number: there is another file at the path. Its own handlers must receive its events again.
        if deaf >= 0, deaf != number {
          if let other = contents.watches[deaf] {
            inotify_add_watch(descriptor, path, other.mask | UInt32(IN_DONT_FOLLOW))
          } else {
            inotify_rm_watch(descriptor, deaf)
          }
        }
        let isWatched = deaf == number && inotify_add_watch(descriptor, path, watch.mask | UInt32(IN_DONT_FOLLOW)) == number
        return (isWatched, watch.handlers.filter { $0.key != token.number }.map(\.value))
      }
      if !others.isEmpty { queue.async { for handler in others { handler(UInt32(IN_MODIFY)) } } }
      return isWatched
    }

    // MARK: - The instance

    private func open(_ contents: inout Contents) -> Int32? {
      if let descriptor = contents.descriptor { return descriptor }
      let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { @Sendable [self] in deliver(descriptor) }
      source.setCancelHandler { @Sendable in close(descriptor) }
      contents.descriptor = descriptor
      contents.source = source
      source.resume()
      return descriptor
    }

    private func closeIfUnused(_ contents: inout Contents) {
      guard contents.numbers.isEmpty else { return }
      contents.source?.cancel()
      contents.source = nil
      contents.descriptor = nil
      contents.watches = [:]
    }

    /// Reads the events and calls their handlers, several events of one file together.
    private func deliver(_ descriptor: Int32) {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: MemoryLayout<inotify_event>.alignment)
      defer { bytes.deallocate() }
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        guard count > 0 else { return }
        var events: [Int32: UInt32] = [:]
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          events[event.wd, default: 0] |= event.mask
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
        deliver(events, from: descriptor)
      }
    }

    private func deliver(_ events: [Int32: UInt32], from descriptor: Int32) {
      let calls: [(Handler, UInt32)] = contents.withLock { contents in
        guard contents.descriptor == descriptor else { return [] }
        // The kernel has dropped events: each watch may have had one.
        if events.values.contains(where: { $0 & UInt32(IN_Q_OVERFLOW) != 0 }) {
          return contents.watches.values.flatMap { watch in watch.handlers.values.map { ($0, watch.mask) } }
        }
        var calls: [(Handler, UInt32)] = []
        for (number, mask) in events {
          guard let watch = contents.watches[number] else { continue }
          calls += watch.handlers.values.map { ($0, mask) }
          guard mask & UInt32(IN_IGNORED) != 0 else { continue }
          for token in watch.handlers.keys { contents.numbers[token] = nil }
          contents.watches[number] = nil
        }
        closeIfUnused(&contents)
        return calls
      }
      for (handler, mask) in calls { handler(mask) }
    }
  }
#endif
