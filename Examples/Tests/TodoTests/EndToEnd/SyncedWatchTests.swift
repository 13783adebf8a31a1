import Foundation
import ProcessTesting
import Testing
import TodoCore
import TodoTesting

extension EndToEnd {
  @Suite(
    "The live view of a synced list", .enabled(if: Tmux.isExpected, "SKIPPED: `todo watch` needs a terminal, and tmux is not installed"),
    .timeLimit(.minutes(60)))
  struct SyncedWatchTests {
    let ann: Sandbox
    let bob: Sandbox
    let server: TodoServerProcess

    init() throws {
      ann = try Sandbox()
      bob = try Sandbox()
      server = try TodoServerProcess()
      try ann.todo("add", "Pay rent")
      try server.share(ann, with: bob)
    }

    #if os(Linux)
      @Test("the token is read without echo, and is in no argument and no variable of a process") func token() throws {
        let carl = try Sandbox()
        let token = try server.add("carl")
        let terminal = try Tmux(
          [carl.executable, "sync", server.url], environment: carl.environment(), columns: 100, rows: 12)
        try terminal.wait("the prompt") { $0[0].hasPrefix("Token:") }
        // By now `todo` has become `todo-sync`.
        let process = try terminal.process()
        try terminal.type(token)
        for name in ["cmdline", "environ"] {
          let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\(name)"))
          #expect(!bytes.isEmpty && bytes.range(of: Data(token.utf8)) == nil, "\(name)")
        }
        #expect(!(try terminal.screen().joined().contains(token.suffix(8))))
        try terminal.press("Enter")
        let shown = try terminal.wait("the end") { $0.contains { $0.contains("ended with 0") } }
        #expect(shown.contains { $0.hasPrefix("Synced: carl/todo on ") } && !shown.joined().contains(token.suffix(8)), "\(shown)")
      }
    #endif

    @Test("shows the connection, unconfirmed changes, other authors, and a refused change, which is dismissed")
    func story() throws {
      let terminal = try Tmux(
        [bob.executable, "watch"], environment: bob.environment(["NO_COLOR": "1"]), columns: 70, rows: 12)
      try terminal.wait("the connection") { $0[1] == "Sync: connected, nothing unconfirmed" && $0[2].contains(" 1 [ ] Pay rent") }
      // A change of another user, with its author.
      try ann.todo("add", "Buy bread")
      try ann.synced()
      try terminal.wait("ann's item") { $0[3] == "  2 [ ] Buy bread  (by ann)" && $0[11] == "ann: added ‘Buy bread’" }
      // This process talks to the server for the other commands of the device.
      let synced = try bob.todo("sync")
      #expect(synced.status == 0 && synced.output.contains("synced by another process"), "\(synced)")
      // Offline: the change is marked, and not lost.
      server.kill()
      try terminal.wait("the lost connection") { $0[1].hasPrefix("Sync: offline since ") }
      try terminal.press("x")
      try terminal.wait("the marked item") { $0[1].contains("1 unconfirmed (~)") && $0[2].hasPrefix("> 1 [x] ~ Pay rent") }
      try terminal.press("u")
      try terminal.wait("the undo") { $0[2].hasPrefix("> 1 [ ] ~") && $0[11].hasSuffix("(not yet confirmed)") }
      try server.restart()
      try terminal.wait("the connection again") { $0[1] == "Sync: connected, nothing unconfirmed" }
      // A removal that the server refuses.
      try terminal.press("d")
      try terminal.wait("the refusal") { $0[1].hasSuffix("1 refused (!, R shows)") && $0[2].hasPrefix("  1 [ ] ! Pay rent") }
      try terminal.press("R")
      let shown = try terminal.wait("the reason") { $0[3] == "> removed ‘Pay rent’" }
      #expect(shown[4].contains("Only ann, who owns this list, removes items.") && shown[11].hasPrefix("r make it again"), "\(shown)")
      // A second press is about no other change, and about no item of the list.
      try terminal.press("d", "d")
      try terminal.wait("the end of the refusals") {
        $0[1] == "Sync: connected, nothing unconfirmed" && $0[2].hasPrefix("Refused changes")
      }
      try terminal.press("d", "Escape")
      try terminal.wait("the list") { $0[2].contains(" 1 [ ] Pay rent") && $0[3].contains(" 2 [ ] Buy bread") }
      try terminal.press("h")
      try terminal.wait("the history") { lines in
        lines[2].contains("you: undid") && lines.contains { $0.contains("ann: added ‘Buy bread’") }
      }
      try terminal.press("Escape", "q")
      try terminal.wait("its end") { $0.contains { $0.contains("ended with 0") } }
    }
  }
}
