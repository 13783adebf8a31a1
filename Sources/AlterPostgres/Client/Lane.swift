#if Postgres
  /// Some connections for one kind of work, and the queue of requests for them.
  ///
  /// A request goes to an idle connection. If there is none, another connection is opened, up to the maximum. After that requests are sent
  /// behind others, up to the depth. Reading and writing have separate lanes, so that a request that never waits for a lock is never behind
  /// one that may: a process that holds a journal's turn can always read.
  ///
  /// `@unchecked Sendable`: used on ``loop`` only.
  final class Lane: @unchecked Sendable {
    private let server: PostgresServer
    private let loop: EventLoop
    private let maximum: Int
    private let depth: Int
    private var shared: [Connection] = []
    /// The connections that are lent for exclusive use and not lost.
    private var lent: Set<ObjectIdentifier> = []
    private var openingCount = 0
    /// The purpose of the lane, as monitors see it.
    private let name: PoolEvent.Lane
    private var monitors: [@Sendable (PoolEvent) -> Void] = []
    /// The earliest time for another connection, after the server has refused one.
    private var openingAgain = ContinuousClock.now
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
    ///   - server: The server.
    ///   - loop: The loop on which everything runs.
    ///   - maximum: The largest number of connections.
    ///   - depth: The largest number of unanswered requests per connection, once the maximum of connections is open.
    init(_ name: PoolEvent.Lane, _ server: PostgresServer, loop: EventLoop, maximum: Int, depth: Int) {
      self.name = name
      self.server = server
      self.loop = loop
      self.maximum = maximum
      self.depth = depth
    }

    /// Whether there are no connections, open, opening or lent.
    var isEmpty: Bool { shared.isEmpty && openingCount == 0 && lent.isEmpty }

    /// Whether requests wait for a connection.
    var isCrowded: Bool { !waiting.isEmpty }

    // MARK: Monitoring

    /// Calls a closure for each event from now on, first for the connections that are open.
    func monitor(_ monitor: @escaping @Sendable (PoolEvent) -> Void) {
      monitors.append(monitor)
      monitor(.connections(name, by: shared.count + lent.count))
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

    private func dispatch() {
      // Answers and losses inside this call return here. The loop below handles them.
      guard !isDispatching else { return }
      isDispatching = true
      defer { isDispatching = false }
      while !waiting.isEmpty {
        retireWorn()
        if let connection = shared.first(where: { $0.load == 0 }) {
          serve(connection)
        } else if mayOpen {
          guard openingCount < waiting.count else { return }
          open()
        } else if openingCount == 0, let connection = shared.min(by: { $0.load < $1.load }), connection.load < depth {
          guard serveRequest(connection) else { return }
        } else {
          return
        }
      }
    }

    private var mayOpen: Bool {
      guard shared.count + lent.count + openingCount < maximum else { return false }
      return shared.isEmpty && lent.isEmpty || ContinuousClock.now >= openingAgain
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

    private func open() {
      openingCount += 1
      Connector.open(server) { [self] result in
        loop.async { [self] in opened(result.map { Connection($0, loop: loop) }) }
      }
    }

    private func opened(_ result: Result<Connection, ServerFailure>) {
      openingCount -= 1
      switch result {
      case .success(let connection):
        connection.onAnswer = { [weak self] _ in self?.dispatch() }
        connection.onLoss = { [weak self] connection in self?.lost(connection) }
        shared.append(connection)
        tell(.connections(name, by: 1))
      case .failure(let failure):
        // With 'too many connections' the server limits their number. While others are open, this is not an error.
        openingAgain = .now + .seconds(1)
        tell(.refused(name, "\(failure)"))
        if shared.isEmpty, lent.isEmpty, openingCount == 0 { refuseAll(failure) }
      }
      dispatch()
    }

    private func refuseAll(_ failure: ServerFailure) {
      while let waiter = waiting.popFirst() {
        switch waiter.work {
        case .request(let request): request.complete(.failure(failure))
        case .loan(let loan): loan.completion(.failure(failure))
        }
      }
    }

    private func lost(_ connection: Connection) {
      tell(.connections(name, by: -1))
      shared.removeAll { $0 === connection }
      // Another connection may be opened in its place, although its borrower has not detected the loss yet.
      lent.remove(ObjectIdentifier(connection))
      dispatch()
    }

    /// Closes connections that have been idle since a time, or have appended nothing since then after they had announced it.
    func closeIdle(since moment: ContinuousClock.Instant) {
      for connection in shared where connection.isIdle(since: moment) { connection.close() }
    }
  }
#endif
