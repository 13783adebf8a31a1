#if Postgres
  import CLibPQ
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A connection to the server in pipeline mode: requests are sent as they come, and answered in the same order.
  ///
  ///     request   Parse? Bind Execute  Bind Execute …  Sync        one implicit transaction, committed at the Sync
  ///     answers   result               result          sync        the request completes only here
  ///
  /// `@unchecked Sendable`: used on ``loop`` only, which holds the connection until it is closed.
  final class Connection: @unchecked Sendable {
    private let loop: EventLoop
    private let handle: OpaquePointer
    private let socket: Int32
    /// Whether unsent data is left.
    private var isWriting = false
    private var inFlight = Queue<Flight>()
    /// The names of the statements that the server is known to keep for this connection, by their SQL. Until the server has confirmed a
    /// statement, each request that needs it prepares its own, so that no request depends on the success of another.
    private var prepared: [String: String] = [:]
    /// The number of names used so far. No name is used twice.
    private var preparedCount = 0
    /// The size in bytes of the largest statement or result so far.
    private var mostBytes = 0
    /// Whether the connection can no longer be used.
    private(set) var isLost = false
    /// The time at which the last request was answered.
    private var idleSince = ContinuousClock.now
    /// The time of the last request that may have appended entries; nil if no such request was announced.
    private var lastAppend: ContinuousClock.Instant?
    /// Whether the system reports the loss of the connection although nothing is sent.
    let noticesSilence: Bool

    /// Called after each answer.
    var onAnswer: (@Sendable (Connection) -> Void)?
    /// Called once, when the connection is lost.
    var onLoss: (@Sendable (Connection) -> Void)?
    /// Called with the payload of each notification.
    var onNotification: (@Sendable (String) -> Void)?

    /// A request that was sent, and the answers so far.
    private struct Flight {
      let request: Request
      let steps: [Step]
      var answers: [ServerAnswer] = []
      /// The server's warning that it committed the request without its standby.
      var warning: String?
    }

    /// A part of a request that the server answers separately.
    private enum Step {
      case preparation(of: String, String)
      case call
    }

    /// Takes ownership of an open connection. Called on the loop.
    init(_ opened: Connector.Opened, loop: EventLoop) {
      handle = opened.handle
      socket = opened.socket
      noticesSilence = opened.noticesSilence
      self.loop = loop
      loop.watch(socket) { self.read() }
      // Called inside libpq's functions, so on the loop. The loop holds this object until the handle is freed.
      PQsetNoticeReceiver(
        handle, { if let context = $0, let notice = $1 { Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().take(notice) } },
        Unmanaged.passUnretained(self).toOpaque())
    }

    /// The number of requests that wait for their answers.
    var load: Int { inFlight.count }

    /// Whether the connection has prepared so many statements, or carried so much, that a new connection is cheaper.
    var isWorn: Bool { preparedCount > 1_000 || mostBytes > Self.mostKeptBytes }

    /// Whether the connection has had no request since a time. Likewise a connection that has announced appends and made none, because as
    /// long as it is open, no follower becomes idle; but such a connection may be in use since the other, later time.
    func isIdle(since moment: ContinuousClock.Instant, unusedSince other: ContinuousClock.Instant) -> Bool {
      load == 0 && ((lastAppend ?? idleSince) < moment || idleSince < other)
    }

    /// The server's process for the connection, as the server has introduced it. A connection pooler introduces itself with another number.
    var processID: Int64 { Int64(PQbackendPID(handle)) }

    /// 64 MiB. libpq's buffers never shrink.
    private static let mostKeptBytes = 64 << 20

    // MARK: Sending

    /// Announces that this connection appends entries from now on, unless it has done so: it takes the writers' lock, which it holds until it
    /// is closed, and wakes the followers. This is a transaction of its own, which is committed before the next request begins.
    private func announce() {
      defer { lastAppend = .now }
      guard lastAppend == nil else { return }
      send(
        Request([Call(once: Statements.writersLock), Call(once: Statements.announcement)]) { [weak self] result in
          // Without the lock the next append is announced, too.
          if case .success(let answers) = result, answers[0].isTrue(0, 0) { return }
          self?.lastAppend = nil
        })
    }

    /// Sends a request after the earlier ones.
    func send(_ request: Request) {
      if request.calls.contains(where: \.isAnnounced) { announce() }
      guard !isLost else { return request.complete(.failure(.lost(isSent: false, message: "the connection was lost before"))) }
      guard request.calls.allSatisfy({ $0.parameters.bytes.count <= Parameters.mostBytes }) else {
        return request.complete(
          .failure(.refused(state: "54000", message: "a statement has at most \(Parameters.mostBytes) bytes")))
      }
      var steps: [Step] = []
      var fresh: [String: String] = [:]
      for call in request.calls {
        mostBytes = max(mostBytes, call.parameters.bytes.count)
        // Prepared just before its use, and therefore after a BEGIN, which must be the first statement of its transaction.
        if call.isPrepared, prepared[call.sql] == nil, fresh[call.sql] == nil {
          let name = "alter\(preparedCount)"
          preparedCount += 1
          let types = call.parameters.fields.map(\.type)
          guard PQsendPrepare(handle, name, call.sql, Int32(types.count), types) == 1 else { return refuse(request) }
          fresh[call.sql] = name
          steps.append(.preparation(of: call.sql, name))
        }
        guard send(call, name: call.isPrepared ? prepared[call.sql] ?? fresh[call.sql] : nil) else { return refuse(request) }
        steps.append(.call)
      }
      guard PQpipelineSync(handle) == 1 else { return refuse(request) }
      inFlight.append(Flight(request: request, steps: steps))
      flush()
    }

    private func send(_ call: Call, name: String?) -> Bool {
      let fields = call.parameters.fields
      return call.parameters.bytes.withUnsafeBytes { bytes in
        guard let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return false }
        let values = fields.map { $0.length == nil ? nil : base + $0.start }
        let lengths = fields.map { Int32($0.length ?? 0) }
        let formats = [Int32](repeating: 1, count: fields.count)
        if let name {
          return PQsendQueryPrepared(handle, name, Int32(fields.count), values, lengths, formats, 1) == 1
        }
        return PQsendQueryParams(handle, call.sql, Int32(fields.count), fields.map(\.type), values, lengths, formats, 1) == 1
      }
    }

    /// Closes the connection after libpq did not accept a request.
    private func refuse(_ request: Request) {
      let message = lastMessage
      // A part of the request may have been sent. Without the sync it is not committed.
      request.complete(.failure(.lost(isSent: false, message: message)))
      lose(message)
    }

    /// Passes as much data to the system as it accepts now. The rest follows when the socket is writable.
    private func flush() {
      guard !isLost else { return }
      switch PQflush(handle) {
      case 0: if isWriting { watchWriting(false) }
      case 1: if !isWriting { watchWriting(true) }
      default: read()
      }
    }

    private func watchWriting(_ isWanted: Bool) {
      isWriting = isWanted
      loop.watchWriting(socket, isWanted)
    }

    // MARK: Receiving

    /// Detects now whether the server has closed the connection, before something is sent in vain.
    ///
    /// libpq reports the end at the call after the one that reads the server's last message. The server may also let other transactions go on
    /// a moment before it closes the connection: then nothing is detected, and the outcome of what is sent is unknown.
    func detectLoss() {
      read()
      read()
    }

    /// Processes the input that is available now. libpq returns all data that was sent before the end of the connection, and reports the
    /// end at the next call.
    private func read() {
      guard !isLost else { return }
      let isAlive = PQconsumeInput(handle) == 1
      takeNotifications()
      // Data before the end is still processed. Each result is followed by a nil, a sync by none: two in a row mean that nothing is left.
      var blanks = 0
      while !isLost, !inFlight.isEmpty, blanks < 2, PQisBusy(handle) == 0 {
        if let result = PQgetResult(handle) {
          blanks = 0
          take(ServerAnswer(result))
        } else {
          blanks += 1
        }
      }
      takeNotifications()
      if !isAlive || PQstatus(handle) == CONNECTION_BAD { return lose(lastMessage) }
      if isWriting { flush() }
    }

    private func take(_ answer: ServerAnswer) {
      guard answer.status == PGRES_PIPELINE_SYNC else {
        mostBytes = max(mostBytes, answer.size)
        inFlight.modifyFirst { $0.answers.append(answer) }
        return
      }
      guard let flight = inFlight.popFirst() else { return }
      if inFlight.isEmpty { idleSince = .now }
      flight.request.complete(result(of: flight))
      onAnswer?(self)
    }

    private func result(of flight: Flight) -> Result<[ServerAnswer], ServerFailure> {
      var answers: [ServerAnswer] = []
      for (step, answer) in zip(flight.steps, flight.answers) {
        switch step {
        case .preparation(let sql, let name): if !answer.isFailure { prepared[sql] = name }
        case .call: answers.append(answer)
        }
      }
      // The first failure is the cause. The statements after it were skipped.
      if let failure = flight.answers.first(where: \.isFailure) {
        // Statements are prepared again, under new names.
        if Self.isForgotten(failure.state) { prepared = [:] }
        return .failure(.refused(state: failure.state, message: failure.message))
      }
      if let warning = flight.warning { return .failure(.unconfirmed(message: warning)) }
      return .success(answers)
    }

    /// Handles a notice of the server. libpq delivers it in its position among the answers: the warning of a commit comes after the answers
    /// of its statements and before its sync, so it belongs to the first request in flight.
    private func take(_ notice: OpaquePointer) {
      guard Self.isUnconfirmed(notice) else { return }
      let message = ServerAnswer.field("M", of: notice)
      inFlight.modifyFirst { $0.warning = message }
    }

    /// Whether a notice is the warning of `SyncRepWaitForLSN` in PostgreSQL's `syncrep.c`: "The transaction has already committed locally,
    /// but might not have been replicated to the standby." Its text depends on the server's language, and its code is that of any warning,
    /// so it is recognised by its function. A warning without a function may be this one.
    private static func isUnconfirmed(_ notice: OpaquePointer) -> Bool {
      let function = ServerAnswer.field("R", of: notice)
      return ServerAnswer.field("V", of: notice) == "WARNING" && (function.isEmpty || function.hasPrefix("SyncRep"))
    }

    /// Whether an error code means 'prepared statement does not exist' or 'cached plan must not change result type'.
    static func isForgotten(_ state: String) -> Bool { state == "26000" || state == "0A000" }

    private func takeNotifications() {
      while let notification = PQnotifies(handle) {
        let payload = notification.pointee.extra.map { String(cString: $0) } ?? ""
        PQfreemem(notification)
        onNotification?(payload)
      }
    }

    private var lastMessage: String {
      let message = String(cString: PQerrorMessage(handle)).trimmed
      return message.isEmpty ? "the connection was lost" : message
    }

    // MARK: Ending

    private func lose(_ message: String) {
      guard !isLost else { return }
      end()
      while let flight = inFlight.popFirst() { flight.request.complete(.failure(.lost(isSent: true, message: message))) }
      onLoss?(self)
      forgetObservers()
    }

    /// Closes the connection. Requests in flight fail with `lost`.
    func close() { lose("it was closed") }

    /// Closes the connection, and cancels the statement that the server is executing.
    func abandon() {
      guard !isLost else { return }
      // Cancelling opens another connection and blocks, so it does not run on the loop.
      if let cancellation = PQgetCancel(handle) {
        let cancellation = Cancellation(handle: cancellation)
        DispatchQueue.global().async { cancellation.send() }
      }
      close()
    }

    private func end() {
      isLost = true
      loop.unwatch(socket)
      // Freed later, because a caller that has just detected the loss may still use the handle.
      loop.async {
        PQfinish(self.handle)
        Self.close(self.socket)
      }
    }

    private func forgetObservers() { (onAnswer, onLoss, onNotification) = (nil, nil, nil) }
  }

  extension Connection {
    /// Calls the system's `close`, which methods of that name hide.
    static func close(_ descriptor: Int32) {
      #if canImport(Darwin)
        _ = Darwin.close(descriptor)
      #elseif canImport(Glibc)
        _ = Glibc.close(descriptor)
      #elseif canImport(Musl)
        _ = Musl.close(descriptor)
      #endif
    }
  }
#endif
