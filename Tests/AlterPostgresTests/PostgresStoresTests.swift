#if Postgres
  import Alter
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @testable import AlterPostgres

  @Suite("Stores over a PostgreSQL server", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct PostgresStoresTests {

    @Test("whether a key has a journal is answered without making one")
    func contains() async throws {
      let address = try TestServer.shared().address("application_name=contains")
      let (key, other) = (freshKey("there"), freshKey("absent"))
      let stores = Stores(in: .postgres(address)) { _ in Counter() }
      #expect(try await stores.existing(key) == nil)
      try await stores[key].change(.add(1)).durable()
      await stores.close()
      let again = Stores(in: .postgres(address)) { _ in Counter() }
      #expect(try await again.existing(key)?.state.count == 1)
      #expect(try await !again.contains(other))
      #expect(try await !PostgresJournal.exists(at: address, key: other))
      await again.close()
    }

    @Test("callers of two services change many keys within small budgets: every change counts once, and reaches the other service")
    func services() async throws {
      let server = try TestServer.shared()
      let prefix = freshKey("stores")
      let places = JournalPlaces.postgres(server.address("application_name=stores"))
      let services = (0..<2).map { _ in Stores(in: places, budget: StoresBudget(stores: 5)) { _ in Counter() } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<6 {
          group.addTask {
            let stores = services[caller % 2]
            for number in 0..<20 {
              try await stores["\(prefix) \((number * 5 + caller) % 12)"].change(.add(1)).durable()
              // One report: two would be of two moments.
              let report = stores.report
              #expect(report.open + report.opening + report.closing <= 5)
            }
          }
        }
        try await group.waitForAll()
      }
      for service in services { #expect(await service.close().isEmpty) }
      let reader = Stores(in: places) { _ in Counter() }
      var sum = 0
      for number in 0..<12 { sum += try await reader["\(prefix) \(number)"].state.count }
      #expect(sum == 120)
      #expect(reader.report.descriptors == 0)
      let writer = Stores(in: places) { _ in Counter() }
      try await writer["\(prefix) 0"].change(.add(100)).durable()
      for await count in try await reader["\(prefix) 0"].values(of: \.count) where count >= 100 { break }
      await writer.close()
      await reader.close()
    }
  }
#endif
