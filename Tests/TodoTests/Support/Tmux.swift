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

  private let sandbox: Sandbox
  private let path: String

  /// Starts `todo watch` in a terminal; what follows its end, and how the terminal then is, shows on the same terminal.
  init(_ sandbox: Sandbox, columns: Int = 60, rows: Int = 12) throws {
    self.sandbox = sandbox
    path = try #require(Tmux.path, "tmux is not installed, and CI=true: script/test installs it")
    let script = """
      stty -g >\(sandbox.folder)/before
      sh -c 'echo $$ >\(sandbox.folder)/pid; exec \(sandbox.executable) watch --wait 1'
      echo "ended with $?"
      stty -g >\(sandbox.folder)/after
      cmp \(sandbox.folder)/before \(sandbox.folder)/after && echo "the terminal is as it was"
      exec cat
      """
    let file = try sandbox.write(Array(script.utf8), to: "watch.sh")
    let outcome = try tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", file)
    try #require(outcome.status == 0, "\(outcome)")
  }

  deinit {
    let pid = (try? tmux("display-message", "-p", "#{pid}"))?.output.split(separator: "\n").first.flatMap { pid_t($0) }
    _ = try? tmux("kill-server")
    // A server that has been told to end waits for what it believes to be still there, sometimes for ever.
    if let pid { kill(pid, SIGKILL) }
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> Outcome {
    try sandbox.run([path, "-u", "-S", sandbox.folder + "/tmux"] + arguments, environment: ["LC_ALL": "C.UTF-8"])
  }

  /// Presses keys, by tmux's names.
  func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }

  /// Types a text.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Makes the terminal another size.
  func resize(columns: Int, rows: Int) throws { try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

  /// What the terminal shows.
  func screen() throws -> [String] {
    try tmux("capture-pane", "-p").output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// One of tmux's variables, such as `alternate_on`.
  func variable(_ name: String) throws -> String {
    try tmux("display-message", "-p", "#{\(name)}").output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Looks until the terminal shows what is expected. Each look takes a few milliseconds; after many the test fails.
  @discardableResult
  func wait(_ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isShown: ([String]) throws -> Bool) throws -> [String]
  {
    var lines: [String] = []
    for _ in 0..<2_000 {
      lines = try screen()
      if try isShown(lines) { return lines }
    }
    Issue.record("never shown: \(what)\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// The process of `todo watch`.
  func process() throws -> pid_t {
    try #require(pid_t(String(decoding: sandbox.bytes(of: "pid"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}
