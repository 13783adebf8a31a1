import Alter
import AlterTesting
import Foundation
import ProcessTesting
import Testing

@Suite("A failure's printed code")
struct ReproductionTests {
  @Test(
    "compiles, and shows the same failure again in another process", .enabled(if: Compiler.isThere, "needs swiftc and this build's modules")
  )
  func compilesAndFailsAgain() throws {
    // Changes of every kind, so that the code covers all of them.
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

/// The compiler, with the modules with which this test was built.
private enum Compiler {
  /// The folder with the products of this build.
  static let products: URL? = {
    let candidates = Product.folders.map { URL(fileURLWithPath: $0) }
    return candidates.first { FileManager.default.fileExists(atPath: $0.appending(path: "Modules/AlterTesting.swiftmodule").path) }
  }()

  static let executable: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: "\($0)/swiftc") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isThere: Bool { products != nil && executable != nil }

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// The output of a program.
  static func run(_ program: String, with sources: [URL]) throws -> String {
    let products = try #require(products)
    let folder = try Folder()
    let main = folder.url.appending(path: "main.swift")
    try program.write(to: main, atomically: true, encoding: .utf8)
    let modules = [
      "_AlterTerminal", "AlterCore", "AlterCollections", "AlterMacros", "AlterJournal", "AlterStore", "AlterFeedback", "Alter",
      "AlterTesting",
    ]
    let objects = try modules.flatMap { module in
      try FileManager.default.contentsOfDirectory(at: products.appending(path: "\(module).build"), includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "o" }.map(\.path)
    }
    let binary = folder.url.appending(path: "program")
    // The objects may contain coverage counters. Otherwise this flag has no effect.
    let arguments =
      (sanitizer.map { ["-sanitize=\($0)"] } ?? []) + [
        "-swift-version", "6", "-profile-generate", "-I", products.appending(path: "Modules").path, "-o", binary.path, main.path,
      ]
      + sources.map(\.path) + objects
    _ = try output(of: try #require(executable), arguments, in: folder.url)
    return try output(of: binary, [], in: folder.url)
  }

  /// The sanitizer with which the linked objects were compiled.
  private static var sanitizer: String? {
    dlsym(nil, "__tsan_init") != nil ? "thread" : dlsym(nil, "__asan_init") != nil ? "address" : nil
  }

  private static func output(of executable: URL, _ arguments: [String], in folder: URL) throws -> String {
    let outcome = try ChildProcess.run([executable.path] + arguments, in: folder.path, mergesErrors: true)
    guard outcome.status == 0 else {
      throw Failed(description: "\(executable.lastPathComponent) ended with \(outcome.status):\n\(outcome.output.suffix(4_000))")
    }
    return outcome.output
  }
}
