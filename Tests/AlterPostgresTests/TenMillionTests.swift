#if Postgres && SQLite
  import Foundation
  import ProcessTesting
  import Testing

  /// `script/benchmark --ten-million` runs for hours. This test runs its program on short journals.
  @Suite("The program that measures long journals", .enabled(if: TestServer.isExpected))
  struct TenMillionTests {
    static let steps = [
      "open", "open-next", "append", "undo", "state", "inspector", "verify", "verify-states", "backup", "export",
    ]

    @Test("makes a journal of the requested length and measures every step", arguments: [true, false])
    func everyStep(isFile: Bool) async throws {
      let program = try Product.path("ten-million")
      let folder = try Folder()
      let address =
        isFile
        ? folder.path("board.alter")
        : try await "host=\(TestServer.shared().folder) user=alter dbname=\(TestServer.shared().database())"
      let made = try await Child([program, "make", address, "2000"]).end()
      #expect(made.hasPrefix("made\t2000 entries\t"))
      await #expect(throws: Child.Failure.self) { try await Child([program, "make", address, "2000"]).end() }
      for step in Self.steps {
        let lines = try await Child([program, step, address]).end().split(separator: "\n")
        // PostgreSQL has its own tools for backups.
        #expect(lines.isEmpty == (step == "backup" && !isFile), "\(step)")
        for line in lines { #expect(line.wholeMatch(of: /[^\t]+\t[0-9.]+ ms\t[0-9.]+ ms\t[0-9]+ MiB/) != nil, "\(step): \(line)") }
      }
      // The usage names every step.
      let usage = try await #require(throws: Child.Failure.self) { try await Child([program, "nonsense", address]).end() }
      #expect(usage.status == 64 && Self.steps.allSatisfy(usage.output.contains))
    }
  }
#endif
