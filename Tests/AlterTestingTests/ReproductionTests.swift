import Alter
import AlterTesting
import Foundation
import Testing

@Suite("A failure's printed code")
struct ReproductionTests {
  @Test(
    "compiles, and shows the same failure again in another process", .enabled(if: Compiler.isThere, "needs swiftc and this build's modules")
  )
  func compilesAndFailsAgain() throws {
    // Changes of every kind, so that the code has something to show.
    let changes: [Purse.Change] =
      Purse.shops.flatMap { [.earn(1), .pay(0, to: $0)] } + [.note("a \"b\" \\(c)\n\u{200B}é🧀"), .pay(5, to: Purse.shops[0])]
    let failure = try #require(Purse.neverInDebt.failure(of: changes))
    #expect(failure.changes == changes)
    let found = try #require(Purse.neverInDebt.firstFailure().failure)

    let program = """
      import Alter
      import AlterTesting
      import Foundation

      struct Told {
        func check(_ changes: [Purse.Change]) {
          Purse.neverInDebt.check(changes, reporter: FailureReporter { print($0.message) })
        }
      }
      let properties = Told()
      \(failure.source)
      print("-- next --")
      \(found.source)
      """
    let output = try Compiler.run(
      program, with: [URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Purse.swift")])
    let again = try #require(Purse.neverInDebt.failure(of: found.changes))
    #expect(output == "\(failure)\n-- next --\n\(again)\n")
  }
}

/// The compiler, used on the modules that this test was built with.
private enum Compiler {
  /// Where this build has its products.
  static let products: URL? = {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let candidates = bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.executableURL].compactMap { $0 }
    return candidates.map { $0.deletingLastPathComponent() }.first { folder in
      FileManager.default.fileExists(atPath: folder.appending(path: "Modules/AlterTesting.swiftmodule").path)
    }
  }()

  static let executable: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: "\($0)/swiftc") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isThere: Bool { products != nil && executable != nil }

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// What a program prints.
  static func run(_ program: String, with sources: [URL]) throws -> String {
    let products = try #require(products)
    let folder = FileManager.default.temporaryDirectory.appending(path: "alter-reproduction-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let main = folder.appending(path: "main.swift")
    try program.write(to: main, atomically: true, encoding: .utf8)
    let modules = [
      "AlterCore", "AlterCollections", "AlterMacros", "AlterJournal", "AlterStore", "AlterFeedback", "Alter", "AlterTesting",
    ]
    let objects = try modules.flatMap { module in
      try FileManager.default.contentsOfDirectory(at: products.appending(path: "\(module).build"), includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "o" }.map(\.path)
    }
    let binary = folder.appending(path: "program")
    // The objects may count what is covered by the tests; without that this flag does nothing.
    let arguments =
      (isUnderThreadSanitizer ? ["-sanitize=thread"] : []) + [
        "-swift-version", "6", "-profile-generate", "-I", products.appending(path: "Modules").path, "-o", binary.path, main.path,
      ]
      + sources.map(\.path) + objects
    _ = try output(of: try #require(executable), arguments, in: folder)
    return try output(of: binary, [], in: folder)
  }

  /// Then what the program is linked with was compiled for it.
  private static var isUnderThreadSanitizer: Bool { dlsym(nil, "__tsan_init") != nil }

  private static func output(of executable: URL, _ arguments: [String], in folder: URL) throws -> String {
    let file = folder.appending(path: "output-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: file, encoding: .utf8)
    guard process.terminationStatus == 0 else {
      throw Failed(description: "\(executable.lastPathComponent) ended with \(process.terminationStatus):\n\(text.suffix(4_000))")
    }
    return text
  }
}
