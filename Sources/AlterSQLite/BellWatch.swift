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

  /// Detects the commits of other handles while a task waits for one. It checks when the doorbell rings, and once a second in case the bell
  /// cannot ring.
  ///
  /// Nothing runs while no task waits.
  final class BellWatch: Sendable {
    private struct State {
      var interest = 0
      /// Whether there may be a commit that was not detected.
      var isBehind = true
      var bell: (any DispatchSourceProtocol)?
      /// The inotify descriptor that the source observes. The source's cancel handler closes it.
      var descriptor: Int32?
      var timer: (any DispatchSourceTimer)?
      var isEnded = false
    }

    private let path: String
    private let queue: DispatchQueue
    private let interval: DispatchTimeInterval?
    private let tellsOfOthers: @Sendable () -> Bool
    private let look: @Sendable () -> Void
    private let state = Lock(State())

    /// Creates a watch that has not begun.
    ///
    /// - Parameters:
    ///   - path: The path of the bell's file.
    ///   - queue: The queue on which `look` is called.
    ///   - interval: The time between two checks in case the bell cannot ring; nil for no such checks.
    ///   - tellsOfOthers: Whether another handle rang the bell last.
    ///   - look: Reads the end of the journal.
    init(
      path: String, queue: DispatchQueue, interval: DispatchTimeInterval? = .seconds(1),
      tellsOfOthers: @escaping @Sendable () -> Bool = { true }, look: @escaping @Sendable () -> Void
    ) {
      self.tellsOfOthers = tellsOfOthers
      self.path = path
      self.queue = queue
      self.interval = interval
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
        if state.bell == nil { (state.bell, state.descriptor) = makeBellSource() }
        if state.timer == nil, let interval { state.timer = makeTimer(interval) }
        defer { state.isBehind = state.bell == nil }
        return state.isBehind
      }
    }

    /// Rings the bell without receiving the event. A handle knows its own commits, and its own ring would wake two threads after each one.
    ///
    /// The caller holds the journal's lock. Every handle rings under this lock, so no other handle's ring is missed meanwhile.
    func deaf(_ ring: () -> Void) {
      #if os(Linux) || os(Android)
        state.withLock { state in
          guard let descriptor = state.descriptor else { return ring() }
          // A second mask for the same file replaces the first, without an event.
          guard inotify_add_watch(descriptor, path, UInt32(IN_DELETE_SELF) | noLinks) >= 0 else { return ring() }
          ring()
          // If this fails, only the check once a second is left, and the next `begin` tries again.
          if inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | noLinks) < 0 { state.isBehind = true }
        }
      #else
        ring()
      #endif
    }

    /// Handles a ring.
    private func hear() {
      guard tellsOfOthers() else { return }
      let isWanted = state.withLock { state in
        if state.interest <= 0 { state.isBehind = true }
        return state.interest > 0
      }
      if isWanted { look() }
    }

    /// Unregisters a waiting task.
    func finish() { state.withLock { $0.interest -= 1 } }

    /// Stops watching permanently.
    func end() {
      let (bell, timer) = state.withLock { state in
        state.isEnded = true
        defer { (state.bell, state.descriptor, state.timer) = (nil, nil, nil) }
        return (state.bell, state.timer)
      }
      bell?.cancel()
      timer?.cancel()
    }

    private func makeTimer(_ interval: DispatchTimeInterval) -> any DispatchSourceTimer {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(100))
      timer.setEventHandler { @Sendable [weak self] in self?.tick() }
      timer.resume()
      return timer
    }

    private func tick() {
      let idle = state.withLock { state -> (any DispatchSourceTimer)? in
        guard state.interest <= 0 else { return nil }
        defer { state.timer = nil }
        return state.timer
      }
      if let idle { idle.cancel() } else { look() }
    }

    #if os(Linux) || os(Android)
      private var noLinks: UInt32 { UInt32(IN_DONT_FOLLOW) }

      private func makeBellSource() -> ((any DispatchSourceProtocol)?, Int32?) {
        let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        // No inotify instance is free. The timer still checks once a second.
        guard descriptor >= 0 else { return (nil, nil) }
        guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | noLinks) >= 0 else {
          close(descriptor)
          return (nil, nil)
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { @Sendable [weak self] in
          var events = [UInt8](repeating: 0, count: 4096)
          while read(descriptor, &events, events.count) > 0 {}
          self?.hear()
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.resume()
        return (source, descriptor)
      }
    #else
      private func makeBellSource() -> ((any DispatchSourceProtocol)?, Int32?) {
        let descriptor = open(path, O_EVTONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return (nil, nil) }
        let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
        source.setEventHandler { @Sendable [weak self] in
          self?.hear()
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.resume()
        return (source, nil)
      }
    #endif
  }
#endif
