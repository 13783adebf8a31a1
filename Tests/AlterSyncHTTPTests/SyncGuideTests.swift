#if SyncServer
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import Testing

  /// Runs the programs of the guide "Sync".
  @Suite("The guide's programs", .timeLimit(.minutes(30)))
  struct SyncGuideTests {
    private static func program(_ name: String) -> String {
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }

    private let folder: Folder

    init() throws {
      folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("lists"), withIntermediateDirectories: false)
    }

    /// Starts a server process over the folder.
    private func serve(_ port: String) throws -> (LineProcess, port: String) {
      var environment = ProcessInfo.processInfo.environment
      environment.merge(["LISTS": folder.path("lists"), "PORT": port, "SYNC_SECRET": "0123456789abcdef"]) { $1 }
      let server = try LineProcess([Self.program("sync-guide-server")], environment: environment, mergesErrors: true)
      while let line = server.readLine() {
        // Hummingbird's log.
        guard let place = line.range(of: "listening on 127.0.0.1:") else { continue }
        return (server, String(line[place.upperBound...].prefix { $0.isNumber }))
      }
      throw CancellationError()
    }

    private func app(_ user: String, _ port: String, _ items: [String]) async throws -> String {
      try await Child(
        [Self.program("sync-guide-app"), folder.path("\(user).db"), "http://127.0.0.1:\(port)/sync", user, "\(user)-1"] + items
      ).end()
    }

    /// Runs the app until the server has decided everything. On a busy machine an exchange may take longer than its limits, and the app ends
    /// offline. The time limit of the suite ends the attempts.
    private func settled(_ user: String, _ port: String, _ items: String...) async throws -> String {
      var output = try await app(user, port, items)
      while !output.contains("not confirmed: 0") { output = try await app(user, port, []) }
      return output
    }

    @Test("two users share a list over the server, offline and after its restart, and a refused item is listed")
    func story() async throws {
      let (first, port) = try serve("0")
      let ann = try await settled("ann", port, "milk", "a lottery ticket")
      #expect(ann.hasSuffix("open: [\"milk\"], not confirmed: 0, refused: [\"denied\"]"), "\(ann)")
      let bob = try await settled("bob", port, "bread")
      #expect(bob.hasSuffix("open: [\"milk\", \"bread\"], not confirmed: 0, refused: []"), "\(bob)")
      first.child.signal(SIGTERM)
      first.readLines()
      let offline = try await app("ann", port, ["eggs"])
      #expect(offline.hasSuffix("open: [\"milk\", \"eggs\"], not confirmed: 1, refused: [\"denied\"]"), "\(offline)")
      let (second, _) = try serve(port)
      let back = try await settled("ann", port)
      #expect(back.hasSuffix("open: [\"milk\", \"bread\", \"eggs\"], not confirmed: 0, refused: [\"denied\"]"), "\(back)")
      second.child.signal(SIGTERM)
      second.readLines()
    }

    @Test("a stream of one server process has the head of a journal that another process creates, and its later entries")
    func twoServers() async throws {
      let (one, two) = try (serve("0"), serve("0"))
      let stream = try StreamTests.Stream(port: try #require(Int(one.port)), RawRequest(SyncHTTP.live(["lists/home"]), token: "ann-1"))
      await stream.read { $0.beats > 0 }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("lists")) == [])
      _ = try await settled("ann", two.port, "milk")
      // The second look comes after two heartbeats.
      await stream.read { $0.revisions("lists/home").last == 2 || $0.beats > 20 }
      _ = try await settled("bob", two.port, "bread")
      await stream.read { $0.revisions("lists/home").last == 3 || $0.beats > 20 }
      #expect(stream.revisions("lists/home").last == 3)
      for (server, _) in [one, two] {
        server.child.signal(SIGTERM)
        server.readLines()
      }
    }
  }
#endif
