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
