import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its live view") struct WatchTests {
    let sandbox: Sandbox

    init() throws {
      sandbox = try Sandbox()
      try sandbox.todo("import", "-", input: Array("Pay rent\n(B) Buy milk\n".utf8))
    }

    @Test("shows at once what another process changes, and ends in order by a signal", arguments: [SIGINT, SIGTERM, SIGHUP])
    func others(_ signal: Int32) throws {
      let watching = try LineProcess([sandbox.executable, "watch", "--open"], environment: sandbox.environment())
      while let line = watching.readLine(), !line.hasSuffix("(B)  Buy milk") {}
      try sandbox.todo("add", "Call home")
      while let line = watching.readLine(), !line.hasSuffix("Call home") {}
      try sandbox.todo("done", "1")
      // The filter leaves the item out.
      while let line = watching.readLine(), line != "" {}
      #expect(watching.readLine()?.contains("Buy milk") == true)
      #expect(watching.child.end(signal) == 128 + signal)
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).filter { $0.hasSuffix("-wal") } == [])
    }

    @Test("a signal ends it, too, while its reader reads nothing") func blocked() throws {
      try sandbox.todo("import", "-", input: Array(String(repeating: "A line that the pipe has no room for\n", count: 20_000).utf8))
      let watching = try LineProcess([sandbox.executable, "watch"], environment: sandbox.environment())
      _ = watching.readLine()
      #expect(watching.child.end(SIGTERM) == 143)
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).filter { $0.hasSuffix("-wal") } == [])
    }

    @Test("ends with its reader, also if the list does not change") func outputClosed() throws {
      let outcome = try sandbox.run(["/bin/bash", "-c", "'\(sandbox.executable)' watch | head -n 1; exit ${PIPESTATUS[0]}"])
      #expect(outcome.status == 141 && outcome.lines.count == 1 && outcome.errors == "", "\(outcome)")
    }

    @Test("says why it can't go on") func failure() throws {
      let watching = try LineProcess([sandbox.executable, "watch"], environment: sandbox.environment(), mergesErrors: true)
      while let line = watching.readLine(), !line.hasSuffix("(B)  Buy milk") {}
      for file in ["list.alter", "list.alter-wal", "list.alter-shm"] { unlink(sandbox.folder + "/" + file) }
      while let line = watching.readLine(), !line.contains("is gone: its file was deleted or moved") {}
      #expect(watching.child.wait() == 65)
    }

    @Test(
      "takes the place of its former lines on a terminal, and cuts off what is too wide",
      .enabled(if: Tmux.isExpected, "SKIPPED: tmux is not installed"))
    func terminal() throws {
      let terminal = try Tmux([sandbox.executable, "watch"], environment: sandbox.environment(), columns: 60, rows: 5)
      try terminal.wait("the list") { $0[0].hasSuffix("Pay rent") && $0[1].hasSuffix("Buy milk") && $0[2] == "" }
      try sandbox.todo("rename", "1", String(repeating: "Pay the rent. ", count: 6))
      try terminal.wait("the new text") { $0[0].contains("Pay the rent. Pay") && $0[1].hasSuffix("Buy milk") && $0[2] == "" }
      try sandbox.todo("import", "-", input: Array("3\n4\n5\n6\n".utf8))
      try terminal.wait("the first lines") { $0[3] == "… 3 more: 'todo list'" }
    }
  }
}
