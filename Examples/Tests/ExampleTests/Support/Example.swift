import Foundation
import ProcessTesting
import Testing

/// An example that runs in a process of its own. What it prints, on either of its streams, is read line by line; its input is written when the test wants to.
final class Example {
  private let process: LineProcess

  /// The usual few variables, and nothing of the tests' own.
  static let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "LC_ALL": "C.UTF-8"]

  /// Starts an example.
  convenience init(_ name: String, _ arguments: String...) throws { try self.init(name, list: arguments) }

  init(_ name: String, list arguments: [String]) throws {
    process = try LineProcess([Product.path(name)] + arguments, environment: Self.environment, mergesErrors: true)
  }

  /// The lines that were read so far.
  var lines: [String] { process.lines }

  /// The next line that it prints; nil when it has ended.
  func readLine() -> String? { process.readLine() }

  /// Reads until it prints a line with this in it.
  @discardableResult
  func read(until text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    while let line = readLine() { if line.contains(text) { return line } }
    Issue.record("'\(text)' was never printed, but:\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Types a line.
  func type(_ line: String) { process.say(line) }

  /// Ends its input, and reads what it still says.
  ///
  /// - Returns: Its exit status.
  @discardableResult
  func end() -> Int32 {
    process.closeInput()
    process.readLines()
    return process.child.wait()
  }

  /// Runs an example to its end.
  ///
  /// - Returns: What it printed.
  static func run(
    _ name: String, _ arguments: String..., input: String = "", status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let outcome = try ChildProcess.run(
      [Product.path(name)] + arguments, environment: environment, input: Array(input.utf8), mergesErrors: true)
    #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }
}
