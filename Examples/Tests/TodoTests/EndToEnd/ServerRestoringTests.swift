import Foundation
import ProcessTesting
import Testing
import TodoTesting

extension EndToEnd {
  /// The decision of an operator about a list from an older backup.
  @Suite("A restored todo-server", .timeLimit(.minutes(60))) struct ServerRestoringTests {
    let ann: Sandbox
    let bob: Sandbox
    let server: TodoServerProcess

    init() throws {
      (ann, bob) = (try Sandbox(), try Sandbox())
      server = try TodoServerProcess()
      try server.share(ann, with: bob)
      try ann.todo("add", "Pay rent")
      try ann.synced()
      try bob.synced()
      let (lists, backup) = (server.folder + "/lists", server.folder + "/backup")
      server.kill()
      try FileManager.default.copyItem(atPath: lists, toPath: backup)
      try server.restart()
      try ann.todo("add", "Buy bread")
      try ann.synced()
      server.kill()
      try FileManager.default.removeItem(atPath: lists)
      try FileManager.default.moveItem(atPath: backup, toPath: lists)
    }

    @Test("'recover' prints its plan, and then takes the lost change from a device; the devices continue") func recover() throws {
      let plan = try server.admin("recover", "ann/todo", "--from", ann.store + ".device", "--dry-run")
      #expect(plan.status == 0 && plan.lines.last == "Nothing was changed.", "\(plan)")
      #expect(plan.lines.first?.hasPrefix("ann/todo ends at revision ") == true, "\(plan)")
      try server.restart()
      let running = try server.admin("recover", "ann/todo", "--from", ann.store + ".device")
      #expect(running.status == 64 && running.errors.contains("the server is running"), "\(running)")
      server.kill()
      #expect(try server.admin("recover", "ann/nothing", "--from", ann.store + ".device").errors.contains("there is no list 'ann/nothing'"))
      let done = try server.admin("recover", "ann/todo", "--from", ann.store + ".device")
      #expect(done.status == 0 && done.lines == plan.lines.dropLast() + ["Done. The server can start."], "\(done)")
      try server.restart()
      #expect(try ann.synced().status == 0)
      #expect(try bob.synced().status == 0)
      #expect(try bob.texts() == ["Pay rent", "Buy bread"])
    }

    @Test("'discard' prints its plan, and then the lost change is one that its user can make again") func discard() throws {
      let plan = try server.admin("discard", "ann/todo", "--dry-run")
      #expect(plan.status == 0 && plan.lines.last == "Nothing was changed.", "\(plan)")
      #expect(try server.admin("discard", "ann/todo").lines == plan.lines.dropLast() + ["Done. The server can start."])
      try server.restart()
      let synced = try ann.synced()
      #expect(synced.output.contains("1 change refused"), "\(synced)")
      #expect(try ann.texts() == ["Pay rent"])
      try ann.todo("refused", "--retry", "--all")
      try ann.synced()
      try bob.synced()
      #expect(try bob.texts() == ["Pay rent", "Buy bread"])
    }
  }
}
