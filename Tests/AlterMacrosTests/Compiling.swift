#if Macros
  import Foundation
  import ProcessTesting

  /// Compiles a source with the macros, against the modules with which these tests were built.
  func compile(_ source: String, _ flags: [String] = []) async throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alter-code-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Models.swift").path
    try Data(source.utf8).write(to: URL(fileURLWithPath: file))
    let plugin = try Product.path("AlterMacrosPlugin-tool")
    let command =
      ["/usr/bin/env", "swiftc", "-c", "-parse-as-library", "-swift-version", "6", file, "-o", file + ".o"]
      + Product.folders.flatMap { ["-I", "\($0)/Modules"] } + ["-load-plugin-executable", "\(plugin)#AlterMacrosPlugin"] + flags
    return try await onThread { Result { try ChildProcess.run(command) } }.get()
  }
#endif
