#if SQLite
  import AlterCore
  import AlterSyncCore
  import Foundation

  /// The connection of one journal to its server, over HTTP. `docs/sync.md` specifies the protocol.
  final class HTTPTransport: SyncTransport {
    let server: SyncServer
    let key: String
    /// The token of the last request.
    let used = Lock<String?>(nil)

    /// The reason that the last answer gives for what it denies.
    private let denial = Lock<String?>(nil)

    var fault: String? { denial.withLock { $0 } }

    /// The bytes of an answer beyond which it is not read: a program must not be filled by a server.
    private static let longestAnswer = 256 << 20

    init(_ server: SyncServer, key: String) {
      self.server = server
      self.key = key
    }

    var limits: SyncLimits { server.limits }

    // MARK: - Exchanges

    func exchange(
      _ request: AlterSyncCore.Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws -> Answer {
      var call = SyncHTTP.call(SyncMessage.Addressed(request, to: key), limit: limits.bytesPerPush)
      if let report { call.headers[SyncHTTP.outbox] = report.field }
      denial.withLock { $0 = nil }
      let sent = Lock(0)
      let response: SyncHTTPResponse?
      do {
        response = try await send(call) { bytes in
          sent.withLock { $0 += bytes }
          progress(bytes)
        }
      } catch {
        // A part of the push was sent, and no answer came. The line may break long requests.
        if let size = call.body?.count, sent.withLock({ $0 }) > 0 { server.broke(size) }
        throw error
      }
      guard let response else {
        denial.withLock { $0 = "\(SyncConnectionError.noToken)" }
        return .unauthorised
      }
      progress(Self.headBytes)
      let (body, isWhole) = try await Self.collect(response.body, progress)
      let answer = try answer(response, body, isWhole: isWhole, to: call)
      switch answer {
      case .page, .snapshot, .absent, .gone, .diverged: break
      case .unauthorised, .forbidden, .badEnvelope, .busy, .notUnderstood:
        denial.withLock { $0 = Self.denial(response, body, call) }
      }
      return answer
    }

    /// The progress that the head of an answer counts as: a server may take a while to begin, and then the body follows.
    private static let headBytes = 64 << 10

    /// The words for an answer that denies what was asked.
    private static func denial(_ response: SyncHTTPResponse, _ body: Data, _ call: SyncHTTP.Call) -> String {
      let words = SyncMessage.explanation(body)
      switch response.status {
      case 413: return "It takes no request of \(call.body?.count ?? 0) bytes (413). \(words ?? "A proxy may have a limit of its own.")"
      default: return "\(SyncConnectionError.answer(status: response.status, words: words))"
      }
    }

    /// Sends a request with the token.
    ///
    /// - Returns: nil if there is no token.
    func send(_ call: SyncHTTP.Call, progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }) async throws -> SyncHTTPResponse? {
      guard let token = try await server.tokens.present() else { return nil }
      used.withLock { $0 = token }
      return try await server.send(call, token, progress: progress)
    }

    /// Reads a body. If the connection breaks, the part that has arrived counts.
    static func collect(
      _ parts: AsyncThrowingStream<Data, any Error>, _ progress: @Sendable (_ bytes: Int) -> Void
    ) async throws -> (Data, isWhole: Bool) {
      var body = Data()
      do {
        for try await part in parts {
          body += part
          progress(part.count)
          guard body.count <= longestAnswer else { throw SyncConnectionError.tooLong(bytes: longestAnswer) }
        }
      } catch {
        if Task.isCancelled || body.isEmpty || body.count > longestAnswer { throw error }
        return (body, false)
      }
      return (body, true)
    }

    private func answer(
      _ response: SyncHTTPResponse, _ body: Data, isWhole: Bool, to call: SyncHTTP.Call
    ) throws -> Answer {
      // A proxy may have a limit of its own, and end the connection behind its answer. A slow line needs shorter requests.
      if response.status == 413 || response.status == 408 {
        if let sent = call.body?.count { server.rejected(sent) }
        return .badEnvelope
      }
      let message: Answer?
      do throws(SyncMessage.Failure) {
        message = try SyncMessage.decodeAnswer(body)
      } catch {
        // A cut body that is of no use is a broken connection.
        if !isWhole { throw error }
        message = nil
      }
      switch (response.status, message) {
      case (200, .page?), (200, .snapshot?), (404, .absent?), (409, .diverged?), (410, .gone?), (403, .forbidden?), (422, .badEnvelope?):
        if response.status == 200, call.body != nil { server.passed() }
        return message!
      case (401, _): return .unauthorised
      case (429, _), (500...599, _):
        // Without a time, the device's own pauses hold.
        return .busy(max(response.headers["retry-after"].flatMap { Int($0) } ?? 0, 0))
      // Also the answers of proxies and captive portals, which say nothing about the journal.
      default: return .notUnderstood
      }
    }

    func refreshToken() async throws {
      let rejected = used.withLock { $0 }
      let new: String?
      // Without a connection there is no token now. The next request finds that out, and is repeated after a pause.
      do { new = try await server.tokens.after(rejected) } catch { return }
      guard new != nil else { throw SyncConnectionError.noToken }
    }

    // MARK: - The stream

    func announcements() async throws -> AsyncThrowingStream<Announcement, any Error> {
      try await server.streams.listen(to: key, of: server)
    }
  }

  /// Server-sent events, from parts of any length.
  struct EventLines {
    private var rest = Data()
    /// The data lines of the event whose end has not arrived.
    private var lines: [Data] = []
    private var bytes = 0

    /// The bytes of an event beyond which it is dropped. A hint has less than 1 KiB and the key.
    private static let longest = 1 << 20

    /// Returns the data lines of each event that a part completes. Events without data are left out.
    mutating func take(_ part: Data) -> [[Data]] {
      rest += part
      var events: [[Data]] = []
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[start..<end]
        start = rest.index(after: end)
        if line.isEmpty {
          if !lines.isEmpty { events.append(lines) }
          (lines, bytes) = ([], 0)
        } else if line.starts(with: Array("data: ".utf8)) {
          bytes += line.count
          if bytes <= Self.longest { lines.append(Data(line.dropFirst(6))) } else { lines = [] }
        }
      }
      rest = Data(rest[start...])
      if rest.count > Self.longest { rest = Data() }
      return events
    }
  }
#endif
