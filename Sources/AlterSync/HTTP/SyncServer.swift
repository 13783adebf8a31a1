#if SQLite
  import AlterCore
  import AlterSyncCore
  public import Foundation

  /// A server of synced journals, as one user reaches it.
  ///
  /// ```swift
  /// let server = SyncServer(URL(string: "https://lists.example/sync")!, principal: "ann") { try await session.token() }
  /// let journal = try await SyncedJournal(at: file, key: "lists/42", on: server)
  /// ```
  ///
  /// Use one value for all journals of a user: they share the token and the connections.
  public final class SyncServer: Sendable {
    /// The address: that of the group of routes on the server.
    package let url: URL
    /// The name of the signed-in user on the server.
    package let principal: String
    let client: any SyncHTTPClient
    let tokens: TokenKeeper
    /// The limits of the server, as its answers tell them. Until the first answer no draft counts as too large.
    private let told: Lock<SyncLimits>
    /// The bytes of a push that a proxy or a bad line has let through, or that come next after a push was rejected or broken off; and the pushes
    /// that were broken off in a row.
    private let passing = Lock((bytes: Int.max, breaks: 0))
    /// The streams of all journals.
    let streams = SharedStreams()

    /// Creates the connection to a server. Nothing is sent.
    ///
    /// - Parameters:
    ///   - url: The address, with `https` outside of a test.
    ///   - principal: The name of the signed-in user on the server. New files belong to it.
    ///   - client: Sends the requests.
    ///   - token: Returns a token for the user, for the header `Authorization: Bearer`; nil if the user must sign in again. It is called
    ///     before the first request, and when the server has rejected the last token: then it must return another one. One call at a time
    ///     is made for all journals. An error means that no token can be had now, like a missing connection. A token
    ///     with other characters than printable ASCII counts as none.
    public init(
      _ url: URL, principal: String, client: any SyncHTTPClient = SyncServer.defaultClient(),
      token: @escaping @Sendable () async throws -> String?
    ) {
      self.url = url
      self.principal = principal
      self.client = client
      tokens = TokenKeeper(token)
      var limits = SyncLimits()
      limits.bytesPerDraft = .max
      told = Lock(limits)
    }

    /// Creates the HTTP client that is used if an app has none of its own.
    ///
    /// - Returns: `AsyncHTTPSyncClient` on Linux with the package trait `AsyncHTTPClient`, otherwise ``URLSessionClient``.
    public static func defaultClient() -> any SyncHTTPClient {
      #if AsyncHTTPClient && os(Linux)
        AsyncHTTPSyncClient()
      #else
        URLSessionClient()
      #endif
    }

    /// The limits of the next request.
    var limits: SyncLimits {
      var limits = told.withLock { $0 }
      limits.bytesPerPush = min(limits.bytesPerPush, passing.withLock { $0.bytes })
      return limits
    }

    /// Notes that a push of a number of bytes was too large or too slow. The next one is half as long.
    func rejected(_ bytes: Int) { passing.withLock { $0.bytes = min($0.bytes, max(1, bytes / 2)) } }

    /// Notes that a push of a number of bytes was broken off. After the second one in a row, the next one is half as long.
    func broke(_ bytes: Int) {
      passing.withLock { passing in
        passing.breaks += 1
        if passing.breaks > 1 { passing.bytes = min(passing.bytes, max(Self.shortestPush, bytes / 2)) }
      }
    }

    /// The bytes to which broken connections shorten a push: they may have other reasons than its length.
    private static let shortestPush = 1_024

    /// Notes that a push has arrived. After a rejection, the next ones become longer again, slowly.
    func passed() { passing.withLock { $0 = ($0.bytes.saturatingAdding(max(1, $0.bytes / 8)), 0) } }

    /// Sends a request.
    func send(
      _ call: SyncHTTP.Call, _ token: String, isStream: Bool = false, progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }
    ) async throws -> SyncHTTPResponse {
      var headers = call.headers
      headers["Authorization"] = "Bearer \(token)"
      let base = url.absoluteString
      let address = (base.hasSuffix("/") ? String(base.dropLast()) : base) + call.target
      guard let url = URL(string: address) else { throw SyncConnectionError.address(address) }
      let response = try await client.send(
        SyncHTTPRequest(method: call.method, url: url, headers: headers, body: call.body, isStream: isStream), progress: progress)
      if let field = response.headers[SyncHTTP.limits.lowercased()] { told.withLock { $0.take(field: field) } }
      return response
    }
  }

  /// The present token, and its refresh for all requests together.
  actor TokenKeeper {
    private let get: @Sendable () async throws -> String?
    private var token: String?
    private var refreshing: Task<String?, any Error>?

    /// A token that no header field can hold, such as one with the end of a line, counts as none: an HTTP client would name it in its error.
    init(_ get: @escaping @Sendable () async throws -> String?) {
      self.get = { try await get().flatMap { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? $0 : nil } }
    }

    /// Returns the present token, or the first one; nil if the user must sign in.
    func present() async throws -> String? {
      if let token { return token }
      return try await renewed()
    }

    /// Returns another token than one that the server has rejected; nil if there is none.
    func after(_ rejected: String?) async throws -> String? {
      if let token, token != rejected { return token }
      token = nil
      let new = try await renewed()
      return new == rejected ? nil : new
    }

    private func renewed() async throws -> String? {
      let task: Task<String?, any Error>
      if let refreshing {
        task = refreshing
      } else {
        // The task is not that of a caller, which may be cancelled.
        task = Task { [get] in try await TimedAnswer.to(get, within: Self.longest) { try await Task.sleep(for: $0) } }
        refreshing = task
      }
      defer { if refreshing == task { refreshing = nil } }
      let new = try await task.value
      if refreshing == task { token = new }
      return new
    }

    /// The longest time that the app may take for a token.
    private static let longest = Duration.seconds(30)
  }
#endif
