#if Postgres
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("todo with a list in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct TodoOnPostgresTests {
    private func url(_ server: TestServer, _ database: String) -> String {
      "postgres://alter:s3cret@\(server.folder.replacingOccurrences(of: "/", with: "%2F"))/\(database)"
    }

    @Test("does what it does with a file: for several processes, undo and the past included")
    func works() async throws {
      let server = try TestServer.shared()
      let store = url(server, try await server.database())
      let command = try Product.path("todo")
      func todo(_ arguments: String...) async throws -> String {
        try await Child([command] + arguments + ["--store", store]).end()
      }
      let empty = try await todo("list")
      #expect(!empty.contains("1"))
      await #expect(throws: Child.Failure.self, "nothing to undo, and nothing is made") { try await todo("undo") }
      _ = try await todo("add", "Pay rent")
      _ = try await todo("add", "Buy bread")
      _ = try await todo("done", "1")
      _ = try await todo("undo")
      let both = ["left", "right"].map { name in
        Task { for number in 1...5 { _ = try await todo("add", "\(name) \(number)") } }
      }
      for task in both { try await task.value }
      let list = try await todo("list")
      for text in ["Pay rent", "Buy bread"] + (1...5).flatMap({ ["left \($0)", "right \($0)"] }) {
        #expect(list.components(separatedBy: text).count >= 2, "\(text)")
      }
      #expect(try await todo("search", "ren").hasSuffix("Pay rent"))
      #expect(try await todo("show", "--at", "2").contains("Pay rent"))
      #expect(try await todo("export").split(separator: "\n").count == 12)
      _ = try await todo("remove", "2")
      #expect(!(try await todo("list").contains("Buy bread")))
    }

    @Test("is inspected there, with its types and without")
    func inspected() async throws {
      let server = try TestServer.shared()
      let store = url(server, try await server.database())
      let todo = try Product.path("todo")
      for arguments in [["add", "Pay rent"], ["add", "Buy bread"], ["done", "1"], ["undo"]] {
        _ = try await Child([todo] + arguments + ["--store", store]).end()
      }
      func alter(_ arguments: String...) async throws -> String {
        try await Child([try Product.path("alter")] + arguments + ["--key", "todo"]).end()
      }
      let log = try await alter("log", store, "--json")
      #expect(log.split(separator: "\n").count == 5 && log.contains("Pay rent"), "\(log)")
      #expect(try await alter("show", store, "3").contains("Buy bread"))
      #expect(try await alter("verify", store).contains("5 entries"))
      #expect(try await alter("stats", store, "--json").contains("\"indexed\":5"))
      #expect(try await alter("export", store).split(separator: "\n").contains { $0.contains("Pay rent") })
      // `todo inspect` knows the app's types, so it can show every state.
      let inspect = [todo, "inspect"]
      #expect(try await Child(inspect + ["show", "3", "--store", store]).end().contains("Buy bread"))
      #expect(try await Child(inspect + ["diff", "3", "4", "--store", store]).end().contains("completed: false"))
      await #expect(throws: Child.Failure.self) { try await alter("log", url(server, "nowhere")) }
    }

    @Test("says by whom it was turned away, without the password")
    func refusals() async throws {
      let server = try TestServer.shared()
      let command = try Product.path("todo")
      for store in [url(server, "nowhere"), "postgres://jack:s3cret@local host:x/y?z"] {
        do {
          let output = try await Child([command, "list", "--store", store]).end()
          Issue.record("\(output)")
        } catch let failure as Child.Failure {
          #expect(failure.status == 73, "\(failure.output)")
          #expect(failure.output.contains("postgres") && !failure.output.contains("s3cret"), "\(failure.output)")
        }
      }
    }
  }
#endif
