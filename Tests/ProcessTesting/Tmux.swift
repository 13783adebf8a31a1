public import Foundation
public import Testing

/// A terminal that a test reads and types into, by tmux.
public final class Tmux {
  private static let path = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether these tests run. Without tmux they are skipped with a message. With `CI=true` they fail instead.
  public static var isExpected: Bool { path != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

  private let home: Folder
  private var folder: String { home.path }
  private let path: String
  private let environment: [String: String]

  /// Starts a command in a terminal. After its end the terminal shows its exit status, and whether it restored the terminal.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments, without characters that are special in a shell.
  ///   - environment: The whole environment.
  ///   - columns: The width of the terminal.
  ///   - rows: The height of the terminal.
  public init(_ command: [String], environment: [String: String], columns: Int = 80, rows: Int = 10) throws {
    path = try #require(Tmux.path, "tmux is not installed, and CI=true: script/test installs it")
    self.environment = environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    home = try Folder()
    let script = """
      stty -g >\(folder)/before
      sh -c 'echo $$ >\(folder)/pid; exec \(command.joined(separator: " "))'
      echo "ended with $?"
      stty -g >\(folder)/after
      cmp \(folder)/before \(folder)/after && echo "the terminal is as it was"
      exec cat
      """
    try script.write(toFile: folder + "/script", atomically: true, encoding: .utf8)
    try tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", folder + "/script")
  }

  deinit {
    let pid = (try? tmux("display-message", "-p", "#{pid}"))?.split(separator: "\n").first.flatMap { pid_t($0) }
    _ = try? tmux("kill-server")
    // A server that is asked to exit waits for processes that it believes to exist, sometimes forever.
    if let pid { kill(pid, SIGKILL) }
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    try ChildProcess.run([path, "-u", "-S", folder + "/tmux"] + arguments, environment: environment, mergesErrors: true).output
  }

  /// Presses keys, given by tmux's names.
  public func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }

  /// Types a text.
  public func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Resizes the terminal.
  public func resize(columns: Int, rows: Int) throws { try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

  /// The lines that the terminal shows.
  public func screen() throws -> [String] {
    try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// One of tmux's variables, such as `alternate_on`.
  public func variable(_ name: String) throws -> String {
    try tmux("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Reads the terminal until it shows the expected content. Each try takes a few milliseconds. After many tries the test fails.
  @discardableResult
  public func wait(_ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isShown: ([String]) throws -> Bool) throws
    -> [String]
  {
    var lines: [String] = []
    for _ in 0..<2_000 {
      lines = try screen()
      if try isShown(lines) { return lines }
    }
    Issue.record("never shown: \(what)\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// The process of the command.
  public func process() throws -> pid_t {
    try #require(pid_t(String(contentsOfFile: folder + "/pid", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}
