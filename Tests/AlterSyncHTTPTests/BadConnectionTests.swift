#if SyncServer
  import Alter
  import AlterCore
  import AlterStore
  import AlterSync
  import Foundation
  import ProcessTesting
  import StockModel
  import Testing

  /// Connections that move next to nothing, break long requests, or lead to something that is no sync server.
  @Suite("Bad connections to a sync server", .timeLimit(.minutes(30)))
  struct BadConnectionTests {
    private struct Broken: Error {}

    /// A client that a test replaces requests of.
    private struct Client: SyncHTTPClient {
      let answer: @Sendable (SyncHTTPRequest, _ progress: @Sendable (Int) -> Void) async throws -> SyncHTTPResponse

      func send(_ request: SyncHTTPRequest, progress: @escaping @Sendable (_ bytes: Int) -> Void) async throws -> SyncHTTPResponse {
        try await answer(request, progress)
      }
    }

    private func response(_ status: Int, _ body: AsyncThrowingStream<Data, any Error>) -> SyncHTTPResponse {
      SyncHTTPResponse(status: status, headers: [:], body: body)
    }

    private func response(_ status: Int, _ text: String) -> SyncHTTPResponse {
      response(
        status,
        AsyncThrowingStream { body in
          body.yield(Data(text.utf8))
          body.finish()
        })
    }

    private let nowhere = URL(string: "http://127.0.0.1:1")!

    /// The reason for which a device is offline.
    private func problem(
      _ url: URL, _ client: any SyncHTTPClient = SyncServer.defaultClient(), _ reason: SyncLink.Reason? = nil
    ) async throws -> String {
      let folder = try Folder()
      let device = try await Device(folder.path("ann.db"), on: url, client: client)
      await device.reaches { if case .offline(let present, _) = $0 { present == reason ?? present } else { false } }
      let problem = try #require(device.journal.problem)
      #expect(problem.journal.contains("ann.db") && problem.description.contains("another attempt follows"))
      await device.close()
      return problem.message
    }

    @Test("an answer that trickles is given up, the status says so, and the next exchange succeeds")
    func trickle() async throws {
      try await ListServer.with { server, folder in
        let isSlow = Lock(true)
        let real = SyncServer.defaultClient()
        let client = Client { request, progress in
          guard isSlow.withLock({ $0 }), !request.isStream else { return try await real.send(request) { _ in } }
          // One byte from time to time: that is the line of the test, not a wait for something.
          return response(
            200,
            AsyncThrowingStream {
              try await Task.sleep(for: .milliseconds(20)); return Data([0x20])
            })
        }
        let address = SyncServer(server.url, principal: "ann", client: client) { "ann's token" }
        var options = SyncDriver.Options()
        (options.times.timeout, options.times.longest) = (0.3, 0.5)
        let journal = try await SyncedJournal(at: folder + "/ann.db", key: "lists/42", on: address, options: options)
        let store = try await Store.open(Stock(), in: journal)
        let commit = try store.change(.claim(1))
        for await link in journal.links { if case .offline(.network, _) = link { break } }
        #expect(journal.problem?.message.contains("came too slowly") == true)
        isSlow.withLock { $0 = false }
        _ = try await commit.confirmed()
        #expect(journal.problem == nil)
        await store.close()
      }
    }

    @Test("pushes are halved on a line that breaks long ones, until they arrive")
    func longPushes() async throws {
      try await ListServer.with { server, folder in
        let longest = Lock(0)
        let real = SyncServer.defaultClient()
        let client = Client { request, progress in
          let size = request.body?.count ?? 0
          longest.withLock { $0 = max($0, size) }
          guard size <= 8_000 else {
            progress(8_000)
            throw Broken()
          }
          return try await real.send(request, progress: { _ in })
        }
        let offline = try await Device(folder + "/ann.db", on: nowhere)
        for slot in 20..<320 { try await offline.store.change(.claim(slot)).durable() }
        await offline.close()
        let device = try await Device(folder + "/ann.db", on: server.url, client: client)
        _ = try await device.store.change(.claim(320)).confirmed()
        #expect(longest.withLock { $0 } > 16_000)
        #expect(try await server.stores["lists/42"].state.slots.count == 301)
        await device.close()
      }
    }

    @Test("the reason of an outage is the host, the status, or the server's own words")
    func reasons() async throws {
      let closed = try await problem(nowhere)
      #expect(closed.localizedCaseInsensitiveContains("connect"), "\(closed)")
      let host = try await problem(try #require(URL(string: "http://nowhere.invalid")))
      #expect(host.contains("host"), "\(host)")
      for status in [404, 500, 503] {
        let text = try await problem(nowhere, Client { _, _ in response(status, "<html>") }, status < 500 ? .notUnderstood : .busy)
        #expect(text.contains("the status \(status)"), "\(text)")
      }
      let words = #"{"alter":"sync","version":1,"answer":"badEnvelope","message":"The key can't be stored."}"# + "\n"
      let denied = try await problem(nowhere, Client { _, _ in response(422, words) })
      #expect(denied.contains("422") && denied.contains("The key can't be stored."), "\(denied)")
      let large = try await problem(nowhere, Client { _, _ in response(413, "") })
      #expect(large.contains("413") && large.contains("proxy"), "\(large)")
    }
  }
#endif
