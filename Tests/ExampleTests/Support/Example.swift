import Foundation
import Testing

/// An example that runs in a process of its own. Its output is read line by line, its input written when the test wants to.
final class Example {
  struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    var description: String { "The executable '\(name)' is not beside the tests. Build it with script/test." }
  }

  let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()
  /// The lines that were read so far.
  private(set) var lines: [String] = []

  /// Starts an example.
  convenience init(_ name: String, _ arguments: String...) throws { try self.init(name, list: arguments) }

  init(_ name: String, list arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: try Example.path(name))
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    // Of the pipes only these two ends are the test's; nobody else may inherit them.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(output.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Where the built examples are: beside the test bundle.
  static func path(_ name: String) throws -> String {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let places = bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.executableURL].compactMap { $0 }
    for place in places {
      let path = place.deletingLastPathComponent().path + "/" + name
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw NotBuilt(name: name)
  }

  /// The next line that it prints, on either of its streams; nil when it has ended.
  func readLine() -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        lines.append(line)
        return line
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      pending += more
    }
  }

  /// Reads until it prints a line with this in it.
  @discardableResult
  func read(until text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    while let line = readLine() { if line.contains(text) { return line } }
    Issue.record("'\(text)' was never printed, but:\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Types a line.
  func type(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  /// Ends its input, and reads what it still says.
  ///
  /// - Returns: Its exit status.
  @discardableResult
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    while readLine() != nil {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Runs an example to its end.
  ///
  /// - Returns: What it printed.
  static func run(
    _ name: String, _ arguments: String..., input: [String] = [], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let example = try Example(name, list: arguments)
    for line in input { try example.type(line) }
    #expect(try example.end() == status, "\(example.lines)", sourceLocation: sourceLocation)
    return example.lines
  }
}

/// A folder that is gone after the test.
final class Folder {
  let path = FileManager.default.temporaryDirectory.path + "/example-test-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}
