#if SyncServer
  import AlterCore
  import AlterJournal
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import StockModel

  /// A request as bytes, in which a test may change everything.
  struct RawRequest: Sendable {
    var method: String
    /// The path and the query on the server.
    var target: String
    var headers: [String: String]
    var body: Data

    init(_ call: SyncHTTP.Call, token: String?) {
      (method, target, headers, body) = (call.method, "/sync" + call.target, call.headers, call.body ?? Data())
      headers["Authorization"] = token.map { "Bearer \($0)" }
      headers["Connection"] = "close"
      headers["Host"] = "localhost"
    }

    /// A request of the named principal's device.
    init(
      _ body: Request.Body, key: String = "lists/42", as name: String = "ann", at position: Head? = nil, generation: Generation? = nil,
      schemas: ClosedRange<Int>? = nil
    ) {
      let request = Request(body, position: position, principal: Principal(name), generation: generation, schemas: schemas)
      self.init(SyncHTTP.call(SyncMessage.Addressed(request, to: key), limit: .max), token: "\(name)'s token")
    }

    /// A push of drafts in order.
    static func push(_ drafts: [SyncDraft], key: String = "lists/42", as name: String = "ann") -> RawRequest {
      RawRequest(.push(Submission.all(drafts)), key: key, as: name)
    }

    static func pull(key: String = "lists/42", as name: String = "ann") -> RawRequest { RawRequest(.pull, key: key, as: name) }

    /// The request for a stream.
    static func live(_ keys: [String] = ["lists/42"], as name: String = "ann") -> RawRequest {
      RawRequest(SyncHTTP.live(keys), token: "\(name)'s token")
    }

    /// A request for a path, with the header fields of a pull.
    static func get(_ target: String) -> RawRequest {
      var request = pull()
      request.target = target
      return request
    }

    /// The same request with a header field, or without it.
    func with(_ name: String, _ value: String?) -> RawRequest {
      var request = self
      request.headers[name] = value
      return request
    }

    /// The same request with another body.
    func with(body: some Sequence<UInt8>) -> RawRequest {
      var request = self
      request.body = Data(body)
      return request
    }

    /// The same request with a text in its body instead of another one.
    func replacing(_ text: String, by other: String) -> RawRequest {
      with(body: String(decoding: body, as: UTF8.self).replacingOccurrences(of: text, with: other).utf8)
    }

    /// The head, with its empty line.
    var head: [UInt8] {
      var fields = headers
      if method == "POST", fields["Transfer-Encoding"] == nil, fields["Content-Length"] == nil {
        fields["Content-Length"] = "\(body.count)"
      }
      let lines = ["\(method) \(target) HTTP/1.1"] + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    var bytes: [UInt8] { head + body }
  }

  extension ListServer {
    /// Sends a request, and reads to the end of the connection.
    func ask(_ request: RawRequest) async throws -> HTTPAnswer { try await ask(bytes: request.bytes) }

    /// Sends bytes, and reads to the end of the connection.
    func ask(bytes: [UInt8]) async throws -> HTTPAnswer {
      let socket = try LoopbackSocket(port: port)
      return await onThread {
        socket.send(bytes)
        return HTTPAnswer(socket.read { _ in false }.bytes)
      }
    }

    /// Makes journals, by pushes without drafts.
    func make(_ keys: String..., by name: String = "ann") async throws {
      for key in keys { _ = try await ask(.push([], key: key, as: name)).page() }
    }

    /// The head of a journal.
    func head(of key: String = "lists/42", as name: String = "ann") async throws -> Head? {
      try await ask(.pull(key: key, as: name)).page().head
    }

    /// Waits until a condition is true. The time limit of the suite ends a wait for one that never is.
    func until(_ condition: () async throws -> Bool) async throws {
      while try await !condition() { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  extension HTTPAnswer {
    struct Unexpected: Error, CustomStringConvertible { let description: String }

    /// The message.
    func answer() throws -> Answer { try SyncMessage.decodeAnswer(body) }

    /// The page of a successful answer.
    func page() throws -> Page {
      guard status == 200, case .page(let page) = try answer() else { throw Unexpected(description: description) }
      return page
    }

    /// The verdicts of a successful push.
    func verdicts() throws -> [Verdict] { try page().lines.map(\.verdict) }

    /// The kind of the message: the word behind `answer`.
    var kind: String? {
      guard let line = body.split(separator: UInt8(ascii: "\n")).first, let value = try? JSONValue(parsing: Data(line)) else { return nil }
      return value["answer"]?.text
    }
  }

  // MARK: - Drafts

  extension EntryID {
    init(_ origin: UInt8, _ sequence: Int64) {
      self.init(origin: Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, origin))), sequence: sequence)
    }
  }

  extension SyncDraft {
    init(_ origin: UInt8, _ sequence: Int64, _ changes: Stock.Change..., schema: Int = 1) {
      self.init(id: EntryID(origin, sequence), time: 0, schema: schema, content: .changes(Stock.bytes(changes)))
    }
  }

  extension Submission {
    /// Drafts, each after the one before.
    static func all(_ drafts: [SyncDraft]) -> [Submission] {
      zip(drafts, [nil] + drafts.map { Optional($0.id) }).map { Submission(.draft($0), after: $1) }
    }
  }
#endif
