import Foundation
import Testing

/// An example that runs in a process of its own. Its output is read line by line, its input written when the test wants to.
final class Example {
  struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    var description: String { "The executable '\(name)' is not beside the tests. Build it with script/test." }
  }

  let child: ChildProcess
  private var input: Int32?
  private let output: Int32
  private var pending: [UInt8] = []
  /// The lines that were read so far.
  private(set) var lines: [String] = []

  /// Starts an example.
  convenience init(_ name: String, _ arguments: String...) throws { try self.init(name, list: arguments) }

  init(_ name: String, list arguments: [String]) throws {
    let path = try Example.path(name)
    (child, input, output) = try ChildProcess.starting.withLock {
      let (input, output) = (try ClosedPipe(), try ClosedPipe())
      defer { for end in [input.reading, output.writing] { close(end) } }
      let child = try ChildProcess([path] + arguments, streams: [input.reading, output.writing, output.writing])
      return (child, input.writing, output.reading)
    }
  }

  deinit {
    if let input { close(input) }
    close(output)
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
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = Foundation.read(output, &buffer, buffer.count)
      guard count > 0 else { return nil }
      pending += buffer[..<count]
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
  func type(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    if let input { _ = write(input, bytes, bytes.count) }
  }

  /// Ends its input, and reads what it still says.
  ///
  /// - Returns: Its exit status.
  @discardableResult
  func end() -> Int32 {
    if let input { close(input) }
    input = nil
    while readLine() != nil {}
    return child.wait()
  }

  /// Runs an example to its end.
  ///
  /// - Returns: What it printed.
  static func run(
    _ name: String, _ arguments: String..., input: String = "", status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let folder = try Folder()
    try input.write(toFile: folder.file("input"), atomically: true, encoding: .utf8)
    let line = try "exec \(([path(name)] + arguments).map { "'\($0)'" }.joined(separator: " ")) <\(folder.file("input"))"
    let (ended, output) = try ChildProcess.run(["/bin/sh", "-c", line], in: folder)
    #expect(ended == status, "\(output)", sourceLocation: sourceLocation)
    return output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }
}
