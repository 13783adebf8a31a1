#if Macros
  import Foundation
  import ProcessTesting

  /// Compiles a source with the macros, against the modules with which these tests were built.
  ///
  /// - Parameters:
  ///   - source: The file `Models.swift`.
  ///   - flags: More options of the compiler.
  ///   - earlier: A file of the same module that the compiler reads before.
  func compile(_ source: String, _ flags: [String] = [], after earlier: String? = nil) async throws -> Outcome {
    let folder = try ProcessTesting.Folder()
    let file = folder.path("Models.swift")
    try Data(source.utf8).write(to: URL(fileURLWithPath: file))
    var files = [file]
    if let earlier {
      files.insert(folder.path("Earlier.swift"), at: 0)
      try Data(earlier.utf8).write(to: URL(fileURLWithPath: files[0]))
    }
    let plugin = try Product.path("AlterMacrosPlugin-tool")
    let command =
      ["/usr/bin/env", "swiftc", "-c", "-parse-as-library", "-swift-version", "6", "-wmo", "-o", file + ".o"] + files
      + Product.folders.flatMap { ["-I", "\($0)/Modules"] } + ["-load-plugin-executable", "\(plugin)#AlterMacrosPlugin"] + flags
    return try await onThread { Result { try ChildProcess.run(command) } }.get()
  }
#endif
