#if SyncServer
  import Foundation
  import ProcessTesting
  import Testing

  /// Runs the programs of the guide "Sync".
  @Suite("The guide's programs", .timeLimit(.minutes(30)))
  struct SyncGuideTests {
    private static func program(_ name: String) -> String {
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }

    @Test("two users share a list over the server, offline and after its restart, and a refused item is listed")
    func story() async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("lists"), withIntermediateDirectories: false)
      var environment = ProcessInfo.processInfo.environment
      environment.merge(["LISTS": folder.path("lists"), "PORT": "0", "SYNC_SECRET": "0123456789abcdef"]) { $1 }
      func serve(_ port: String) throws -> (LineProcess, port: String) {
        environment["PORT"] = port
        let server = try LineProcess([Self.program("sync-guide-server")], environment: environment, mergesErrors: true)
        while let line = server.readLine() {
          // Hummingbird's log.
          guard let place = line.range(of: "listening on 127.0.0.1:") else { continue }
          return (server, String(line[place.upperBound...].prefix { $0.isNumber }))
        }
        throw CancellationError()
      }
      func app(_ user: String, _ port: String, _ items: [String]) async throws -> String {
        try await Child(
          [Self.program("sync-guide-app"), folder.path("\(user).db"), "http://127.0.0.1:\(port)/sync", user, "\(user)-1"] + items
        ).end()
      }
      // On a busy machine an exchange may take longer than its limits, and the app ends offline. The time limit of the suite ends the attempts.
      func settled(_ user: String, _ port: String, _ items: String...) async throws -> String {
        var output = try await app(user, port, items)
        while !output.contains("not confirmed: 0") { output = try await app(user, port, []) }
        return output
      }
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
  }
#endif
