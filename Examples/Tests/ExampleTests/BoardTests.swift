#if Macros
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("The README's example") struct BoardTests {
    @Test("prints what the README says that it prints")
    func output() throws {
      let folder = try Folder()
      let outcome = try ChildProcess.run([Product.path("board")], environment: Example.environment, in: folder.path, mergesErrors: true)
      #expect(outcome.status == 0, "\(outcome)")
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../README.md")
      let readme = try String(contentsOf: file, encoding: .utf8)
      #expect(readme.contains("```\n\(outcome.output)```\n"), "the README shows another output:\n\(outcome.output)")
    }

    @Test("a second run finds the card of the first, and says so")
    func again() throws {
      let folder = try Folder()
      func run() throws -> Outcome {
        try ChildProcess.run([Product.path("board")], environment: Example.environment, in: folder.path, mergesErrors: true)
      }
      #expect(try run().status == 0)
      let second = try run()
      #expect(second.status == 0 && second.output.split(separator: "\n").count == 2, "\(second)")
    }
  }
#endif
