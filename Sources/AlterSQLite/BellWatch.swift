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

  /// Detects the commits of other handles while a task waits for one. It checks when the doorbell rings. In case the bell cannot ring, it
  /// also checks once a second, as long as something happens to the journal's files.
  ///
  /// Nothing runs while no task waits.
  ///
  /// ## Rings that are missed
  ///
  /// A bell can be missed: its file cannot be written or watched, a process dies between its commit and its ring, or another version of
  /// this library has no bell. On Linux the watch finds such commits without waking up forever. Every commit writes to the write-ahead log
  /// under the journal's lock. The first write to the log starts the timer (`IN_ONESHOT`, so that many commits wake no thread). The timer
  /// is stopped only after these steps, in this order:
  ///
  /// 1. The log is watched again, and a whole interval passes without a write to it.
  /// 2. The lock is seen free.
  /// 3. The end of the journal is read.
  ///
  /// A commit that is not visible in step 3 has not finished in step 2, or has begun after it. In step 2 no process held the lock, so the
  /// commit began after it, and its write to the log is an event.
  ///
  /// The journal's file and the folders above it are watched, too: a file that was moved, deleted or replaced is detected at once. If one
  /// of the watches fails, the timer keeps running.
  final class BellWatch: Sendable {
    /// The files whose events replace the timer.
    struct Guarded: Sendable {
      let location: FileLocation

      /// Whether no handle holds the journal's lock. False if that is unknown.
      var isLockFree: Bool {
        guard let descriptor = try? HelperFile.open(location.lock, O_RDONLY, of: .user, name: location.path) else { return false }
        defer { close(descriptor) }
        guard FileLock.lock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return false }
        // Closing is not enough: a child process that was forked meanwhile has the descriptor, too, and would keep the lock.
        _ = FileLock.lock(descriptor, LOCK_UN)
        return true
      }

      /// The folder of the file and all above it, without the root.
      var folders: [String] {
        var folders: [String] = []
        var folder = location.folder
        while folder != "/", folder.first == "/" {
          folders.append(folder)
          guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
          folder = String(folder[..<slash])
        }
        return folders
      }
    }

    private struct State {
      var interest = 0
      /// Whether there may be a commit that was not detected.
      var isBehind = true
      #if os(Linux) || os(Android)
        var bell: FileEvents.Token?
        /// The watches of the file and its folders; nil if they are not complete.
        var places: [FileEvents.Token]?
        /// The watch of the log, until its first event.
        var log: FileEvents.Token?
        /// Counts the watches of the log and of the places.
        var logNumber = 0
        var placesNumber = 0
      #else
        var bell: (any DispatchSourceProtocol)?
      #endif
      var timer: (any DispatchSourceTimer)?
      /// Whether the timer was stopped because the watched files show every commit.
      var isResting = false
      var isEnded = false
    }

    private let path: String
    private let queue: DispatchQueue
    private let interval: DispatchTimeInterval?
    private let guarded: Guarded?
    private let ring: @Sendable () -> Doorbell.Ring?
    private let heard: @Sendable (Doorbell.Ring) -> Void
    private let look: @Sendable () -> Bool
    private let state = Lock(State())

    /// Creates a watch that has not begun.
    ///
    /// - Parameters:
    ///   - path: The path of the bell's file.
    ///   - queue: The queue on which `look` is called.
    ///   - interval: The time between two checks in case the bell cannot ring; nil for no such checks.
    ///   - guarded: The files whose events replace the checks while nothing happens; nil if the checks never end.
    ///   - ring: Returns a new ring of another handle; nil if there is none. It is called on any thread.
    ///   - heard: Receives a ring after which the end of the journal was read.
    ///   - look: Reads the end of the journal, and returns whether it could.
    init(
      path: String, queue: DispatchQueue, interval: DispatchTimeInterval? = .seconds(1), guarded: Guarded? = nil,
      ring: @escaping @Sendable () -> Doorbell.Ring? = { .unknown }, heard: @escaping @Sendable (Doorbell.Ring) -> Void = { _ in },
      look: @escaping @Sendable () -> Bool
    ) {
      self.ring = ring
      self.heard = heard
      self.path = path
      self.queue = queue
      self.interval = interval
      self.guarded = guarded
      self.look = look
    }

    deinit { end() }

    /// Registers a waiting task. Commits from now on are detected.
    ///
    /// - Returns: Whether the caller must check once for earlier commits. False if the watch was listening the whole time and missed no
    ///   ring of another handle.
    @discardableResult
    func begin() -> Bool {
      state.withLock { state in
        state.interest += 1
        guard !state.isEnded else { return true }
        if state.bell == nil { state.bell = makeBellSource() }
        startTimer(&state)
        defer { state.isBehind = state.bell == nil }
        return state.isBehind
      }
    }

    /// Rings the bell without receiving the event. A handle knows its own commits, and its own ring would wake two threads after each one.
    ///
    /// The caller holds the journal's lock. Every handle rings under this lock, so no other handle's ring is missed meanwhile.
    func deaf(_ ring: () -> Void) {
      #if os(Linux) || os(Android)
        guard let bell = state.withLock({ $0.bell }) else { return ring() }
        if !FileEvents.shared.silently(bell, at: path, ring) { loseBell(bell) }
      #else
        ring()
      #endif
    }

    /// Handles a ring.
    private func hear() {
      guard let ring = ring() else { return }
      let isWanted = state.withLock { state in
        if state.interest <= 0 { state.isBehind = true }
        return state.interest > 0
      }
      if isWanted, look() { heard(ring) }
    }

    /// Unregisters a waiting task.
    func finish() { state.withLock { $0.interest -= 1 } }

    /// Whether a timer runs. For tests.
    var isTicking: Bool { state.withLock { $0.timer != nil } }

    // MARK: - The timer

    private func startTimer(_ state: inout State) {
      guard let interval, state.timer == nil, !state.isResting, !state.isEnded else { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(100))
      timer.setEventHandler { @Sendable [weak self] in self?.tick() }
      timer.resume()
      state.timer = timer
    }

    private func stopTimer(_ state: inout State) {
      state.timer?.cancel()
      state.timer = nil
    }

    private func tick() {
      let isQuiet: Bool? = state.withLock { state in
        guard state.interest > 0 else {
          stopTimer(&state)
          return nil
        }
        return isGuarded(&state)
      }
      guard let isQuiet else { return }
      // The lock before the look: see above.
      let mayRest = isQuiet && guarded?.isLockFree == true
      guard look(), mayRest else { return }
      state.withLock { state in
        guard isStillGuarded(state) else { return }
        state.isResting = true
        stopTimer(&state)
      }
    }

    #if os(Linux) || os(Android)
      /// Stops watching permanently.
      func end() {
        let tokens: [FileEvents.Token] = state.withLock { state in
          state.isEnded = true
          stopTimer(&state)
          defer { (state.bell, state.places, state.log) = (nil, nil, nil) }
          return [state.bell, state.log].compactMap { $0 } + (state.places ?? [])
        }
        for token in tokens { FileEvents.shared.end(token) }
      }

      private func makeBellSource() -> FileEvents.Token? {
        // If no watch is free, the timer still checks once a second.
        FileEvents.shared.watch(path, for: UInt32(IN_MODIFY)) { [weak self, queue] events in
          guard events & UInt32(IN_IGNORED) == 0 else {
            self?.loseBell(nil)
            return
          }
          // Most rings concern other journals of the file. They are dropped here, without waking this journal's queue.
          guard let self, self.ring() != nil else { return }
          queue.async { [weak self] in self?.hear() }
        }
      }

      /// The bell is not watched any more: only the other checks are left, and the next `begin` tries again.
      private func loseBell(_ lost: FileEvents.Token?) {
        let token: FileEvents.Token? = state.withLock { state in
          guard lost == nil || lost == state.bell else { return nil }
          state.isBehind = true
          state.isResting = false
          if state.interest > 0 { startTimer(&state) }
          defer { state.bell = nil }
          return state.bell
        }
        if let token { FileEvents.shared.end(token) }
      }

      /// Whether all files were watched since the last tick, without an event. Starts the watches that are missing.
      private func isGuarded(_ state: inout State) -> Bool {
        guard let guarded, state.bell != nil, !state.isEnded else { return false }
        let isComplete = isStillGuarded(state)
        if state.log == nil {
          state.logNumber += 1
          state.log = FileEvents.shared.watch(guarded.location.wal, for: UInt32(IN_MODIFY) | IN_ONESHOT) {
            [weak self, number = state.logNumber] _ in
            self?.logWasWritten(number)
          }
        }
        if state.places == nil { state.places = watchPlaces(of: guarded, &state) }
        return isComplete
      }

      private func isStillGuarded(_ state: State) -> Bool { state.log != nil && state.places != nil && state.bell != nil && !state.isEnded }

      private func watchPlaces(of guarded: Guarded, _ state: inout State) -> [FileEvents.Token]? {
        state.placesNumber += 1
        let handler: FileEvents.Handler = { [weak self, number = state.placesNumber] _ in self?.placesHaveChanged(number) }
        var tokens: [FileEvents.Token] = []
        let (file, folder) = (UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF), UInt32(IN_MOVE_SELF | IN_DELETE_SELF))
        for (path, events) in [(guarded.location.path, file)] + guarded.folders.map({ ($0, folder) }) {
          guard let token = FileEvents.shared.watch(path, for: events, handler) else {
            for token in tokens { FileEvents.shared.end(token) }
            return nil
          }
          tokens.append(token)
        }
        return tokens
      }

      /// The log was written to, or is gone.
      private func logWasWritten(_ number: Int) {
        state.withLock { state in
          guard state.logNumber == number, state.log != nil else { return }
          state.log = nil
          state.isResting = false
          if state.interest > 0 { startTimer(&state) }
        }
      }

      /// The file or a folder was moved, deleted or replaced, or has other permissions.
      private func placesHaveChanged(_ number: Int) {
        let tokens: [FileEvents.Token]? = state.withLock { state in
          guard state.placesNumber == number, let tokens = state.places else { return nil }
          state.places = nil
          state.isResting = false
          if state.interest > 0 { startTimer(&state) }
          return tokens
        }
        guard let tokens else { return }
        for token in tokens { FileEvents.shared.end(token) }
        queue.async { [weak self] in if self?.state.withLock({ $0.interest > 0 }) == true { _ = self?.look() } }
      }
    #else
      /// Stops watching permanently.
      func end() {
        let bell = state.withLock { state in
          state.isEnded = true
          stopTimer(&state)
          defer { state.bell = nil }
          return state.bell
        }
        bell?.cancel()
      }

      private func isGuarded(_ state: inout State) -> Bool { false }
      private func isStillGuarded(_ state: State) -> Bool { false }

      private func makeBellSource() -> (any DispatchSourceProtocol)? {
        let descriptor = open(path, O_EVTONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
        source.setEventHandler { @Sendable [weak self] in
          self?.hear()
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.resume()
        return source
      }
    #endif
  }
#endif
