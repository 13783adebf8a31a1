import Foundation
import ProcessTesting
import Testing

/// An example that runs as a separate process. A test reads both of its output streams line by line, and writes its input.
final class Example: Sendable {
  private let process: LineProcess

  /// The environment of the example: a few common variables, and none of the test process.
  static let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "LC_ALL": "C.UTF-8"]

  /// Starts an example.
  init(_ name: String, _ arguments: String...) throws {
    process = try LineProcess([Product.path(name)] + arguments, environment: Self.environment, mergesErrors: true)
  }

  /// The lines that were read so far.
  var lines: [String] { process.lines }

  /// The next line of the output; nil after the process has ended.
  func readLine() -> String? { process.readLine() }

  /// Reads until a line contains the text.
  @discardableResult
  func read(until text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    while let line = readLine() { if line.contains(text) { return line } }
    Issue.record("'\(text)' was never printed, but:\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Writes a line to the input.
  func type(_ line: String) { process.say(line) }

  /// Closes the input and reads the remaining output.
  ///
  /// - Returns: The exit status.
  @discardableResult
  func end() -> Int32 {
    process.closeInput()
    process.readLines()
    return process.child.wait()
  }

  /// Kills the example.
  ///
  /// - Returns: The exit status.
  func kill() -> Int32 { process.child.end() }

  /// The README of an example.
  static func readme(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(name)")
    return try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
  }

  /// Runs an example to its end.
  ///
  /// - Returns: The lines of its output.
  static func run(
    _ name: String, _ arguments: String..., list: [String] = [], input: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let outcome = try ChildProcess.run(
      [Product.path(name)] + arguments + list, environment: environment, input: Array(input.utf8), mergesErrors: true)
    #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }
}
