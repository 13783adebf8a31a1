import Foundation

/// The commands of the system that some tests run.
enum SystemCommand {
  /// The first executable with the name in `PATH`; nil if there is none.
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether tests that need the command run. Without it they are skipped with a message. With `CI=true` they fail instead.
  static func isExpected(_ name: String) -> Bool { path(name) != nil || ProcessInfo.processInfo.environment["CI"] == "true" }
}
