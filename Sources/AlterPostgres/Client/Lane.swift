#if Postgres
  /// Some connections that are used for the same kind of work, and those who wait for one.
  ///
  /// A request goes to a connection that has nothing to do; if there is none, another is opened, up to the maximum; then requests are sent behind
  /// others, up to the depth. Reading and writing have lanes of their own, so that what never waits for a lock never stands behind
  /// what may: whoever holds a journal's turn can read whatever others wait for.
  ///
  /// `@unchecked Sendable`: everything is used on ``loop`` only.
  final class Lane: @unchecked Sendable {
    private let server: PostgresServer
    private let loop: EventLoop
    private let maximum: Int
    private let depth: Int
    private var shared: [Connection] = []
    /// Those that are given to somebody alone, and not lost.
    private var lent: Set<ObjectIdentifier> = []
    private var openingCount = 0
    /// When to try for more connections, after the server would not give another.
    private var openingAgain = ContinuousClock.now
    private var waiting = Queue<Waiting>()
    private var isDispatching = false

    private enum Waiting {
      case request(Request)
      case loan(Loan)
    }

    /// Somebody who wants a connection alone.
    final class Loan: Sendable {
      let isWanted: @Sendable () -> Bool
      let completion: @Sendable (Result<Connection, ServerFailure>) -> Void

      /// - Parameters:
      ///   - isWanted: Whether the connection is still wanted when there is one; then nobody else gets it.
      ///   - completion: Gets it, on the loop. Give it back by ``Lane/putBack(_:)``.
      init(
        isWanted: @escaping @Sendable () -> Bool, completion: @escaping @Sendable (Result<Connection, ServerFailure>) -> Void
      ) {
        self.isWanted = isWanted
        self.completion = completion
      }
    }

    /// A lane without connections yet.
    ///
    /// - Parameters:
    ///   - server: Where to connect to.
    ///   - loop: Where everything happens.
    ///   - maximum: How many connections at most.
    ///   - depth: How many requests one connection takes before others are answered, once there are as many connections as there may be.
    init(_ server: PostgresServer, loop: EventLoop, maximum: Int, depth: Int) {
      self.server = server
      self.loop = loop
      self.maximum = maximum
      self.depth = depth
    }

    /// Whether there is anything that could be closed when nobody needs it.
    var isEmpty: Bool { shared.isEmpty && openingCount == 0 && lent.isEmpty }

    /// Whether more is asked for than there are connections.
    var isCrowded: Bool { !waiting.isEmpty }

    // MARK: Asking

    /// Sends a request as soon as there is a connection for it.
    func submit(_ request: Request) {
      waiting.append(.request(request))
      dispatch()
    }

    /// Gives a connection to somebody alone.
    func lend(_ loan: Loan) {
      waiting.append(.loan(loan))
      dispatch()
    }

    /// Takes a connection back that was lent. One that was lost meanwhile is done with.
    func putBack(_ connection: Connection) {
      if lent.remove(ObjectIdentifier(connection)) != nil, !connection.isLost { shared.append(connection) }
      dispatch()
    }

    // MARK: Matching

    private func dispatch() {
      // Answers and losses that come up inside come back here: the loop sees them.
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

    /// Gives a connection that has nothing to do its work.
    private func serve(_ connection: Connection) {
      switch waiting.popFirst() {
      case .request(let request): connection.send(request)
      case .loan(let loan):
        guard loan.isWanted() else { return }
        shared.removeAll { $0 === connection }
        lent.insert(ObjectIdentifier(connection))
        loan.completion(.success(connection))
      case nil: break
      }
    }

    /// Sends the next request behind others; who wants a connection alone waits for one that has nothing to do.
    private func serveRequest(_ connection: Connection) -> Bool {
      guard case .request(let request)? = waiting.first else { return false }
      _ = waiting.popFirst()
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
      case .failure(let failure):
        // "Too many connections" is the server's way to set the maximum. With others at hand it is no trouble.
        openingAgain = .now + .seconds(1)
        if shared.isEmpty, lent.isEmpty, openingCount == 0 { refuseAll(failure) }
      }
      dispatch()
    }

    private func refuseAll(_ failure: ServerFailure) {
      while let waiter = waiting.popFirst() {
        switch waiter {
        case .request(let request): request.complete(.failure(failure))
        case .loan(let loan): loan.completion(.failure(failure))
        }
      }
    }

    private func lost(_ connection: Connection) {
      shared.removeAll { $0 === connection }
      // Another may be opened in its place, though its owner doesn't know yet.
      lent.remove(ObjectIdentifier(connection))
      dispatch()
    }

    /// Closes connections that have had nothing to do since a moment.
    func closeIdle(since moment: ContinuousClock.Instant) {
      for connection in shared where connection.load == 0 && connection.idleSince < moment { connection.close() }
    }
  }
#endif
