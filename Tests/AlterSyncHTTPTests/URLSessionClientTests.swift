#if SyncServer
  import AlterCore
  import AlterSync
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("The client over URLSession", .timeLimit(.minutes(30)))
  struct URLSessionClientTests {
    @Test("a request may be cancelled, and an answer dropped, at any moment: no trap, and the others are answered")
    func cancelled() async throws {
      try await ListServer.with { server, _ in
        let client = URLSessionClient()
        let request = SyncHTTPRequest(method: "GET", url: server.url.appendingPathComponent("health"), headers: [:])
        let rounds = Effort.count(short: 300, full: 2_000)
        let (read, asked) = (Lock(0), Lock(0))
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask {
              var random = SystemRandomNumberGenerator()
              for _ in 0..<rounds {
                let (isCancelled, isRead) = (Bool.random(using: &random), Bool.random(using: &random))
                let task = Task {
                  let response = try await client.send(request) { _ in }
                  guard isRead else { return }
                  for try await _ in response.body {}
                  if !isCancelled { read.withLock { $0 += 1 } }
                }
                if isCancelled {
                  for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
                  task.cancel()
                } else if isRead {
                  asked.withLock { $0 += 1 }
                }
                _ = await task.result
              }
            }
          }
        }
        #expect(asked.withLock { $0 } > 0)
        #expect(read.withLock { $0 } == asked.withLock { $0 })
      }
    }
  }
#endif
