import Foundation
import Testing

/// The program of the guide "Getting started", as a person runs it.
@Suite("The program of Getting started")
struct PlantsTests {
  struct Run {
    let output: String
    let status: Int32
  }

  /// Runs `plants` in a folder.
  func plants(_ words: String..., in folder: URL) throws -> Run {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? URL(filePath: CommandLine.arguments[0])
    let file = folder.appending(path: "output-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let output = try FileHandle(forWritingTo: file)
    let process = Process()
    process.executableURL = bundle.deletingLastPathComponent().appending(path: "plants")
    process.arguments = words
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    try output.close()
    return Run(output: try String(contentsOf: file, encoding: .utf8), status: process.terminationStatus)
  }

  @Test("keeps its data, refuses what makes no sense, and undoes what another process did")
  func tour() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "alter-plants-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try plants("plant", "Fern", in: folder).output == "Fern, window, never watered\n")
    #expect(try plants("water", "Fern", in: folder).output == "Fern, window, watered\n")
    #expect(
      try plants("plant", "Fern", in: folder).output
        == "The change was refused: There is already a Plant Fern.\nFern, window, watered\n")
    #expect(try plants("undo", in: folder).output == "Fern, window, never watered\n")
    let log = try plants("log", in: folder)
    #expect(log.status == 0)
    let lines = log.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[2].hasPrefix("3 changes([plants.Garden.Change.change(\"Fern\", plants.Plant.Change.watered)])"))
    #expect(lines[3].hasPrefix("4 undo(["))
    #expect(try plants("redo", in: folder).output == "Fern, window, watered\n")
  }
}
