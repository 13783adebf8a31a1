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

    /// The bytes of an answer beyond which it is not read: a program must not be filled by a server.
    private static let longestAnswer = 256 << 20

    init(_ server: SyncServer, key: String) {
      self.server = server
      self.key = key
    }

    var limits: SyncLimits { server.limits }

    // MARK: - Exchanges

    func exchange(
      _ request: AlterSyncCore.Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable () -> Void
    ) async throws -> Answer {
      var call = SyncHTTP.call(SyncMessage.Addressed(request, to: key), limit: limits.bytesPerPush)
      if let report { call.headers[SyncHTTP.outbox] = report.field }
      guard let response = try await send(call, progress: progress) else { return .unauthorised }
      let (body, isWhole) = try await Self.collect(response.body, progress)
      return try answer(response, body, isWhole: isWhole, to: call)
    }

    /// Sends a request with the token.
    ///
    /// - Returns: nil if there is no token.
    func send(_ call: SyncHTTP.Call, progress: @escaping @Sendable () -> Void = {}) async throws -> SyncHTTPResponse? {
      guard let token = try await server.tokens.present() else { return nil }
      used.withLock { $0 = token }
      return try await server.send(call, token, progress: progress)
    }

    /// Reads a body. If the connection breaks, the part that has arrived counts.
    static func collect(
      _ parts: AsyncThrowingStream<Data, any Error>, _ progress: @Sendable () -> Void
    ) async throws -> (Data, isWhole: Bool) {
      var body = Data()
      do {
        for try await part in parts {
          body += part
          progress()
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
      case (200, .page?), (200, .snapshot?), (409, .diverged?), (410, .gone?), (403, .forbidden?), (422, .badEnvelope?):
        if response.status == 200, call.body != nil { server.passed() }
        return message!
      case (401, _): return .unauthorised
      case (429, _), (500...599, _):
        // Without a time, the pauses grow, as after a broken connection.
        guard let seconds = response.headers["retry-after"].flatMap({ Int($0) }), seconds >= 0 else {
          throw SyncConnectionError.answer(status: response.status)
        }
        return .busy(seconds)
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

  /// The data lines of server-sent events, from parts of any length.
  struct EventLines {
    private var rest = Data()

    /// The bytes of a line beyond which it is dropped. A line with a hint has less than 1 KiB and the key.
    private static let longest = 1 << 20

    /// Returns the data of the lines that a part completes.
    mutating func take(_ part: Data) -> [Data] {
      rest += part
      var lines: [Data] = []
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        if line.starts(with: Array("data: ".utf8)) { lines.append(Data(line.dropFirst(6))) }
        rest = Data(rest[rest.index(after: end)...])
      }
      if rest.count > Self.longest { rest = Data() }
      return lines
    }
  }
#endif
