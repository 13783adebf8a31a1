import AlterJournal
import AlterSyncCore
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport of a device: requests to a server as a principal, whose name is the token.
struct SliceClient: Sendable {
  let server: URL
  let token: String?

  /// The result of an exchange.
  enum Result {
    /// A transaction of the file.
    case transaction(Transaction)
    /// Any other answer, which changes nothing in the file.
    case answer(Answer<SyncedList>)
  }

  private func data(_ path: String, query: String? = nil, body: Data? = nil) async throws -> (data: Data, status: Int) {
    var components = URLComponents(url: server.appendingPathComponent(path), resolvingAgainstBaseURL: false)
    components?.query = query
    guard let url = components?.url else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpBody = body
    if body != nil { request.httpMethod = "POST" }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
  }

  /// Sends a request.
  ///
  /// - Throws: `URLError` without an answer.
  func exchange(_ request: Request) async throws -> Result {
    let (data, status) = try await data("exchange", body: JSONEncoder().encode(WireRequest(request)))
    guard let answer = try? JSONDecoder().decode(WireAnswer.self, from: data) else {
      switch status {
      case 401: return .answer(.unauthorised)
      case 403: return .answer(.forbidden)
      case 413, 422: return .answer(.badEnvelope)
      case 429, 503: return .answer(.busy(1))
      default: return .answer(.notUnderstood)
      }
    }
    switch (status, answer.generations) {
    case (409, let generations?): return .answer(.diverged(generations.lineage))
    case (410, _): return .answer(.gone)
    case (200, _):
      if let page = answer.page { return .transaction(.page(page)) }
      if let snapshot = answer.snapshot { return .transaction(.snapshot(snapshot)) }
      return .answer(.notUnderstood)
    default: return .answer(.notUnderstood)
    }
  }

  /// Waits for a head that differs from the one that was seen last.
  ///
  /// - Returns: The head, or the same one after some seconds.
  func live(seen: String) async throws -> String {
    let (data, status) = try await data("live", query: "seen=\(seen)")
    guard status == 200 else { throw URLError(.badServerResponse) }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Creates the journal with a state.
  ///
  /// - Returns: Whether the server has done so. It has not if the journal exists.
  func adopt(_ state: SyncedList) async throws -> Bool { try await data("adopt", body: state.data).status == 201 }

  /// A head as the stream names it.
  static func name(_ generation: Generation?, _ head: Head?) -> String {
    "\(generation?.description ?? "none")-\(head?.revision.number ?? 0)-\(head?.checksum.description ?? "none")"
  }
}
