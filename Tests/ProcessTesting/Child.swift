import Foundation

/// A command that must succeed, and its output.
public struct Child: Sendable {
  /// The error of a command that ended with a status other than 0.
  public struct Failure: Error, CustomStringConvertible {
    /// The command.
    public let command: [String]
    /// Its exit status.
    public let status: Int32
    /// The whole output.
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
  ///   - command: The path of the executable and its arguments.
  ///   - environment: Additional variables.
  ///   - input: A descriptor for the standard input; nil for an empty input.
  public init(_ command: [String], environment: [String: String] = [:], input: Int32? = nil) throws {
    self.command = command
    output = try NamelessFile()
    process = try ChildProcess(
      command, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      streams: [input, output.descriptor, output.descriptor])
  }

  /// Waits for the end of the command. Blocks.
  ///
  /// - Returns: The output.
  /// - Throws: ``Failure`` if the status is not 0.
  @discardableResult
  public func wait() throws -> String { try result(process.wait()) }

  /// Waits for the end of the command.
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
