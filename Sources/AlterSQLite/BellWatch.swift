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
      /// The inotify descriptor that the source listens to; it is closed when the source is cancelled.
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
        if state.bell == nil { (state.bell, state.descriptor) = makeBellSource() }
        if state.timer == nil, let interval { state.timer = makeTimer(interval) }
        defer { state.isBehind = state.bell == nil }
        return state.isBehind
      }
    }

    /// Rings without hearing it: a handle knows what it has written itself, and its own bell would wake two threads after every commit.
    ///
    /// The caller holds the journal's lock, under which everybody rings: so nobody else is missed meanwhile.
    func deaf(_ ring: () -> Void) {
      #if os(Linux) || os(Android)
        state.withLock { state in
          guard let descriptor = state.descriptor else { return ring() }
          // Another mask for the same file takes the place of the first, without an event.
          guard inotify_add_watch(descriptor, path, UInt32(IN_DELETE_SELF) | noLinks) >= 0 else { return ring() }
          ring()
          // Without it the look once a second is left, and the next begin tries again.
          if inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | noLinks) < 0 { state.isBehind = true }
        }
      #else
        ring()
      #endif
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
        // Out of inotify instances: the timer still looks once a second.
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
