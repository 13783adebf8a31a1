import Foundation
import ProcessTesting
import Testing

extension EndToEnd {
  @Suite("todo inspect") struct InspectTests {
    @Test("knows the app's types: states, differences, conditions")
    func typed() throws {
      let sandbox = try Sandbox()
      #expect(try sandbox.todo("inspect", "log", "--journal", sandbox.store).status == 66)
      for arguments in [["add", "Milk"], ["add", "Bread"], ["done", "1"], ["done", "2"], ["undo"]] {
        #expect(try sandbox.run([sandbox.executable] + arguments).status == 0)
      }
      #expect(try sandbox.todo("inspect", "log").output.split(separator: "\n").count == 6)
      #expect(try sandbox.todo("inspect", "log", sandbox.store).output == sandbox.todo("inspect", "log", "--journal", sandbox.store).output)
      #expect(try sandbox.todo("inspect", "log", sandbox.store, "--journal", sandbox.store).status == 64)
      #expect(try sandbox.todo("inspect", "show", "3", "--path", "/items/1/text").output.contains("Bread"))
      #expect(try sandbox.todo("inspect", "diff", "3", "4").output.contains(".completed: false → true"))
      let bisected = try sandbox.todo("inspect", "bisect", "all-done", "--scan")
      #expect(bisected.output.hasPrefix("The condition changed from false to true at revision 5"))
      #expect(try sandbox.todo("inspect", "bisect", "nothing").status == 66)
      #expect(try sandbox.todo("inspect", "verify").status == 0)
    }
  }
}
