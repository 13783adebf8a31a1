import Foundation
import ProcessTesting
import Testing

/// A terminal that a test looks at and types into, by tmux.
final class Tmux {
  static let path = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Without tmux these tests are skipped, with a word; on a machine that must run them all they fail.
  static var isExpected: Bool { path != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

  private let folder = try? Folder()
  private let path: String

  /// Starts an example in a terminal; its end shows on the same terminal.
  init(_ command: [String], columns: Int = 80, rows: Int = 10) throws {
    path = try #require(Tmux.path, "tmux is not installed, and CI=true: script/test installs it")
    let folder = try #require(folder)
    let script = """
      sh -c 'echo $$ >\(folder.file("pid")); exec \(command.joined(separator: " "))'
      echo "ended with $?"
      exec cat
      """
    try script.write(toFile: folder.file("script"), atomically: true, encoding: .utf8)
    try tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", folder.file("script"))
  }

  deinit {
    let pid = (try? tmux("display-message", "-p", "#{pid}"))?.split(separator: "\n").first.flatMap { pid_t($0) }
    _ = try? tmux("kill-server")
    // A server that has been told to end waits for what it believes to be still there, sometimes for ever.
    if let pid { kill(pid, SIGKILL) }
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    let folder = try #require(folder)
    let command = [path, "-u", "-S", folder.file("tmux")] + arguments
    return try ChildProcess.run(command, environment: Example.environment, mergesErrors: true).output
  }

  /// Presses a key, by tmux's name.
  func press(_ key: String) throws { try tmux("send-keys", key) }

  /// The process of the example.
  func process() throws -> pid_t {
    let folder = try #require(folder)
    let text = try String(contentsOfFile: folder.file("pid"), encoding: .utf8)
    return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Looks until the terminal shows what is expected. Each look takes a few milliseconds; after many the test fails.
  @discardableResult
  func wait(_ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isShown: ([String]) -> Bool) throws -> [String] {
    var lines: [String] = []
    for _ in 0..<2_000 {
      lines = try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if isShown(lines) { return lines }
    }
    Issue.record("never shown: \(what)\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    throw CancellationError()
  }
}
