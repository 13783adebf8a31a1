#if SyncServer
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterSyncCore
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  typealias HTTPRequest = HummingbirdCore.Request

  // Requests about one journal.
  extension SyncService {
    /// Answers a request about a journal.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - count: The number of components of the path behind `journals`.
    func answerJournal(_ request: HTTPRequest, _ count: Int) async -> Response {
      let start = ContinuousClock.now
      var kind = "unknown"
      let response: Response
      do {
        let call = try JournalCall(request, count)
        kind = call.kind.rawValue
        response = try await answer(call, request)
      } catch {
        response = self.response(to: error, kind)
      }
      telemetry.answered(kind, response.status.code, in: ContinuousClock.now - start)
      return response
    }

    private func answer(_ call: JournalCall, _ request: HTTPRequest) async throws -> Response {
      let limits = options.limits
      let identity = try await identity(of: request)
      let principal = Principal(identity.principal)
      guard request.headers[.contentEncoding] == nil else {
        throw SyncRefusal(.unsupportedMediaType, .badEnvelope, "Bodies may not have a Content-Encoding. Send the body as it is.")
      }
      if call.kind == .push, let seconds = pushes.withLock({ $0.take(principal.name, at: options.now()) }) {
        throw SyncRefusal(.tooManyRequests, .busy(seconds), "The principal has made too many pushes in the last minute.", after: seconds)
      }
      // Before the body is read, and before the journal is opened or made.
      let exists = try await checkAccess(to: call.key, principal)
      let share = BodyBytes.Share(of: bodies, for: principal.name)
      defer { withExtendedLifetime(share) {} }
      let message: AlterSyncCore.Request
      switch call.kind {
      case .pull:
        guard let pull = SyncHTTP.pull(query: call.query, principal: try claimedPrincipal(request)) else {
          throw SyncRefusal(
            .unprocessableContent, .badEnvelope,
            "The query is not that of a pull: 'after', 'checksum' and 'journal' belong together, 'floor' is a number, 'generation' has 16 digits."
          )
        }
        message = pull
      case .adopt:
        return try await adopt(call, try await RequestBytes.read(request, limit: limits.bytesPerFetch, share: share, options))
      case .push, .fetch:
        let body = try await RequestBytes.read(
          request, limit: call.kind == .push ? limits.pushBytes : limits.bytesPerFetch, share: share, options)
        message = try decode(body, call)
      }
      if let report = request.headers[.outbox].flatMap(SyncHTTP.OutboxReport.init(field:)) {
        telemetry.outbox(report, at: options.now())
      }
      // Another principal's file: the answer says so, and not that the journal is missing.
      guard message.principal == principal else {
        throw SyncRefusal(.forbidden, .forbidden, "The device's file belongs to another principal than the token.")
      }
      if !exists {
        // Nothing is created by reading, nor by a principal that may only read.
        guard call.kind == .push else { return response(.absent) }
        guard try await ask({ [policy] in try await policy.mayWrite(call.key, principal.name) }) else { return response(.forbidden) }
      }
      let answer = try await journals.with(call.key) { server in
        try await server.answer(message, from: principal, arrival: self.options.now())
      }
      if case .page(let page) = answer, let head = page.head { telemetry.lag(Int64(head.revision - (message.position?.revision ?? .zero))) }
      return response(answer)
    }

    private func decode(_ body: Data, _ call: JournalCall) throws -> AlterSyncCore.Request {
      let addressed: SyncMessage.Addressed
      do throws(SyncMessage.Failure) { addressed = try SyncMessage.decodeRequest(body) } catch {
        let status: HTTPResponse.Status = if case .version = error { .badRequest } else { .unprocessableContent }
        throw SyncRefusal(status, .badEnvelope, "\(error)")
      }
      let isRight =
        switch addressed.request.body {
        case .push: call.kind == .push
        case .fetch: call.kind == .fetch
        case .pull: false
        }
      guard isRight, StoreKey(addressed.key) == StoreKey(call.key) else {
        throw SyncRefusal(
          .unprocessableContent, .badEnvelope, "The first line of the body names another key or another kind of request than the URL.")
      }
      return addressed.request
    }

    private func claimedPrincipal(_ request: HTTPRequest) throws -> Principal {
      guard let name = request.headers[.principal].flatMap({ PercentText.decode($0) }) else {
        throw SyncRefusal(
          .unprocessableContent, .badEnvelope, "The header field '\(SyncHTTP.principal)' is missing: the principal of the device's file.")
      }
      return Principal(name)
    }

    // MARK: - Access

    /// Returns the identity of a request's token.
    func identity(of request: HTTPRequest) async throws -> SyncIdentity {
      let (identity, _) = try await identityAndToken(of: request)
      return identity
    }

    func identityAndToken(of request: HTTPRequest) async throws -> (SyncIdentity, token: String) {
      guard !isEnding else { throw SyncRefusal(.serviceUnavailable, .busy(1), "The server is stopping.", after: 1) }
      let version = request.headers[.version]
      guard version == "\(SyncMessage.version)" else {
        throw SyncRefusal(
          .badRequest, .notUnderstood,
          "The header field '\(SyncHTTP.version)' \(version == nil ? "is missing" : "names a version that this server does not speak"). This server speaks version \(SyncMessage.version). Update the older program of the two."
        )
      }
      guard let token = request.headers[.authorization].flatMap(Self.bearer) else {
        throw SyncRefusal(.unauthorized, .unauthorised, "The request has no bearer token.")
      }
      let identity: SyncIdentity?
      do { identity = try await ask { [authenticator] in try await authenticator.authenticate(token) } } catch {
        telemetry.failed("The authenticator could not judge a token.", error)
        throw SyncRefusal(.serviceUnavailable, .busy(5), "The token can't be judged now.", after: 5)
      }
      guard let identity, identity.expires.map({ $0 > options.now() }) ?? true else {
        throw SyncRefusal(.unauthorized, .unauthorised, "The token is not valid, or no longer.")
      }
      guard identity.principal != Principal.server.name else {
        throw SyncRefusal(.forbidden, .forbidden, "The name of the principal is reserved for the server itself.")
      }
      return (identity, token)
    }

    private static func bearer(_ field: String) -> String? {
      let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      let token = parts[1].drop { $0 == " " }
      return token.isEmpty ? nil : String(token)
    }

    /// Checks that a principal may read a journal, and may create it if there is none, and that the journals' place can have it.
    ///
    /// - Returns: Whether the journal exists.
    @discardableResult func checkAccess(to key: String, _ principal: Principal) async throws -> Bool {
      do {
        guard try await ask({ [policy] in try await policy.mayRead(key, principal.name) }) else { throw SyncRefusal.access }
        if let objection = journals.stores.places.objection(to: key) {
          throw SyncRefusal(.unprocessableContent, .badEnvelope, "The server can't have a journal of this key: \(objection).")
        }
        guard try await journals.exists(key) else {
          guard try await ask({ [policy] in try await policy.mayCreate(key, principal.name) }) else { throw SyncRefusal.access }
          return false
        }
        return true
      } catch let error as SyncRefusal {
        throw error
      } catch let error as JournalError {
        throw error
      } catch {
        telemetry.failed("The policy has failed.", error)
        throw SyncRefusal(
          .serviceUnavailable, .busy(options.limits.holdSeconds), "The permission can't be checked now.", after: options.limits.holdSeconds)
      }
    }

    /// Asks the app, which has the time of ``policyTime``.
    func ask<Value: Sendable>(_ question: @escaping @Sendable () async throws -> Value) async throws -> Value {
      try await TimedAnswer.to(question, within: policyTime, sleep: options.sleep)
    }

    // MARK: - Answers

    /// Makes the response to an error.
    func response(to error: any Error, _ kind: String) -> Response {
      switch error {
      case let refusal as SyncRefusal: return response(refusal)
      case let error as JournalError:
        telemetry.failed(error, during: kind)
        let seconds = error.isTransient || error.code == .closed ? 1 : 30
        return response(SyncRefusal(.serviceUnavailable, .busy(seconds), "The journal can't be used now.", after: seconds))
      // The client has hung up, and reads no answer.
      case is RequestBytes.Cut: return response(SyncRefusal(.badRequest, .badEnvelope, "The request is cut off.", isLast: true))
      case is CancellationError: return response(SyncRefusal(.serviceUnavailable, .busy(1), "The request was cancelled.", after: 1))
      default:
        telemetry.failed("A request could not be answered.", error)
        return response(SyncRefusal(.serviceUnavailable, .busy(5), "The request can't be answered now.", after: 5))
      }
    }

    private func response(_ refusal: SyncRefusal) -> Response {
      var headers = headers
      if let seconds = refusal.seconds { headers[.retryAfter] = "\(seconds)" }
      if refusal.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
      let data = SyncMessage.encode(refusal.answer, message: refusal.message)
      guard refusal.isLast else { return Response(status: refusal.status, headers: headers, body: body(data)) }
      headers[.connection] = "close"
      return Response(
        status: refusal.status, headers: headers,
        body: ResponseBody(contentLength: data.count) { writer in
          try await writer.write(ByteBuffer(bytes: data))
          try await writer.finish(nil)
          // The rest of the request is not read: the server closes the connection.
          throw ConnectionEnd()
        })
    }

    private struct ConnectionEnd: Error {}

    func response(_ answer: Answer, status other: HTTPResponse.Status? = nil) -> Response {
      let (status, seconds): (HTTPResponse.Status, Int?) =
        switch answer {
        case .page, .snapshot: (.ok, nil)
        case .absent: (.notFound, nil)
        case .gone: (.gone, nil)
        case .diverged: (.conflict, nil)
        case .unauthorised: (.unauthorized, nil)
        case .forbidden: (.forbidden, nil)
        case .badEnvelope: (.unprocessableContent, nil)
        case .busy(let seconds): (.serviceUnavailable, seconds)
        case .notUnderstood: (.badRequest, nil)
        }
      var headers = headers
      headers[.retryAfter] = seconds.map { "\($0)" }
      return Response(status: other ?? status, headers: headers, body: body(SyncMessage.encode(answer)))
    }

    private var headers: HTTPFields {
      [
        .contentType: SyncHTTP.mediaType, .version: "\(SyncMessage.version)", .limits: options.limits.field, .cacheControl: "no-store",
      ]
    }

    /// A body that is written in parts, so that the connection can measure how fast the client takes them.
    private func body(_ data: Data) -> ResponseBody {
      ResponseBody(contentLength: data.count) { writer in
        var rest = data[...]
        while !rest.isEmpty {
          try await writer.write(ByteBuffer(bytes: rest.prefix(65_536)))
          rest = rest.dropFirst(65_536)
        }
        try await writer.finish(nil)
      }
    }

    /// Answers whether this process can serve.
    func answerReady() async -> Response {
      let text: String
      if isEnding {
        text = "stopping"
      } else {
        do {
          try await options.readiness()
          return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ready\n")))
        } catch {
          telemetry.failed("The process is not ready.", error)
          text = "not ready"
        }
      }
      return Response(
        status: .serviceUnavailable, headers: [.retryAfter: "1"], body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
  }

  /// The parts of a request's URL.
  struct JournalCall {
    enum Kind: String { case pull, push, fetch, adopt }

    let kind: Kind
    let key: String
    let query: [String: String]

    init(_ request: HTTPRequest, _ count: Int) throws {
      let components = request.uri.path.split(separator: "/").suffix(count)
      guard let last = components.last, components.count > 1 else { throw Self.unknown }
      switch (request.method, last) {
      case (.get, "entries"): kind = .pull
      case (.post, "entries"): kind = .push
      case (.post, "snapshot"): kind = .fetch
      case (.put, "entries"): kind = .adopt
      default: throw Self.unknown
      }
      // A proxy may have turned %2F into a slash.
      let parts = components.dropLast().map { PercentText.decode($0) }
      let items = SyncHTTP.query(request.uri.query ?? "")
      guard !parts.contains(nil), let items else {
        throw SyncRefusal(.unprocessableContent, .badEnvelope, "The URL is not valid: its percent-encoding is not UTF-8.")
      }
      key = parts.compactMap { $0 }.joined(separator: "/")
      query = Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static var unknown: SyncRefusal {
      SyncRefusal(
        .notFound, .notUnderstood, "There is nothing here. The paths are journals/KEY/entries, journals/KEY/snapshot and live.")
    }
  }

  extension HTTPField.Name {
    static let version = Self(SyncHTTP.version)!
    static let principal = Self(SyncHTTP.principal)!
    static let limits = Self(SyncHTTP.limits)!
    static let outbox = Self(SyncHTTP.outbox)!
  }
#endif
