#if Postgres
  import Alter
  import AlterPostgres
  import Foundation
  import OrdersCore
  import ProcessTesting
  import Testing

  @Suite("The service of orders", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(30)))
  struct OrdersTests {
    @Test("answers when an order is in the journal, refuses a repeated one, and shows its metrics")
    func metrics() async throws {
      let address = try await freshAddress()
      let service = try await RunningService(address, "berlin", "oslo")
      for number in 1...5 { #expect(service.place("\(number)", in: "berlin") == 201) }
      #expect(service.place("1", in: "oslo") == 201)
      #expect(service.place("1", in: "oslo") == 409)
      try await receipts(address, "berlin", count: 5)
      try await receipts(address, "oslo", count: 1)
      #expect(service.get("/shops/berlin/orders")?.text.split(separator: "\n").count == 5)
      // The test has seen the last change perhaps before the service has.
      let commits = "alter_store_commits_total{outcome=\"confirmed\"}"
      let metrics = try #require(service.metrics { $0[commits] ?? 0 >= 12 })
      #expect(metrics["alter_stores{status=\"open\"}"] == 2)
      #expect(metrics["alter_stores_keys{phase=\"open\"}"] == 2)
      // Each order, and its receipt.
      #expect(metrics[commits] == 12)
      #expect(metrics["alter_store_opening_duration_seconds_count{outcome=\"opened\"}"] == 2)
      #expect(metrics["alter_feedback_effect_duration_seconds_count{feedback=\"receipts\"}"] == 6)
      #expect(try #require(metrics["alter_store_flight_duration_seconds_count"]) >= 2)
      #expect(try #require(metrics["alter_store_flight_duration_seconds_sum"]) > 0)
      #expect(try #require(metrics["alter_feedback_lease_steps_total{feedback=\"receipts\",step=\"taken\"}"]) >= 2)
      #expect(try #require(metrics["alter_postgres_connections{lane=\"writing\"}"]) >= 1)
      #expect(try #require(metrics["alter_postgres_pool_wait_duration_seconds_count{lane=\"writing\"}"]) >= 12)
      #expect(await service.stop() == 0)
      #expect(service.log.contains { $0.contains("everything is written") })
      let report = try await Child([Product.path("orders"), address, "berlin", "oslo", "--report"]).end()
      #expect(
        report == "berlin: none: 5 orders, 5 receipts, 0 cents open\noslo: none: 1 orders, 1 receipts, 0 cents open", "\(report)")
    }

    @Test("loses and doubles nothing when it is replaced under load, round after round")
    func shutdown() async throws {
      let address = try await freshAddress()
      let shops = ["berlin", "oslo"]
      var random = SystemRandomNumberGenerator()
      var old = try await RunningService(address, shops)
      let placed = Shared<Set<String>>([])
      for round in 1...(Effort.isFull ? 200 : 10) {
        // The next release starts while the last one still works: both write to the same journals.
        let new = try await RunningService(address, shops)
        let isEnded = Shared(false)
        let limit = Int.random(in: 1...30, using: &random)
        let enough = AsyncStream<Void>.makeStream()
        let answers = Shared(0)
        let clients = [old, old, new].enumerated().map { client, service in
          Task {
            await onThread {
              for number in 1... {
                let (shop, order) = (shops[number % 2], "\(round)-\(client)-\(number)")
                let answer = service.place(order, in: shop)
                // The old service does not answer any more.
                guard let answer else { return client < 2 }
                guard answer == 201 else { return false }
                placed.withLock { _ = $0.insert("\(shop)/\(order)") }
                let count = answers.withLock { count in
                  count += 1
                  return count
                }
                if count == limit { enough.continuation.yield() }
                if isEnded.withLock({ $0 }) { return client == 2 }
              }
              return false
            }
          }
        }
        for await _ in enough.stream { break }
        #expect(await old.stop() == 0, "round \(round): \(old.log)")
        for client in clients.prefix(2) { #expect(await client.value, "round \(round)") }
        isEnded.withLock { $0 = true }
        #expect(await clients[2].value, "round \(round)")
        old = new
      }
      #expect(await old.stop() == 0)
      let wanted = placed.withLock { $0 }
      #expect(!wanted.isEmpty)
      for shop in shops {
        // The journal itself, because the state would hide an order that was written twice.
        let journal = try await PostgresJournal(at: PostgresServer(address), key: shop)
        var counts: [String: Int] = [:]
        var revision = Revision.zero
        while case let entries = try await journal.entries(after: revision, limit: 500), let last = entries.last {
          for entry in entries where entry.kind == .changes {
            let text = String(decoding: entry.payload, as: UTF8.self)
            if let match = text.firstMatch(of: /"place".*?"id":"([^"]+)"/) { counts["\(shop)/\(match.1)", default: 0] += 1 }
          }
          revision = last.revision
        }
        await journal.close()
        #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts.filter { $0.value > 1 })")
        let lost = wanted.filter { $0.hasPrefix(shop) && counts[$0] == nil }
        #expect(lost.isEmpty, "\(lost)")
        // The receipts that the last service did not send are sent by the next process that looks.
        let store = try await Store.open(Shop(), in: PostgresJournal(at: PostgresServer(address), key: shop))
        try store.run([.receipts], in: World())
        for await missing in store.values(of: { $0.orders.count { $0.receipt == nil } }) where missing == 0 { break }
        #expect(store.state.orders.count == counts.count)
        await store.close()
      }
    }

    /// Waits until a number of orders have their receipts.
    private func receipts(_ address: String, _ shop: String, count: Int) async throws {
      let store = try await Store.open(Shop(), in: PostgresJournal(at: PostgresServer(address), key: shop))
      for await sent in store.values(of: { $0.orders.count { $0.receipt != nil } }) where sent == count { break }
      await store.close()
    }

    private func freshAddress() async throws -> String {
      let server = try TestServer.shared()
      return "host=\(server.folder) dbname=\(try await server.database()) user=alter"
    }
  }
#endif
