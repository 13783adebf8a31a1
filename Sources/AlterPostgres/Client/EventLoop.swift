#if Postgres
  import AlterCore
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A serial loop for submitted work, timers and socket events. Work that need not wait for a socket runs on the thread that submits it. A
  /// second thread waits for sockets and timers; it exists only while there is something to wait for.
  ///
  /// It is not a dispatch queue with sources: on Linux one thread of libdispatch waits for all sources, and wakes another one for each
  /// event. Few sockets are watched, so `poll` is sufficient (`Design/0010-postgres.md`).
  ///
  /// `@unchecked Sendable`: ``polled`` and ``handlers`` are used in ``turn`` only; all other mutable state has its own lock.
  final class EventLoop: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
      var work: [Work] = []
      /// In the order of their due times.
      var timers: [(due: ContinuousClock.Instant, work: Work)] = []
      /// Whether a thread has the turn and will process new work before the turn ends.
      var isBusy = false
      /// Whether there is a thread that waits for sockets and timers.
      var isRunning = false
      /// Whether that thread is waiting and has not been woken.
      var isAsleep = false
    }

    private let state = Lock(State())
    /// The thread that holds this lock is the loop. Work on the loop never waits.
    private let turn = Lock(())
    private let queue = DispatchQueue(label: "alter.postgres")
    private let bell = Bell()
    /// The descriptors for `poll`: the bell, then the watched sockets.
    private var polled: [pollfd]
    /// The handlers of the descriptors in ``polled``, in the same order.
    private var handlers: [() -> Void]

    /// Creates a loop without work.
    init() {
      polled = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
      handlers = [bell.silence]
    }

    // MARK: Submitting work

    /// Runs work now, on this thread, after earlier work.
    ///
    /// Do not call it while holding a lock that work on the loop may take.
    func perform(_ work: @escaping Work) {
      turn.withLock { _ in
        state.withLock { state in
          state.work.append(work)
          state.isBusy = true
        }
        workOff()
      }
    }

    /// Runs work soon, after earlier work.
    func async(_ work: @escaping Work) {
      tell { state in
        state.work.append(work)
        return !state.isBusy
      }
    }

    /// Runs work after a pause.
    func async(after pause: Duration, _ work: @escaping Work) {
      let due = ContinuousClock.now + pause
      tell { state in
        state.timers.insert((due, work), at: state.timers.firstIndex { due < $0.due } ?? state.timers.endIndex)
        return true
      }
    }

    /// Applies a change, and starts or wakes the thread if the change says that the thread must see it.
    private func tell(_ change: (inout State) -> Bool = { _ in true }) {
      let (mustStart, mustWake) = state.withLock { state in
        guard change(&state) else { return (false, false) }
        defer { (state.isRunning, state.isAsleep) = (true, false) }
        return (!state.isRunning, state.isAsleep)
      }
      if mustWake { bell.ring() }
      if mustStart { queue.async { self.run() } }
    }

    /// Whether a timer is running.
    var hasTimers: Bool { state.withLock { !$0.timers.isEmpty } }

    // MARK: Watching sockets, on the loop

    /// Calls a handler whenever a socket is readable or was closed, until ``unwatch(_:)``.
    func watch(_ socket: Int32, _ handler: @escaping () -> Void) {
      polled.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
      handlers.append(handler)
      tell()
    }

    /// Starts or stops calling the handler when the socket is writable, too.
    func watchWriting(_ socket: Int32, _ isWanted: Bool) {
      guard let place = polled.firstIndex(where: { $0.fd == socket }) else { return }
      polled[place].events = Int16(isWanted ? POLLIN | POLLOUT : POLLIN)
      tell()
    }

    /// Stops watching a socket. Call it before closing the socket, because another one may get its number.
    func unwatch(_ socket: Int32) {
      guard let place = polled.firstIndex(where: { $0.fd == socket }) else { return }
      polled.remove(at: place)
      handlers.remove(at: place)
      tell()
    }

    // MARK: The thread

    private func run() {
      var ready: [Int32] = []
      while true {
        let next: (sockets: [pollfd], milliseconds: Int32)? = turn.withLock { _ in
          state.withLock { $0.isBusy = true }
          // A handler may change the watched sockets.
          for socket in ready { if let place = polled.firstIndex(where: { $0.fd == socket }) { handlers[place]() } }
          workOff()
          return fallAsleep().map { (polled, $0) }
        }
        guard var sockets = next?.sockets, let milliseconds = next?.milliseconds else { return }
        let count = poll(&sockets, nfds_t(sockets.count), milliseconds)
        state.withLock { $0.isAsleep = false }
        ready = count > 0 ? sockets.filter { $0.revents != 0 }.map(\.fd) : []
      }
    }

    /// Runs submitted work and due timers until nothing is left. Called in a turn.
    private func workOff() {
      while true {
        let work = state.withLock { state in
          var work: [Work] = []
          swap(&work, &state.work)
          if !state.timers.isEmpty {
            let now = ContinuousClock.now
            let dueCount = state.timers.prefix { $0.due <= now }.count
            work += state.timers.prefix(dueCount).map(\.work)
            state.timers.removeFirst(dueCount)
          }
          state.isBusy = !work.isEmpty
          return work
        }
        if work.isEmpty { return }
        for work in work { work() }
      }
    }

    /// Prepares to wait.
    ///
    /// - Returns: How many milliseconds to wait: -1 for no limit, 0 if there is new work. Nil if there is nothing to wait for, and the
    ///   thread must end.
    private func fallAsleep() -> Int32? {
      state.withLock { state in
        guard state.work.isEmpty else { return 0 }
        guard let due = state.timers.first?.due else {
          state.isRunning = polled.count > 1
          state.isAsleep = state.isRunning
          return state.isRunning ? bell.patience(-1) : nil
        }
        state.isAsleep = true
        let (seconds, attoseconds) = (due - .now).components
        // Rounded up, so that the thread does not wake before the timer is due.
        return bell.patience(Int32(max(0, min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)))
      }
    }
  }

  /// Interrupts `poll`: a pipe that contains a byte after a ring.
  private final class Bell: Sendable {
    /// The descriptor to poll. If this process can open no more files it is -1, which `poll` ignores.
    let descriptor: Int32
    private let writing: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      if pipe(&ends) == 0 {
        for end in ends {
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
      }
      (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
      guard descriptor >= 0 else { return }
      for end in [descriptor, writing] { Connection.close(end) }
    }

    func ring() {
      var byte: UInt8 = 1
      _ = write(writing, &byte, 1)
    }

    func silence() {
      var bytes: (UInt64, UInt64) = (0, 0)
      _ = read(descriptor, &bytes, 16)
    }

    /// Limits a wait to 5 milliseconds if no descriptor can interrupt it.
    func patience(_ milliseconds: Int32) -> Int32 { descriptor >= 0 ? milliseconds : milliseconds < 0 ? 5 : min(milliseconds, 5) }
  }
#endif
