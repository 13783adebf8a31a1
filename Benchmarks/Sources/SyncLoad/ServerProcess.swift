import Foundation

/// A server in a process of its own: `sync-load serve`.
final class ServerProcess {
  private let process = Process()
  private let input = Pipe()
  let port: Int

  var id: Int32 { process.processIdentifier }

  /// Starts a server, and waits until it listens.
  init(_ place: [String]) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["serve"] + place
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = Data()
    while !text.contains(10) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure("the server has ended") }
      text += more
    }
    guard let port = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.flatMap({ Int($0) }) else {
      throw Failure("the server has no port: \(String(decoding: text, as: UTF8.self))")
    }
    self.port = port
  }

  /// Ends the server by SIGTERM.
  ///
  /// - Returns: Its exit status; nil if a signal has ended it.
  func end() -> Int32? {
    process.terminate()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }
}
