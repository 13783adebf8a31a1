import AlterSync
import Foundation
import NIOConcurrencyHelpers
import ProcessTesting
import Testing

/// The HTTP client of a device against a server that answers with any bytes.
@Suite("HTTP clients of sync", .timeLimit(.minutes(30)))
struct HTTPClientTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nSync-Limits: a=1\r\nContent-Length: 10\r\n\r\n"

  /// Answers each connection's request with bytes, and then breaks the connection.
  private static func answering(_ bytes: [UInt8], _ body: (URL, NIOLockedValueBox<[String]>) async throws -> Void) async throws {
    let (listener, port) = try LocalSocket.listen()
    let requests = NIOLockedValueBox<[String]>([])
    Thread.detachNewThread {
      while let client = listener.accept() {
        Thread.detachNewThread {
          defer { client.hangUp() }
          var text = ""
          // The requests of these tests end with this word.
          while !text.hasSuffix("end"), let part = client.read() { text += String(decoding: part, as: UTF8.self) }
          guard text.hasSuffix("end") else { return }
          requests.withLockedValue { $0.append(text) }
          client.write(bytes)
        }
      }
    }
    defer { listener.hangUp() }
    try await body(URL(string: "http://127.0.0.1:\(port)/sync/push")!, requests)
  }

  private static func send(_ url: URL, with client: any SyncHTTPClient) async throws -> (
    status: Int, headers: [String: String], body: String, isWhole: Bool
  ) {
    let request = SyncHTTPRequest(
      method: "POST", url: url, headers: ["Authorization": "Bearer token"], body: Data("the end".utf8), isStream: false)
    let response = try await client.send(request) { _ in }
    var body = Data()
    do { for try await part in response.body { body += part } } catch {
      return (response.status, response.headers, String(decoding: body, as: UTF8.self), false)
    }
    return (response.status, response.headers, String(decoding: body, as: UTF8.self), true)
  }

  private static let clients: [any SyncHTTPClient] = [SyncServer.defaultClient(), URLSessionClient()]

  @Test("An answer is delivered with its status, its fields and its body; the request has the token and the body", arguments: clients)
  func whole(_ client: any SyncHTTPClient) async throws {
    try await Self.answering(Array((Self.head + "0123456789").utf8)) { url, requests in
      let answer = try await Self.send(url, with: client)
      #expect(answer.status == 200 && answer.body == "0123456789" && answer.isWhole && answer.headers["sync-limits"] == "a=1")
      let request = try #require(requests.withLockedValue { $0 }.first)
      #expect(request.hasPrefix("POST /sync/push HTTP/1.1\r\n") && request.contains("Authorization: Bearer token\r\n"), "\(request)")
      #expect(request.lowercased().contains("content-length: 7\r\n") && request.hasSuffix("\r\n\r\nthe end"), "\(request)")
    }
  }

  @Test("A connection that breaks within the body leaves the part that has arrived, and an error", arguments: clients)
  func cutBody(_ client: any SyncHTTPClient) async throws {
    try await Self.answering(Array((Self.head + "01234").utf8)) { url, _ in
      let answer = try await Self.send(url, with: client)
      #expect(answer.status == 200 && answer.body == "01234" && !answer.isWhole)
    }
  }

  @Test("A redirection is not followed: the token belongs to one server", arguments: clients)
  func redirection(_ client: any SyncHTTPClient) async throws {
    let answer = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"
    try await Self.answering(Array(answer.utf8)) { url, requests in
      let answer = try await Self.send(url, with: client)
      #expect(answer.status == 307)
      #expect(requests.withLockedValue { $0.count } == 1)
    }
  }

  #if AsyncHTTPClient && os(Linux)
    @Test("A connection that breaks anywhere within the head is an error, and the next request succeeds")
    func cutHead() async throws {
      let client = AsyncHTTPSyncClient()
      for length in 0..<Self.head.utf8.count {
        try await Self.answering(Array(Self.head.utf8.prefix(length))) { url, _ in
          await #expect(throws: (any Error).self) { _ = try await Self.send(url, with: client) }
        }
      }
      try await whole(client)
    }

    @Test("A request that is cancelled ends, before and after the head of its answer")
    func cancelled() async throws {
      let client = AsyncHTTPSyncClient()
      for bytes in ["", Self.head + "01"] {
        let (listener, port) = try LocalSocket.listen()
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
          guard let connection = listener.accept() else { return }
          var text = ""
          while !text.hasSuffix("end"), let part = connection.read() { text += String(decoding: part, as: UTF8.self) }
          connection.write(Array(bytes.utf8))
          started.yield()
          // The client closes the connection of a request that has ended early.
          while connection.read() != nil {}
          ended.yield()
        }
        let url = URL(string: "http://127.0.0.1:\(port)/sync/push")!
        let task = Task { try await Self.send(url, with: client) }
        for await _ in starts { break }
        task.cancel()
        for await _ in ends { break }
        _ = await task.result
        listener.hangUp()
      }
    }
  #endif
}
