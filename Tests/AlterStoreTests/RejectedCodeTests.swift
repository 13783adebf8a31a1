import Foundation
import ProcessTesting
import Testing

@Suite("The compiler")
struct RejectedCodeTests {
  private static let model = """
    import Alter

    struct Counter: Alterable {
      enum Change: Sendable { case add(Int) }
      private(set) var count = 0
      mutating func apply(_ change: Change, at stamp: Stamp) { if case .add(let number) = change { count += number } }
    }

    """

  /// The compiler's errors for some code, against the modules with which these tests were built.
  private func errors(in code: String) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alter-code-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("code.swift")
    try Data((Self.model + code).utf8).write(to: file)
    let modules = Product.folders.flatMap { ["-I", "\($0)/Modules"] }
    let command = ["/usr/bin/env", "swiftc", "-typecheck", "-swift-version", "6", file.path] + modules
    let outcome = try await onThread { Result { try ChildProcess.run(command) } }.get()
    return outcome.output + outcome.errors
  }

  @Test("takes a change, several and a list of them, and no call without any")
  func noChange() async throws {
    let accepted = """
      func use(_ store: Store<Counter>) throws {
        try store.change(.add(1))
        try store.change(.add(1), .add(2))
        try store.change(.add(1), .add(2), .add(3), cause: nil)
        try store.change([])
      }
      """
    #expect(try await errors(in: accepted) == "")
    #expect(try await errors(in: "func use(_ store: Store<Counter>) throws { try store.change() }").contains("error: "))
  }
}
