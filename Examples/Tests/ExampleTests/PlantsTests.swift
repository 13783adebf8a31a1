import Foundation
import ProcessTesting
import Testing

/// Runs the program of the guide "Getting started" as a user does.
@Suite("The program of Getting started")
struct PlantsTests {
  /// Runs `plants` in a folder.
  func plants(_ words: String..., in folder: Folder) throws -> Outcome {
    try ChildProcess.run([Product.path("plants")] + words, in: folder.path, mergesErrors: true)
  }

  @Test("keeps its data, refuses what makes no sense, and undoes what another process did")
  func tour() throws {
    let folder = try Folder()
    #expect(try plants("plant", "Fern", in: folder).output == "Fern, window, never watered\n")
    #expect(try plants("water", "Fern", in: folder).output == "Fern, window, watered\n")
    #expect(
      try plants("plant", "Fern", in: folder).output
        == "The change was refused: The Plant 'Fern' is there already.\nFern, window, watered\n")
    #expect(try plants("undo", in: folder).output == "Fern, window, never watered\n")
    let log = try plants("log", in: folder)
    #expect(log.status == 0)
    let lines = log.output.split(separator: "\n")
    #expect(lines.prefix(3) == ["1 initial (plants: [])", #"2 .plant(id: "Fern", place: "window")"#, #"3 .change("Fern", .watered)"#])
    #expect(lines.dropFirst(3).first?.wholeMatch(of: /4 undo of [0-9a-f]{8}#[0-9]+/) != nil)
    #expect(lines.dropFirst(4) == ["Fern, window, never watered"])
    #expect(try plants("redo", in: folder).output == "Fern, window, watered\n")
  }

  @Test("reports a file that it can't open in one line, and fails")
  func unreadable() throws {
    let folder = try Folder()
    try Data("not a journal".utf8).write(to: URL(fileURLWithPath: folder.path("garden.db")))
    let outcome = try plants("log", in: folder)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.hasPrefix("Journal 'garden.db' is a file of another kind"), "\(outcome)")
    #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome)")
  }
}
