import Foundation

/// A command that is to succeed, and what it writes.
public struct Child: Sendable {
  /// A command that ended with another status than 0.
  public struct Failure: Error, CustomStringConvertible {
    /// The command.
    public let command: [String]
    /// Its exit status.
    public let status: Int32
    /// All that it wrote.
    public let output: String
    /// The command, its status and its output.
    public var description: String { "\(command.joined(separator: " ")) ended with \(status): \(output)" }
  }

  private let process: ChildProcess
  private let command: [String]
  private let output: NamelessFile

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: The executable's path, and what follows.
  ///   - environment: More variables.
  ///   - input: The descriptor that becomes its standard input; nil for nothing to read.
  public init(_ command: [String], environment: [String: String] = [:], input: Int32? = nil) throws {
    self.command = command
    output = try NamelessFile()
    process = try ChildProcess(
      command, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      streams: [input, output.descriptor, output.descriptor])
  }

  /// Waits for its end. Blocks.
  ///
  /// - Returns: What it wrote.
  /// - Throws: ``Failure`` when it did not end with 0.
  @discardableResult
  public func wait() throws -> String { try result(process.wait()) }

  /// Waits for its end.
  @discardableResult
  public func end() async throws -> String { try result(await process.ended()) }

  private func result(_ status: Int32) throws -> String {
    let text = String(decoding: output.bytes, as: UTF8.self)
    guard status == 0 else { throw Failure(command: command, status: status, output: text) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs a command to its end. Blocks.
  @discardableResult
  public static func run(_ command: [String]) throws -> String { try Child(command).wait() }
}
