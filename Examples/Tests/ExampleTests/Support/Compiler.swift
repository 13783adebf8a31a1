import Foundation
import ProcessTesting

/// Runs the Swift compiler, to show that some code does not compile.
enum Compiler {
  /// The first `swiftc` in `PATH`.
  private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swiftc" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether there is a compiler. Without one these tests are skipped.
  static var isThere: Bool { path != nil }

  /// The source of a file of the cookies example, without its import. ``stub`` replaces the declarations of Alter.
  static func source(_ name: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../cookies/CookiesCore")
    return try String(contentsOf: root.appending(path: name), encoding: .utf8).replacingOccurrences(of: "public import Alter\n", with: "")
  }

  /// The part of Alter that the checked files use. With it, the compiler needs no built module.
  private static let stub = """
    public struct Stamp: Sendable {}
    public enum Refusal: Error { case illegal(from: String, change: String) }
    public protocol Alterable: Sendable {
      associatedtype Change: Sendable
      associatedtype Failure: Error = Never
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure)
    }
    extension Alterable {
      public func alter(_ changes: Change...) throws(Failure) -> Self { self }
    }

    """

  /// The compiler's errors for a source.
  static func errors(in source: String) throws -> [String] {
    let folder = try Folder()
    try (stub + source).write(toFile: folder.file("main.swift"), atomically: true, encoding: .utf8)
    let command = [
      path ?? "", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", folder.file("main.swift"),
    ]
    let environment = Example.environment.merging(["HOME": folder.path]) { $1 }
    return try ChildProcess.run(command, environment: environment, mergesErrors: true).lines.filter { $0.contains(" error: ") }
  }
}
