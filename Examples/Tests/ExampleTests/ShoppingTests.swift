#if Macros
  import Alter
  import AlterTesting
  import Foundation
  import ProcessTesting
  import Testing

  @testable import shopping

  @Suite("shopping") struct ShoppingTests {
    private func list() throws -> Shopping {
      try Shopping().alter(
        .add(.item(Item(id: 1, name: "tea"))), .add(.item(Item(id: 2, name: "rice"))), .item(1, .isBought(true)))
    }

    @Test("What is visible is a function of the state, which has the filter") func visible() throws {
      let list = try list()
      func names(_ filter: Filter) throws -> [String] { try list.alter(.filter(filter)).visible.map(\.name) }
      #expect(try names(.all) == ["tea", "rice"] && names(.open) == ["rice"] && names(.bought) == ["tea"])
      #expect(try list.alter(.filter(.open)).items == list.items, "the filter removes nothing")
    }

    @Test("An item that is bought leaves a list that shows the open ones") func leaves() throws {
      let open = try list().alter(.filter(.open))
      #expect(try open.alter(.item(2, .isBought(true))).lines == ["0 of 2 (open)"])
    }

    @Test("Data from before there was a filter shows everything") func older() throws {
      let stored = #"{"items":[{"id":1,"name":"tea","isBought":true}]}"#
      #expect(try JournalCoding.decode(Shopping.self, from: Data(stored.utf8)).lines == ["x 1 tea", "1 of 1 (all)"])
    }

    @Test("Two stores that add at the same time get two numbers, and both items stay") func together() async throws {
      let journal = MemoryJournal()
      let stores = [try await Store.open(Shopping(), in: journal), try await Store.open(Shopping(), in: journal)]
      let commits = try [stores[0].change(.want("tea")), stores[1].change(.want("rice"))]
      for commit in commits { try await commit.durable() }
      for store in stores {
        for await count in store.values(of: \.items.count) where count == 2 { break }
        #expect(store.state.items.map(\.id) == [1, 2] && Set(store.state.items.map(\.name)) == ["tea", "rice"])
      }
      for store in stores { await store.close() }
    }

    @Test("Six processes that add at the same time lose no item") func processes() throws {
      let folder = try Folder()
      let command = try Product.path("shopping")
      let adding = try (1...6).map {
        try LineProcess(
          ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder.path, command, "add", "item\($0)"], environment: Example.environment,
          mergesErrors: true)
      }
      for process in adding {
        process.closeInput()
        process.readLines()
        #expect(process.child.wait() == 0, "\(process.lines)")
      }
      let outcome = try ChildProcess.run([command], environment: Example.environment, in: folder.path, mergesErrors: true)
      #expect(outcome.lines.last == "6 of 6 (all)", "\(outcome)")
    }

    @Test("A command that can't be carried out gives the reason and status 1: no item of that number, no such command, no journal")
    func failures() throws {
      let folder = try Folder()
      func run(_ words: String...) throws -> [String] {
        let outcome = try ChildProcess.run(
          [Product.path("shopping")] + words, environment: Example.environment, in: folder.path, mergesErrors: true)
        #expect(outcome.status == 1, "\(outcome)")
        return outcome.lines
      }
      #expect(try run("buy", "9") == ["The change was refused: There is no Item '9'."])
      #expect(try run("buy", "tea") == ["There is no item 'tea'."])
      #expect(try run("sell")[0].hasPrefix("shopping [add NAME"))
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.removeItem(atPath: folder.path(file))
      }
      try FileManager.default.createDirectory(atPath: folder.path("shopping.alter"), withIntermediateDirectories: false)
      #expect(try run()[0].contains("is a folder, not a regular file"))
    }

    @Test("The README's commands print what it says: each is a process of its own, and the filter is kept, shared and undone")
    func readme() throws {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../shopping/README.md")
      let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```\n")
      let lines = try #require(blocks.count > 1 ? blocks[1] : nil).split(separator: "\n").map(String.init)
      let folder = try Folder()
      let prompt = "$ script/example shopping"
      var printed: [String] = []
      for line in lines where line.hasPrefix(prompt) {
        let words = line.dropFirst(prompt.count).split(separator: " ").map(String.init)
        let outcome = try ChildProcess.run(
          [Product.path("shopping")] + words, environment: Example.environment, in: folder.path, mergesErrors: true)
        #expect(outcome.status == 0, "\(outcome)")
        printed += [line] + outcome.output.split(separator: "\n").map(String.init)
      }
      #expect(printed == lines)
      #expect(lines.contains("1 of 2 (open)") && lines.count > 10)
    }
  }
#endif
