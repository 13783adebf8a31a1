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

  /// Detects the commits of other processes while a task waits for one, for all handles of an open file. It checks when the doorbell rings.
  /// In case the bell cannot ring, it also checks once a second, as long as something happens to the journal's files.
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
  ///
  /// ## States
  ///
  /// ```
  ///            begin()                      steps 1, 2 and 3
  ///   idle ───────────────▶ ticking ───────────────────────────────▶ resting
  ///     ▲                   │   ▲                                        │
  ///     └── no task waits ──┘   └── an event of the log or of a place, ──┘
  ///                                 a lost watch, check()
  ///   end(): ended, from any state
  /// ```
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
    private let isRung: @Sendable () -> Bool
    private let look: @Sendable (Cause) -> Bool
    private let missed: @Sendable () -> Void
    private let state = Lock(State())

    /// The reason for a look.
    enum Cause: Sendable {
      /// The bell was rung.
      case ring
      /// There may be commits without a ring.
      case check
    }

    /// Creates a watch that has not begun.
    ///
    /// - Parameters:
    ///   - path: The path of the bell's file.
    ///   - queue: The queue on which `look` is called.
    ///   - interval: The time between two checks in case the bell cannot ring; nil for no such checks.
    ///   - guarded: The files whose events replace the checks while nothing happens; nil if the checks never end.
    ///   - isRung: Whether the bell was rung for a journal of interest. It is called on any thread.
    ///   - missed: Called when the bell was rung while no task waited, or may have been.
    ///   - look: Reads the ends of the journals, and returns whether it could.
    init(
      path: String, queue: DispatchQueue, interval: DispatchTimeInterval? = .seconds(1), guarded: Guarded? = nil,
      isRung: @escaping @Sendable () -> Bool = { true }, missed: @escaping @Sendable () -> Void = {},
      look: @escaping @Sendable (Cause) -> Bool
    ) {
      self.isRung = isRung
      self.missed = missed
      self.path = path
      self.queue = queue
      self.interval = interval
      self.guarded = guarded
      self.look = look
    }

    deinit { end() }

    /// Registers a waiting task. Commits from now on are detected.
    ///
    /// - Returns: Whether the bell is listened to.
    @discardableResult
    func begin() -> Bool {
      state.withLock { state in
        state.interest += 1
        guard !state.isEnded else { return false }
        if state.bell == nil { state.bell = makeBellSource() }
        startTimer(&state)
        return state.bell != nil
      }
    }

    /// Rings the bell without receiving the event. The handles of the file know each other's commits, and their own ring would wake two
    /// threads after each one.
    ///
    /// The caller holds the journal's lock. Every process rings under this lock, so no other ring is missed meanwhile.
    func deaf(_ ring: () -> Void) {
      #if os(Linux) || os(Android)
        guard let bell = state.withLock({ $0.bell }) else { return ring() }
        if !FileEvents.shared.silently(bell, at: path, ring) { loseBell(bell) }
      #else
        ring()
      #endif
    }

    /// Unregisters a waiting task.
    func finish() { state.withLock { $0.interest -= 1 } }

    /// Checks once a second again, until nothing happens.
    func check() {
      state.withLock { state in
        state.isResting = false
        if state.interest > 0 { startTimer(&state) }
      }
    }

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
      guard look(.check), mayRest else { return }
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
          // Rings for journals that no handle has open are dropped here, without waking the queue.
          guard let self, self.isRung() else { return }
          guard self.state.withLock({ $0.interest > 0 }) else { return self.missed() }
          queue.async { [weak self] in _ = self?.look(.ring) }
        }
      }

      /// The bell is not watched any more: only the other checks are left, and the next `begin` tries again.
      private func loseBell(_ lost: FileEvents.Token?) {
        let token: FileEvents.Token? = state.withLock { state in
          guard lost == nil || lost == state.bell else { return nil }
          state.isResting = false
          if state.interest > 0 { startTimer(&state) }
          defer { state.bell = nil }
          return state.bell
        }
        missed()
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
        queue.async { [weak self] in if self?.state.withLock({ $0.interest > 0 }) == true { _ = self?.look(.check) } }
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
          guard let self, self.isRung() else { return }
          if self.state.withLock({ $0.interest > 0 }) { _ = self.look(.ring) } else { self.missed() }
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.resume()
        return source
      }
    #endif
  }
#endif
