#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The lock file beside a journal. The handle that appends or checkpoints holds the lock, across all processes.
  ///
  /// SQLite before 3.51.3 can corrupt a WAL database if one connection checkpoints while another resets the log. Under this lock that
  /// cannot happen. Waiting handles wait in the kernel's queue, which is fairer and cheaper than polling SQLITE_BUSY.
  ///
  /// While the lock is held, the file contains `pid command purpose since`; otherwise it is empty. A process that is killed while it holds
  /// the lock leaves this text behind, but the kernel releases the lock.
  ///
  /// `@unchecked Sendable`: used on the file's writing queue only.
  final class FileLock: @unchecked Sendable {
    private let path: String
    private let journal: String?
    private let name: String
    private var descriptor: Int32 = -1

    /// Whether this handle holds the lock.
    private(set) var isHeld = false

    /// The journal that has a turn, for which the lock is held.
    var owner: ObjectIdentifier?

    /// Creates a lock. Its file is created with mode 0600 when the lock is first taken.
    init(path: String, beside journal: String? = nil, name: String) {
      self.path = path
      self.journal = journal
      self.name = name
    }

    deinit { close() }

    /// Takes the lock. Blocks the thread while another handle holds it.
    ///
    /// - Parameters:
    ///   - purpose: The purpose in one word. Waiting processes show it in their errors.
    ///   - wait: Can end the wait early.
    ///   - timeout: The longest time to wait.
    /// - Throws: `locked` after the timeout, the error with which the wait was ended, or an error of the system.
    func take(for purpose: String, waiting wait: LockWait, timeout: Duration) throws(JournalError) {
      while let place = try takeOrJoin(for: purpose, waiting: wait) {
        wait.block(for: timeout)
        try adopt(place, after: wait, timeout: timeout)
      }
    }

    /// Takes the lock, or joins the queue for it.
    ///
    /// - Returns: The place in the queue; nil if this handle holds the lock now. When the wait has ended, call ``adopt(_:after:timeout:)``
    ///   and then this function again. In between the lock cannot be used.
    func takeOrJoin(for purpose: String, waiting wait: LockWait) throws(JournalError) -> LinePlace? {
      if let end = wait.end {
        // The lock may have been granted before.
        if descriptor >= 0, !isHeld { _ = lock(LOCK_UN) }
        throw end
      }
      if try takeAtOnce(for: purpose) { return nil }
      let place = LinePlace.begin(wait, path: path, descriptor: descriptor)
      if place.descriptor != descriptor { systemClose(descriptor) }
      descriptor = -1
      return place
    }

    /// Takes the lock unless another handle holds it.
    ///
    /// - Returns: Whether this handle holds it now.
    func takeAtOnce(for purpose: String) throws(JournalError) -> Bool {
      while true {
        try open()
        guard try takeIfFree() else { return false }
        // A lock on a file that was deleted meanwhile protects nothing.
        if let size = try sizeInPlace() {
          isHeld = true
          mark(purpose, over: size)
          return true
        }
        close()
      }
    }

    /// Takes the descriptor of a place whose wait has ended with the lock.
    ///
    /// - Throws: `locked` after the timeout, the error with which the wait was ended, or an error of the system.
    func adopt(_ place: LinePlace, after wait: LockWait, timeout: Duration) throws(JournalError) {
      switch wait.current {
      case .granted:
        descriptor = place.descriptor
        wait.next()
      case .failed(let code):
        systemClose(place.descriptor)
        throw .system(code, in: name, doing: "lock its lock file '\(path)'")
      case .givenUp(let error):
        place.leave()
        throw error
      case .timedOut, nil:
        place.leave()
        throw Self.isInUse(name, path: path, for: timeout)
      }
    }

    /// Closes the lock file, which releases the lock. The lock can be taken again.
    func close() {
      if descriptor >= 0 { systemClose(descriptor) }
      (descriptor, isHeld, owner) = (-1, false, nil)
    }

    /// Takes the lock if it is free, without waiting. Returns whether it did.
    func takeIfFree(for purpose: String) -> Bool {
      guard descriptor >= 0, (try? takeIfFree()) == true else { return false }
      isHeld = true
      mark(purpose, over: FileStatus(descriptor: descriptor)?.size ?? 0)
      return true
    }

    /// Releases the lock to the next waiting handle.
    func release() {
      guard isHeld else { return }
      (isHeld, owner) = (false, nil)
      ftruncate(descriptor, 0)
      _ = lock(LOCK_UN)
    }

    private func open() throws(JournalError) {
      guard descriptor < 0 else { return }
      descriptor = try HelperFile.open(path, O_RDWR | O_CREAT, of: .user, beside: journal, name: name)
    }

    /// The size of the locked file if it is still the file at the path; nil otherwise.
    private func sizeInPlace() throws(JournalError) -> Int64? {
      guard let held = FileStatus(descriptor: descriptor) else { throw unseen(errno) }
      guard let there = FileStatus(path: path) else {
        // The lock file is created again only if it is known to be missing.
        if errno == ENOENT { return nil }
        throw unseen(errno)
      }
      return held.isSameFile(as: there) ? held.size : nil
    }

    /// Releases a lock that may not protect anything.
    private func unseen(_ code: Int32) -> JournalError {
      close()
      return .system(code, in: name, doing: "inspect its lock file '\(path)'")
    }

    private func lock(_ operation: Int32) -> Int32 { FileLock.lock(descriptor, operation) }

    /// Calls `flock`, and repeats it after each interruption. Returns 0 or the error number.
    static func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
      while flock(descriptor, operation) != 0 {
        if errno != EINTR { return errno }
      }
      return 0
    }

    private func takeIfFree() throws(JournalError) -> Bool {
      switch lock(LOCK_EX | LOCK_NB) {
      case 0: return true
      case EWOULDBLOCK: return false
      case let code: throw .system(code, in: name, doing: "lock its lock file '\(path)'")
      }
    }

    /// The error of a wait that was too long.
    static func isInUse(_ name: String, path: String, for timeout: Duration) -> JournalError {
      JournalError(
        .locked, journal: name,
        message: """
          has been in use by \(holder(path).map { "process \($0)" } ?? "another process") for longer than \(timeout), the longest time \
          to wait. Nothing was written. Let that process finish, or end it, then try again.
          """)
    }

    private func mark(_ purpose: String, over size: Int64) {
      let mark = Array("\(FileLock.process) \(purpose) \(FileLock.now())\n".utf8)
      // The text of a killed process may be longer.
      if size > mark.count { ftruncate(descriptor, 0) }
      pwrite(descriptor, mark, mark.count, 0)
    }

    /// Writes the mark again, as a sign of life. No effect if the lock is not held.
    func renew(for purpose: String) { if isHeld { mark(purpose, over: 0) } }

    /// The text of the process that holds the lock; nil if there is none.
    static func holder(_ path: String) -> String? {
      guard let descriptor = try? HelperFile.open(path, O_RDONLY, of: .user, name: path) else { return nil }
      defer { systemClose(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).prefix { $0 != "\n" }
      return text.isEmpty ? nil : String(text)
    }

    private static let process: String = {
      let command = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
      var word = ""
      for character in command.prefix(64) { word.append(character.isWhitespace ? "_" : character) }
      return "\(getpid()) \(word.isEmpty ? "?" : word)"
    }()

    /// The time in UTC, as in `2026-11-21T09:30:00Z`.
    private static func now() -> String {
      var seconds = time(nil)
      var parts = tm()
      gmtime_r(&seconds, &parts)
      func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return
        "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
  }

  /// The waits of one call: first for the other handles of the file in this process, then for other processes. Cancelling the call's task,
  /// or closing its handle, ends them.
  final class LockWait: Sendable {
    /// The ways in which a wait ends. The first one counts.
    enum Ending: Sendable {
      case granted
      case failed(Int32)
      case givenUp(JournalError)
      case timedOut
    }

    private struct State {
      var outcome: Ending?
      /// The error that ends every later wait of the call, too.
      var end: JournalError?
      /// Continues the call.
      var wake: (@Sendable () -> Void)?
      var timer: (any DispatchSourceTimer)?
    }

    /// The moment at which the call began.
    let start = DispatchTime.now()
    private let state = Lock(State())

    /// Ends the present wait, unless it has already ended.
    ///
    /// - Returns: Whether this call ended it.
    @discardableResult
    func settle(_ outcome: Ending) -> Bool {
      let (isFirst, wake): (Bool, (@Sendable () -> Void)?) = state.withLock { state in
        guard state.outcome == nil else { return (false, nil) }
        state.outcome = outcome
        state.timer?.cancel()
        defer { (state.wake, state.timer) = (nil, nil) }
        return (true, state.wake)
      }
      wake?()
      return isFirst
    }

    /// Ends the present wait with an error, unless it has already ended, and every later one.
    func giveUp(_ error: JournalError) {
      state.withLock { if $0.end == nil { $0.end = error } }
      settle(.givenUp(error))
    }

    /// Begins the next wait, after one that was granted. Any other outcome is the last one: the lock may be granted at the same moment, and is
    /// then refused.
    func next() { state.withLock { $0.outcome = $0.end.map(Ending.givenUp) } }

    /// The outcome; nil while the wait continues.
    var current: Ending? { state.withLock { $0.outcome } }

    /// The error with which the call was ended; nil while it may wait.
    var end: JournalError? { state.withLock { $0.end } }

    /// Calls a closure once the wait has ended, or a moment has passed; at once if it has already ended.
    ///
    /// - Parameters:
    ///   - deadline: The moment. It is read again when it has passed, because it may be later by then.
    ///   - wake: The closure. It is called once, on the thread that ends the wait.
    func whenEnded(by deadline: @escaping @Sendable () -> DispatchTime, _ wake: @escaping @Sendable () -> Void) {
      let hasEnded = state.withLock { state in
        guard state.outcome == nil else { return true }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { @Sendable [weak self] in self?.timeOut(at: deadline()) }
        timer.schedule(deadline: deadline())
        timer.resume()
        (state.wake, state.timer) = (wake, timer)
        return false
      }
      if hasEnded { wake() }
    }

    private func timeOut(at deadline: DispatchTime) {
      let isLate = state.withLock { state in
        if deadline > .now() { state.timer?.schedule(deadline: deadline) }
        return deadline <= .now()
      }
      if isLate { settle(.timedOut) }
    }

    /// Blocks the thread until the wait has ended, or the time has passed.
    func block(for time: Duration) {
      let ended = DispatchSemaphore(value: 0)
      let deadline = DispatchTime.now() + time.interval
      whenEnded(by: { deadline }) { ended.signal() }
      ended.wait()
    }
  }

  extension Duration {
    /// The same time for Dispatch: at most 100 years, so that the number of nanoseconds does not overflow.
    var interval: DispatchTimeInterval {
      let (seconds, attoseconds) = components
      return .nanoseconds(Int(min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
  }
#endif
