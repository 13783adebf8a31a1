#if Postgres
  /// The connections of a process to one server. It opens them as ``Admission`` decides, moves idle ones to lanes that have none, and closes
  /// those that are idle for long.
  ///
  /// `@unchecked Sendable`: used on ``loop`` only.
  final class Connections: @unchecked Sendable {
    let loop: EventLoop
    private let server: PostgresServer
    /// The time after which an idle connection is closed while the server refuses none.
    private let idle: Duration
    private var admission = Admission(at: .now)
    /// The lanes. The one that a connection was moved to last is the last one.
    private var lanes: [Lane] = []
    private var follower: Follower?
    /// Whether a timer is running until the next attempt.
    private var isWaking = false
    private var isWatchingIdleness = false
    /// The number of the present timer of ``watchIdleness()``. A refusal replaces the timer by a shorter one.
    private var watch = 0

    /// The time after which a request that waits for a connection fails with the server's refusal, although the process has connections.
    private static let patience = Duration.seconds(5)

    init(_ server: PostgresServer, loop: EventLoop, idle: Duration) {
      self.server = server
      self.loop = loop
      self.idle = idle
    }

    /// Sets the users of the connections.
    func serve(_ lanes: [Lane], _ follower: Follower) { (self.lanes, self.follower) = (lanes, follower) }

    /// Whether the server has refused a connection.
    var isScarce: Bool { admission.isScarce }

    /// Whether the next idle connection of a lane goes to one that has none, or back to the server. No request is sent behind others then.
    func areAwaited(from lane: Lane) -> Bool { isScarce && (admission.owed > 0 && lane.count > 1 || lanes.contains { $0.isStarving }) }

    /// Whether a lane waits for a connection of another one.
    var areAwaited: Bool { isScarce && lanes.contains { $0.isStarving } }

    /// Opens a connection, if one may be opened now.
    ///
    /// - Parameter completion: Receives the result on the loop.
    /// - Returns: Whether the attempt has begun. If not, the lanes and the follower are asked again at the time of the next one.
    func open(_ completion: @escaping @Sendable (Result<Connection, ServerFailure>) -> Void) -> Bool {
      guard admission.begin(at: .now) else {
        wakeLater()
        return false
      }
      Connector.open(server) { [self] result in
        loop.async { [self] in
          switch result {
          case .success(let opened):
            admission.open(at: .now)
            completion(.success(Connection(opened, loop: loop)))
          case .failure(let failure):
            admission.refuse(at: .now, share: .random(in: 0.5...1))
            completion(.failure(failure))
            let moment = ContinuousClock.now - Self.patience
            for lane in lanes { lane.refuse(failure, starvingSince: admission.isCutOff ? nil : moment) }
            isWatchingIdleness = false
          }
          watchIdleness()
          dispatch()
        }
      }
      return true
    }

    /// Records that a connection was closed.
    func closed() { admission.close() }

    private func wakeLater() {
      guard !isWaking, !admission.isTrying else { return }
      isWaking = true
      loop.async(after: admission.nextAttempt - .now) { [self] in
        isWaking = false
        dispatch()
      }
    }

    private func dispatch() {
      for lane in lanes { lane.dispatch() }
      follower?.connect()
    }

    /// Closes idle connections that the process gives back, and moves others to lanes that have none.
    func share() {
      guard isScarce else { return }
      while admission.owed > 0, let connection = lanes.lazy.filter({ $0.count > 1 }).compactMap(\.idle).first { connection.close() }
      for lane in lanes where lane.isStarving {
        guard let connection = lanes.first(where: { $0.idle != nil })?.giveIdle() ?? lonely() else { return }
        lanes.append(lanes.remove(at: lanes.firstIndex { $0 === lane } ?? 0))
        lane.take(connection)
      }
    }

    /// An idle connection for the follower while the server refuses others; nil if there is none.
    func spare() -> Connection? { isScarce ? lanes.first { $0.idle != nil }?.giveIdle() : nil }

    /// The follower's connection, if the lanes have none, or only lent ones.
    private func lonely() -> Connection? { lanes.allSatisfy(\.hasNoneToShare) ? follower?.give() : nil }

    /// Closes idle connections at intervals, until there are none left to close. The connection that follows journals stays.
    func watchIdleness() {
      guard !isWatchingIdleness else { return }
      isWatchingIdleness = true
      watch += 1
      let patience = admission.patience(idle, at: .now)
      loop.async(after: patience) { [self, watch] in
        guard watch == self.watch else { return }
        isWatchingIdleness = false
        let now = ContinuousClock.now
        for lane in lanes { lane.closeIdle(since: now - idle, unusedSince: now - patience) }
        follower?.closeIfIdle()
        if lanes.contains(where: { $0.count > 0 }) || follower?.isUnused ?? false { watchIdleness() }
      }
    }
  }
#endif
