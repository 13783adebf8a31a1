#if SyncServer
  import Alter
  import AlterCore
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncServer
  import Foundation
  import MetricsTestKit
  import StockModel
  import ProcessTesting
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite("The operation of a sync server", .timeLimit(.minutes(30)))
  struct OperationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()

    private static func inFolder(_ body: (String) async throws -> Void) async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      try await body(folder.path)
    }

    private static func status(_ url: URL) async throws -> Int {
      let (_, response) = try await URLSession.shared.data(from: url)
      return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    @Test("metrics: requests, verdicts, the outboxes of devices, streams")
    func metrics() async throws {
      try await Self.inFolder { folder in
        let metrics = TestMetrics()
        let server = try await ListServer(Stores(in: .folder(folder + "/server")) { _ in Stock() }, metrics: metrics)
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        _ = try? await ann.store.change(.claim(9)).confirmed()
        await ann.reaches { $0 == .live }
        let stranger = try await Device(folder + "/eve.db", on: server.url, as: "eve")
        await stranger.reaches { $0 == .forbidden }
        // On a busy machine a push may be repeated.
        #expect(metrics.counterTotal(label: "alter_sync_verdicts_total", dimensions: [("verdict", "accepted")]) >= 1)
        #expect(metrics.counterTotal(label: "alter_sync_verdicts_total", dimensions: [("verdict", "denied")]) >= 1)
        #expect(metrics.counterTotal(label: "alter_sync_requests_total", dimensions: [("request", "push"), ("status", "200")]) >= 1)
        #expect(metrics.counterTotal(label: "alter_sync_requests_total", dimensions: [("request", "pull"), ("status", "403")]) >= 1)
        #expect(try metrics.expectRecorder("alter_sync_outbox_changes").values.contains(1))
        #expect(try metrics.expectRecorder("alter_sync_outbox_age_seconds").values.allSatisfy { $0 < 600 })
        #expect(try metrics.expectRecorder("alter_sync_push_changes").values.reduce(0, +) >= 2)
        #expect(!(try metrics.expectRecorder("alter_sync_lag_entries").values.isEmpty))
        #expect(!(try metrics.expectTimer("alter_sync_request_duration_seconds", [("request", "push")]).values.isEmpty))
        for device in [ann, stranger] { await device.close() }
        await server.stop()
        // Every stream was opened and has ended.
        #expect(try metrics.expectMeter("alter_sync_streams").values.last == 0)
      }
    }

    @Test("the page for operators names every metric, and no other")
    func page() throws {
      let source = try String(
        contentsOf: Self.root.appendingPathComponent("Sources/AlterSyncServer/HTTP/SyncTelemetry.swift"), encoding: .utf8)
      let page = try String(contentsOf: Self.root.appendingPathComponent("docs/sync-server.md"), encoding: .utf8)
      func names(_ text: String) -> Set<String> {
        Set(text.split { !$0.isLetter && $0 != "_" }.map(String.init).filter { $0.hasPrefix("alter_sync_") })
      }
      #expect(names(source).count == 11)
      #expect(names(source) == names(page))
    }

    @Test("health and readiness, and a shutdown in order: begun pushes are answered, and later requests are answered by 503")
    func shutdown() async throws {
      try await Self.inFolder { folder in
        let isReady = Lock(true)
        struct Down: Error {}
        let server = try await ListServer(folder + "/server") { options in
          options.readiness = { if !isReady.withLock({ $0 }) { throw Down() } }
        }
        #expect(try await Self.status(server.url.appendingPathComponent("health")) == 200)
        #expect(try await Self.status(server.url.appendingPathComponent("ready")) == 200)
        isReady.withLock { $0 = false }
        #expect(try await Self.status(server.url.appendingPathComponent("ready")) == 503)
        isReady.withLock { $0 = true }
        let ann = try await Device(folder + "/ann.db", on: server.url)
        _ = try await ann.store.change(.claim(1)).confirmed()
        await ann.reaches { $0 == .live }
        await server.service.close()
        #expect(try await Self.status(server.url.appendingPathComponent("health")) == 200)
        #expect(try await Self.status(server.url.appendingPathComponent("ready")) == 503)
        let late = try ann.store.change(.claim(2))
        try await late.durable()
        await ann.reaches { if case .offline(.busy, _) = $0 { true } else { false } }
        await server.stop()
        let next = try await ListServer(folder + "/server", port: server.port)
        _ = try await late.confirmed()
        await ann.close()
        await next.stop()
      }
    }
  }
#endif
