import Foundation
import ProcessTesting
import Testing

extension EndToEnd {
  /// `todo` alone in a folder, as `script/build` makes it.
  @Suite("Without the programs beside it, todo") struct CompanionTests {
    let sandbox: Sandbox
    let alone: String

    init() throws {
      sandbox = try Sandbox()
      alone = sandbox.folder + "/todo"
      // By another process: a child of another test that starts meanwhile would have inherited the descriptor that writes the copy, and a program
      // that is open for writing can't be started.
      let copying = try ChildProcess.run(["/bin/cp", sandbox.executable, alone])
      try #require(copying.status == 0, "\(copying)")
    }

    @Test(
      "says what to build for a command that needs one of them",
      arguments: [
        (["serve"], "web"), (["serve", "--help"], "web"), (["inspect", "serve", "--port", "0"], "web"), (["sync"], "sync"),
        (["refused"], "sync"),
      ])
    func missing(_ arguments: [String], _ program: String) throws {
      let outcome = try sandbox.run([alone] + arguments)
      #expect(outcome.status == 73 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("'todo-\(program)'"), "\(outcome)")
      #expect(outcome.errors.hasSuffix("Run 'script/build \(program)', then this again.\n"), "\(outcome)")
    }

    @Test("says the same about a list that is synced") func synced() throws {
      try sandbox.write([], to: "list.alter.sync")
      let outcome = try sandbox.run([alone, "list"])
      #expect(outcome.status == 73 && outcome.errors.contains("Run 'script/build sync'"), "\(outcome)")
    }

    @Test("has every other command, and describes all of them") func others() throws {
      #expect(try sandbox.run([alone, "add", "Pay rent"]).status == 0)
      #expect(try sandbox.run([alone, "list"]).output.contains("Pay rent"))
      #expect(try sandbox.run([alone, "inspect", "log"]).status == 0)
      for arguments in [["--help"], ["inspect", "--help"], ["help"], ["--generate-completion-script", "bash"]] {
        let outcome = try sandbox.run([alone] + arguments)
        #expect(outcome.status == 0 && outcome.output.contains("serve"), "\(outcome)")
      }
    }
  }
}
