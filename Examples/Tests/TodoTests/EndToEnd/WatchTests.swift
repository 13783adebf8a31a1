import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its live view", .enabled(if: Tmux.isExpected, "SKIPPED: tmux is not installed, so nobody looks at `todo watch`"))
  struct WatchTests {
    let sandbox: Sandbox

    init() throws {
      sandbox = try Sandbox()
      try sandbox.todo("import", "-", input: Array("Pay rent\n(B) Buy milk and everything else that one needs to bake a cake today\n".utf8))
    }

    private func begin() throws -> Tmux {
      let terminal = try Tmux(
        [sandbox.executable, "watch", "--wait", "1"], environment: sandbox.environment(), columns: 60, rows: 12)
      try terminal.wait("the list") { $0[0] == "todo: 2 open, 0 done" && $0[11].hasPrefix("space done") }
      return terminal
    }

    /// Expects that the command has ended with this status, and that the terminal is restored.
    private func expectEnd(
      _ terminal: Tmux, _ status: Int32, saying message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let shown = try terminal.wait("its end", sourceLocation: sourceLocation) { $0.contains("the terminal is as it was") }
      #expect(shown.contains("ended with \(status)"), "\(shown)", sourceLocation: sourceLocation)
      #expect(try terminal.variable("alternate_on") == "0", sourceLocation: sourceLocation)
      #expect(try terminal.variable("cursor_flag") == "1", sourceLocation: sourceLocation)
      // The terminal breaks a line anywhere, and the screen loses the spaces at a break.
      let words = shown.joined().filter { $0 != " " }
      if let message { #expect(words.contains(message.filter { $0 != " " }), "\(shown)", sourceLocation: sourceLocation) }
    }

    @Test("fits into 60 columns, and follows a terminal that becomes smaller") func sizes() throws {
      let terminal = try begin()
      #expect(
        try Array(terminal.screen()[0...2]) == [
          "todo: 2 open, 0 done", "> 1 [ ]     Pay rent",
          "  2 [ ] (B) Buy milk and everything else that one needs to …",
        ])
      try terminal.resize(columns: 40, rows: 6)
      try terminal.wait("the smaller list") { $0[2] == "  2 [ ] (B) Buy milk and everything els…" && $0[5].hasPrefix("space done") }
    }

    @Test("shows at once what another process changes") func others() throws {
      let terminal = try begin()
      try sandbox.todo("add", "Call home")
      try terminal.wait("the new item") { $0[3] == "  3 [ ]     Call home" }
      try sandbox.todo("done", "1")
      try terminal.wait("the done item") { $0[1].hasPrefix("> 1 [x]") }
    }

    @Test("moves, completes, edits, adds, removes and undoes; what is done is on the disk when it ends") func keys() throws {
      let terminal = try begin()
      try terminal.press("j", "x")
      try terminal.wait("the done item") { $0[2].hasPrefix("> 2 [x]") }
      try terminal.press("Up", "e", "C-u")
      try terminal.type("Käse 日本 kaufen")
      try terminal.wait("the edit") { $0[11].hasPrefix("Edit: Käse 日本 kaufen") }
      try terminal.press("Enter")
      try terminal.wait("the new text") { $0[1].contains("Käse 日本 kaufen") }
      try terminal.press("a")
      try terminal.type("Third")
      try terminal.press("Enter")
      try terminal.wait("the new item") { $0[3].hasPrefix("> 3 [ ]     Third") }
      try terminal.press("d")
      try terminal.wait("its removal") { $0[3] == "" }
      try terminal.press("u")
      try terminal.wait("the undo") { $0[3].contains("Third") && $0[11].hasPrefix("Undid ") }
      try terminal.press("r")
      try terminal.wait("the redo") { $0[3] == "" && $0[11].hasPrefix("Redid ") }
      try terminal.press("?")
      try terminal.wait("the help") { $0[11] == "Any key: back to the list" }
      try terminal.press("Space", "q")
      try expectEnd(terminal, 0)
      #expect(try sandbox.texts() == ["Käse 日本 kaufen", "Buy milk and everything else that one needs to bake a cake today"])
    }

    @Test("gives the terminal back after q and after Ctrl-C", arguments: ["q", "C-c"]) func quit(key: String) throws {
      let terminal = try begin()
      try terminal.press(key)
      try expectEnd(terminal, 0)
    }

    @Test("gives the terminal back after a signal", arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
    func signals(signal: Int32, status: Int32) throws {
      let terminal = try begin()
      kill(try terminal.process(), signal)
      try expectEnd(terminal, status)
    }

    @Test("gives the terminal back when it crashes", arguments: [SIGSEGV, SIGILL, SIGABRT]) func crash(signal: Int32) throws {
      let terminal = try begin()
      kill(try terminal.process(), signal)
      try expectEnd(terminal, 128 + signal)
    }

    @Test("gives the terminal back when it can't go on, and says why") func failure() throws {
      let terminal = try begin()
      for file in ["list.alter", "list.alter-wal", "list.alter-shm"] { unlink(sandbox.folder + "/" + file) }
      try terminal.press("x")
      try expectEnd(terminal, 65, saying: "is gone: its file was deleted or moved")
    }

    @Test("lets go of the terminal while it is suspended, and takes it again") func suspend() throws {
      let terminal = try begin()
      try terminal.press("C-z")
      try terminal.wait("the other screen") { _ in try terminal.variable("alternate_on") == "0" }
      // It gives the terminal back before it stops. A signal that comes between the two has no effect, so it is repeated.
      let process = try terminal.process()
      try terminal.wait("the list again") { lines in
        kill(process, SIGCONT)
        return lines[0] == "todo: 2 open, 0 done"
      }
      try terminal.press("q")
      try expectEnd(terminal, 0)
    }

    @Test("is for a terminal: 64 elsewhere") func noTerminal() throws {
      let outcome = try sandbox.todo("watch")
      #expect(outcome.status == 64)
      #expect(outcome.errors == "todo: watch needs a terminal for its input and output; 'todo list' prints the list anywhere\n")
    }
  }
}
