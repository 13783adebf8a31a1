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

  /// Does one thing at a time: what it is given, what is due, and what sockets have to say. What need not wait for a socket is done on the thread that asks;
  /// another thread waits. While there is nothing to wait for, there is none.
  ///
  /// Not a dispatch queue with sources: on Linux one thread of libdispatch's waits for all sources, and wakes another for each event. Few sockets are
  /// watched, so `poll` does it (`Design/0010-postgres.md`).
  ///
  /// `@unchecked Sendable`: ``polled`` and ``handlers`` are used in ``turn`` only, everything else that changes behind its lock.
  final class EventLoop: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
      var work: [Work] = []
      /// In the order in which they are due.
      var timers: [(due: ContinuousClock.Instant, work: Work)] = []
      /// Whether somebody has the turn, and will see what is new before it ends.
      var isBusy = false
      /// Whether there is a thread that waits for sockets and timers.
      var isRunning = false
      /// Whether that thread waits, and nobody has woken it yet.
      var isAsleep = false
    }

    private let state = Lock(State())
    /// Whoever has it is the loop. Nothing that is done in it waits for anything.
    private let turn = Lock(())
    private let queue = DispatchQueue(label: "alter.postgres")
    private let bell = Bell()
    /// What `poll` takes: the bell, then what is watched.
    private var polled: [pollfd]
    /// What is done about each of ``polled``.
    private var handlers: [() -> Void]

    /// A loop with nothing to do.
    init() {
      polled = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
      handlers = [bell.silence]
    }

    // MARK: Giving it work

    /// Does it now, on this thread, after what was given before.
    ///
    /// Not to be called with a lock held that anything on the loop may want.
    func perform(_ work: @escaping Work) {
      turn.withLock { _ in
        state.withLock { state in
          state.work.append(work)
          state.isBusy = true
        }
        workOff()
      }
    }

    /// Does it soon, after what was given before.
    func async(_ work: @escaping Work) {
      tell { state in
        state.work.append(work)
        return !state.isBusy
      }
    }

    /// Does it after a while.
    func async(after pause: Duration, _ work: @escaping Work) {
      let due = ContinuousClock.now + pause
      tell { state in
        state.timers.insert((due, work), at: state.timers.firstIndex { due < $0.due } ?? state.timers.endIndex)
        return true
      }
    }

    /// Makes the thread see what is new, if a change says that it must.
    private func tell(_ change: (inout State) -> Bool = { _ in true }) {
      let (mustStart, mustWake) = state.withLock { state in
        guard change(&state) else { return (false, false) }
        defer { (state.isRunning, state.isAsleep) = (true, false) }
        return (!state.isRunning, state.isAsleep)
      }
      if mustWake { bell.ring() }
      if mustStart { queue.async { self.run() } }
    }

    // MARK: Watching sockets, on the loop

    /// Calls a handler whenever a socket can be read or has ended, until it is watched no more.
    func watch(_ socket: Int32, _ handler: @escaping () -> Void) {
      polled.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
      handlers.append(handler)
      tell()
    }

    /// Calls the handler also when the socket can be written, or no longer.
    func watchWriting(_ socket: Int32, _ isWanted: Bool) {
      guard let place = polled.firstIndex(where: { $0.fd == socket }) else { return }
      polled[place].events = Int16(isWanted ? POLLIN | POLLOUT : POLLIN)
      tell()
    }

    /// Watches a socket no more. Before it is closed: another may get its number.
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
          // What is done about one may change what is watched.
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

    /// Does what was given and what is due, until there is nothing left. In a turn.
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

    /// - Returns: For how many milliseconds to wait, -1 for as long as it takes, 0 because something has come up; nil if there is nothing to wait for, and
    ///   the thread is to end.
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
        // Rounded up: not to wake before it is due.
        return bell.patience(Int32(max(0, min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)))
      }
    }
  }

  /// Ends a `poll`: a pipe, with a byte in it after it was rung.
  private final class Bell: Sendable {
    /// What to poll; -1, which `poll` ignores, when this process can open no more files.
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

    /// For how long to wait: not for long where nobody can end it.
    func patience(_ milliseconds: Int32) -> Int32 { descriptor >= 0 ? milliseconds : milliseconds < 0 ? 5 : min(milliseconds, 5) }
  }
#endif
