#if Postgres
  /// Some connections for one kind of work, and the queue of requests for them.
  ///
  /// A request goes to an idle connection. If there is none, another connection is opened, up to the maximum. After that requests are sent
  /// behind others, up to the depth. Reading and writing have separate lanes, so that a request that never waits for a lock is never behind
  /// one that may: a process that holds a journal's turn can always read. If the server refuses connections, a lane without one gets that
  /// of another lane (``Connections``).
  ///
  /// `@unchecked Sendable`: used on the connections' loop only.
  final class Lane: @unchecked Sendable {
    private let connections: Connections
    private let maximum: Int
    private let depth: Int
    private var shared: [Connection] = []
    /// The connections that are lent for exclusive use and not lost.
    private var lent: Set<ObjectIdentifier> = []
    private var openingCount = 0
    /// The purpose of the lane, as monitors see it.
    private let name: PoolEvent.Lane
    private var monitors: [@Sendable (PoolEvent) -> Void] = []
    /// The time since which requests wait without a connection, and none may be opened for them; nil if they don't.
    private var starvingSince: ContinuousClock.Instant?
    private var waiting = Queue<Waiting>()
    private var isDispatching = false

    private struct Waiting {
      let work: Work
      /// The beginning of the wait; nil without a monitor.
      let since: ContinuousClock.Instant?
    }

    private enum Work {
      case request(Request)
      case loan(Loan)
    }

    /// A request for the exclusive use of a connection.
    final class Loan: Sendable {
      let isWanted: @Sendable () -> Bool
      let completion: @Sendable (Result<Connection, ServerFailure>) -> Void

      /// - Parameters:
      ///   - isWanted: Whether the connection is still wanted once one is idle. If not, another request gets it.
      ///   - completion: Receives the connection on the loop. Return it by ``Lane/putBack(_:)``.
      init(
        isWanted: @escaping @Sendable () -> Bool, completion: @escaping @Sendable (Result<Connection, ServerFailure>) -> Void
      ) {
        self.isWanted = isWanted
        self.completion = completion
      }
    }

    /// Creates a lane without connections.
    ///
    /// - Parameters:
    ///   - name: The name of the lane for monitors.
    ///   - connections: All connections of the process to the server.
    ///   - maximum: The largest number of connections.
    ///   - depth: The largest number of unanswered requests per connection, once the maximum of connections is open.
    init(_ name: PoolEvent.Lane, _ connections: Connections, maximum: Int, depth: Int) {
      self.name = name
      self.connections = connections
      self.maximum = maximum
      self.depth = depth
    }

    /// The number of connections, also of those that are lent.
    var count: Int { shared.count + lent.count }

    /// Whether there is no connection, or each is lent.
    var hasNoneToShare: Bool { shared.isEmpty }

    /// Whether requests wait without a connection, and none may be opened for them.
    var isStarving: Bool { starvingSince != nil }

    /// A connection that is not in use; nil if there is none.
    var idle: Connection? { shared.last { $0.load == 0 } }

    /// Whether requests wait for a connection.
    var isCrowded: Bool { !waiting.isEmpty }

    // MARK: Monitoring

    /// Calls a closure for each event from now on, first for the connections that are open.
    func monitor(_ monitor: @escaping @Sendable (PoolEvent) -> Void) {
      monitors.append(monitor)
      monitor(.connections(name, by: count))
    }

    private func tell(_ event: @autoclosure () -> PoolEvent) {
      for monitor in monitors { monitor(event()) }
    }

    // MARK: Sending requests

    /// Sends a request as soon as a connection is available for it.
    func submit(_ request: Request) { wait(.request(request)) }

    /// Lends an idle connection for exclusive use.
    func lend(_ loan: Loan) { wait(.loan(loan)) }

    private func wait(_ work: Work) {
      waiting.append(Waiting(work: work, since: monitors.isEmpty ? nil : .now))
      dispatch()
    }

    /// Takes the next request or loan, which has a connection now.
    private func next() -> Work? {
      guard let waiter = waiting.popFirst() else { return nil }
      if let since = waiter.since { tell(.waited(name, .now - since)) }
      return waiter.work
    }

    /// Takes a lent connection back. A connection that was lost meanwhile is dropped.
    func putBack(_ connection: Connection) {
      if lent.remove(ObjectIdentifier(connection)) != nil, !connection.isLost { shared.append(connection) }
      dispatch()
    }

    // MARK: Matching

    /// Sends waiting requests, and asks for the connections that they need.
    func dispatch() {
      // Answers and losses inside this call return here. The loop below handles them.
      guard !isDispatching else { return }
      isDispatching = true
      defer { isDispatching = false }
      connections.share()
      while !waiting.isEmpty {
        retireWorn()
        if let connection = shared.first(where: { $0.load == 0 }) {
          serve(connection)
        } else if count + openingCount < maximum, openingCount < waiting.count, open() {
          continue
        } else if count + openingCount == 0 {
          starvingSince = starvingSince ?? .now
          connections.share()
          guard count > 0 else { return }
        } else if openingCount == 0 || connections.isScarce, !connections.areAwaited(from: self),
          let connection = shared.min(by: { $0.load < $1.load }), connection.load < depth
        {
          guard serveRequest(connection) else { return }
        } else {
          return
        }
      }
    }

    /// Gives an idle connection its next request or loan.
    private func serve(_ connection: Connection) {
      switch next() {
      case .request(let request): connection.send(request)
      case .loan(let loan):
        guard loan.isWanted() else { return }
        shared.removeAll { $0 === connection }
        lent.insert(ObjectIdentifier(connection))
        loan.completion(.success(connection))
      case nil: break
      }
    }

    /// Sends the next request behind others. A loan waits for an idle connection.
    private func serveRequest(_ connection: Connection) -> Bool {
      guard case .request(let request)? = waiting.first?.work else { return false }
      _ = next()
      connection.send(request)
      return true
    }

    private func retireWorn() {
      for connection in shared where connection.load == 0 && connection.isWorn { connection.close() }
    }

    // MARK: Opening and closing

    /// Opens a connection, if one may be opened now.
    private func open() -> Bool {
      let isBegun = connections.open { [self] result in
        openingCount -= 1
        switch result {
        case .success(let connection): take(connection)
        case .failure(let failure): tell(.refused(name, "\(failure)"))
        }
      }
      if isBegun { openingCount += 1 }
      return isBegun
    }

    /// Takes over an open connection.
    func take(_ connection: Connection) {
      connection.onAnswer = { [weak self] _ in self?.dispatch() }
      connection.onLoss = { [weak self] connection in
        self?.remove(connection)
        self?.connections.closed()
        self?.dispatch()
      }
      shared.append(connection)
      starvingSince = nil
      tell(.connections(name, by: 1))
      dispatch()
    }

    /// Gives an idle connection away; nil if there is none.
    func giveIdle() -> Connection? {
      guard let idle else { return nil }
      remove(idle)
      return idle
    }

    /// Removes a connection. If it is lent, another one may be opened in its place, although its borrower has not returned it yet.
    private func remove(_ connection: Connection) {
      tell(.connections(name, by: -1))
      shared.removeAll { $0 === connection }
      lent.remove(ObjectIdentifier(connection))
    }

    /// Fails the waiting requests if there is no connection for them, now or, if a time is given, since then.
    func refuse(_ failure: ServerFailure, starvingSince moment: ContinuousClock.Instant?) {
      guard count == 0, moment == nil || starvingSince.map({ $0 < moment ?? $0 }) ?? false else { return }
      starvingSince = nil
      while let waiter = waiting.popFirst() {
        switch waiter.work {
        case .request(let request): request.complete(.failure(failure))
        case .loan(let loan): loan.completion(.failure(failure))
        }
      }
    }

    /// Closes connections that have appended nothing since a time after they had announced it, or have not been used since a time.
    func closeIdle(since moment: ContinuousClock.Instant, unusedSince other: ContinuousClock.Instant) {
      for connection in shared where connection.isIdle(since: moment, unusedSince: other) { connection.close() }
    }
  }
#endif
