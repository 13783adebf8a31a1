#if Macros
  import Foundation
  import ProcessTesting

  /// Runs the Swift compiler, to show that some code does not compile.
  enum Compiler {
    /// The first `swiftc` in `PATH`.
    private static let path = SystemCommand.path("swiftc")

    /// Whether there is a compiler. Without one these tests are skipped.
    static var isThere: Bool { path != nil }

    /// The source of a file of the cookies example.
    static func source(_ name: String) throws -> String {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../cookies/CookiesCore")
      return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    /// The errors of the compiler and of the macros for a source, which is compiled against the modules with which these tests were built.
    static func errors(in source: String) throws -> [String] {
      let folder = try Folder()
      let file = folder.path("Source.swift")
      try source.write(toFile: file, atomically: true, encoding: .utf8)
      let command =
        [path ?? "", "-typecheck", "-parse-as-library", "-swift-version", "6", "-diagnostic-style", "llvm", "-D", "Macros", file]
        + Product.folders.flatMap { ["-I", "\($0)/Modules"] }
        + ["-load-plugin-executable", "\(try Product.path("AlterMacrosPlugin-tool"))#AlterMacrosPlugin"]
      let environment = Example.environment.merging(["HOME": folder.path]) { $1 }
      return try ChildProcess.run(command, environment: environment, mergesErrors: true).lines.filter { $0.contains("error: ") }
    }
  }
#endif
