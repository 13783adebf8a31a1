import AlterSQLite
import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Bad input") struct BadInputTests {
    let sandbox: Sandbox
    private static let naming = [
      ["done"], ["reopen"], ["remove"], ["rename", "*", "x"], ["due", "*", "fri"], ["priority", "*", "A"], ["tag", "*", "t"],
      ["untag", "*", "t"], ["move", "*", "--last"],
    ]
    private static let writing =
      [["add", "x"], ["import", "-"], ["clear-completed"], ["note", "x"], ["undo"], ["redo"]] + naming.map { named($0, "1") }
    private static let reading = [["list"], ["search", "x"], ["log"], ["show", "--at", "1"], ["notes"], ["export"]]

    init() throws { sandbox = try Sandbox() }

    /// The words of a command on a certain item.
    private static func named(_ command: [String], _ name: String) -> [String] {
      command.contains("*") ? command.map { $0 == "*" ? name : $0 } : command + [name]
    }

    /// Expects the same result from each command, and that the store is unchanged.
    private func expectEach(_ commands: [[String]], _ status: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation)
      throws
    {
      let before = try? sandbox.bytes(of: "list.alter")
      for command in commands {
        let outcome = try sandbox.run([sandbox.executable] + command)
        #expect(outcome.status == status && outcome.output == "", "\(command): \(outcome)", sourceLocation: sourceLocation)
        #expect(
          outcome.errors.hasPrefix("todo: ") && outcome.errors.contains(message), "\(command): \(outcome)", sourceLocation: sourceLocation)
      }
      #expect((try? sandbox.bytes(of: "list.alter")) == before, sourceLocation: sourceLocation)
    }

    @Test("of an item that isn't there is 66; of one of several, with the candidates") func names() throws {
      let items = (1...3).map { #"{"id":"abcdef00-0000-4000-8000-00000000000\#($0)","text":"Item \#($0)"}"# }.joined(separator: ",")
      try sandbox.todo("import", "-", input: Array(#"{"items":[\#(items)]}"#.utf8))
      try expectEach(Self.naming.map { Self.named($0, "9") }, 66, "there is no item 9: the list has 1 to 3 (see 'todo list')")
      try expectEach(Self.naming.map { Self.named($0, "beef") }, 66, "no item's id begins with ‘beef’ (see 'todo list')")
      try expectEach(
        [["move", "1", "--before", "9"], ["move", "1", "--after", "9"]], 66, "there is no item 9: the list has 1 to 3 (see 'todo list')")
      try expectEach(
        Self.naming.map { Self.named($0, "abcd") }, 66,
        """
        ‘abcd’ is the beginning of several ids: give more of it
          abcdef00-0000-4000-8000-000000000001  Item 1
          abcdef00-0000-4000-8000-000000000002  Item 2
          abcdef00-0000-4000-8000-000000000003  Item 3
        """)
    }

    @Test("that would leave no text of an item is refused: 1") func nothingLeft() throws {
      try sandbox.todo("add", "@home")
      try expectEach([["untag", "1", "home"]], 1, "Nothing would be left of the item's text.")
    }

    @Test("is a folder where a list should be: 65, from every command; and no list at all: 66, from those that need one") func folders()
      throws
    {
      for command in Self.writing + Self.reading {
        let outcome = try sandbox.run([sandbox.executable] + command + ["--store", sandbox.folder])
        #expect(outcome.status == 65 && outcome.errors.contains("is a folder, not a regular file."), "\(command): \(outcome)")
      }
      try expectEach(Self.naming.map { Self.named($0, "1") }, 66, "there is no item 1: the list is empty")
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }

    @Test("is a file that can't be read: 74 when reading fails, 77 when it may not be opened") func unreadable() throws {
      #if os(Linux)
        // A process may open its own memory, but reading its first page fails, even for root.
        try expectEach([["import", "/proc/self/mem"]], 74, "can't read '/proc/self/mem': Input/output error")
      #endif
      if geteuid() != 0 {
        let file = try sandbox.write(Array("One\n".utf8), to: "secret.txt")
        chmod(file, 0)
        try expectEach([["import", file]], 77, "can't open '\(file)': Permission denied")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }

    @Test("is no reason to wait: a list that another process is writing is 75, and says which process; reading goes on") func locked()
      async throws
    {
      try sandbox.todo("import", "-", input: Array("One\nx Two\n".utf8))
      try sandbox.todo("add", "Three")
      try sandbox.todo("undo")
      let holder = try await SQLiteJournal(at: sandbox.store)
      let turn = try await holder.takeTurn()
      let writing = Self.writing.map { $0 + ["--wait", "0"] }
      try expectEach(writing, 75, "has been in use by process \(getpid()) ")
      for command in Self.reading { #expect(try sandbox.run([sandbox.executable] + command).status == 0, "\(command)") }
      try expectEach([["done", "1", "--wait", "0.05"]], 75, "for longer than 0.05 seconds")
      turn.end()
      // A command that waits succeeds after the other process has finished.
      #expect(try sandbox.todo("done", "1", "--wait", "60").output == "Done 1: One\n")
      await holder.close()
    }
  }
}
