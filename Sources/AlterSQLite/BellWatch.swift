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

  /// Looks for other handles' commits while somebody waits for one: when the doorbell rings, and once a second in case it can't.
  ///
  /// Nothing runs while nobody waits.
  final class BellWatch: Sendable {
    private struct State {
      var interest = 0
      /// Whether there may be something that was not looked at.
      var isBehind = true
      var bell: (any DispatchSourceProtocol)?
      var timer: (any DispatchSourceTimer)?
      var isEnded = false
    }

    private let path: String
    private let queue: DispatchQueue
    private let interval: DispatchTimeInterval?
    private let tellsOfOthers: @Sendable () -> Bool
    private let look: @Sendable () -> Void
    private let state = Lock(State())

    /// A watch that has not begun.
    ///
    /// - Parameters:
    ///   - path: The bell's file.
    ///   - queue: Where `look` is called.
    ///   - interval: How often to look in case the bell can't ring; nil for never.
    ///   - tellsOfOthers: Whether it was somebody else who rang.
    ///   - look: Finds out where the journal ends.
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

    /// Somebody begins to wait. What happens from now on is noticed.
    ///
    /// - Returns: Whether to look once yourself for what happened before; no when the bell was listened to all the time, and nobody else rang unheard.
    @discardableResult
    func begin() -> Bool {
      state.withLock { state in
        state.interest += 1
        guard !state.isEnded else { return true }
        if state.bell == nil { state.bell = makeBellSource() }
        if state.timer == nil, let interval { state.timer = makeTimer(interval) }
        defer { state.isBehind = state.bell == nil }
        return state.isBehind
      }
    }

    /// It has rung.
    private func hear() {
      guard tellsOfOthers() else { return }
      let isWanted = state.withLock { state in
        if state.interest <= 0 { state.isBehind = true }
        return state.interest > 0
      }
      if isWanted { look() }
    }

    /// Somebody has stopped waiting.
    func finish() { state.withLock { $0.interest -= 1 } }

    /// Stops watching for good.
    func end() {
      let (bell, timer) = state.withLock { state in
        state.isEnded = true
        defer { (state.bell, state.timer) = (nil, nil) }
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
      private func makeBellSource() -> (any DispatchSourceProtocol)? {
        let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        // Out of inotify instances: the timer still looks once a second.
        guard descriptor >= 0 else { return nil }
        guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
          close(descriptor)
          return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { @Sendable [weak self] in
          var events = [UInt8](repeating: 0, count: 4096)
          while read(descriptor, &events, events.count) > 0 {}
          self?.hear()
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.resume()
        return source
      }
    #else
      private func makeBellSource() -> (any DispatchSourceProtocol)? {
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
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
