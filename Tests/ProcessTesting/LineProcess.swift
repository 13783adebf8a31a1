import AlterCore
public import Foundation

/// A process whose input and output a test uses line by line.
///
/// Reading waits for a line for at most ten minutes. After that time the process counts as ended.
public final class LineProcess: Sendable {
  private struct Reader {
    let descriptor: Int32
    var pending: [UInt8] = []
    var lines: [String] = []

    /// The next line; nil at the end. Text after the last line ending is not a line.
    mutating func next() -> String? {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: pending[..<end], as: UTF8.self)
          pending.removeSubrange(...end)
          lines.append(line)
          return line
        }
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let readyCount = poll(&ready, 1, 600_000)
        if readyCount < 0, errno == EINTR { continue }
        guard readyCount > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        pending += buffer[..<count]
      }
    }
  }

  /// The process.
  public let child: ChildProcess
  private let input: Lock<Int32?>
  private let reader: Lock<Reader>

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The whole environment; that of the tests by default.
  ///   - mergesErrors: Whether the standard error is read, too.
  public init(
    _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, mergesErrors: Bool = false
  ) throws {
    // A write to a killed process must fail instead of ending the tests.
    Foundation.signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1, -1, -1]
    let isMade = ends.withUnsafeMutableBufferPointer { pipe($0.baseAddress!) == 0 && pipe($0.baseAddress! + 2) == 0 }
    guard isMade else { throw ChildProcess.SpawnError("a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in [ends[0], ends[3]] { close(end) } }
    input = Lock(ends[1])
    reader = Lock(Reader(descriptor: ends[2]))
    child = try ChildProcess(command, environment: environment, streams: [ends[0], ends[3], mergesErrors ? ends[3] : nil])
  }

  deinit {
    closeInput()
    reader.withLock { _ = close($0.descriptor) }
  }

  // MARK: Reading

  /// The lines that were read so far.
  public var lines: [String] { reader.withLock { $0.lines } }

  /// The next line; nil after the process has ended. Blocks.
  public func readLine() -> String? { reader.withLock { $0.next() } }

  /// Reads all remaining lines. Blocks.
  @discardableResult
  public func readLines() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  /// The next line that satisfies the predicate; nil after the process has ended.
  public func line(where isWanted: @escaping @Sendable (String) -> Bool = { _ in true }) async -> String? {
    await onThread {
      while let line = self.readLine() { if isWanted(line) { return line } }
      return nil
    }
  }

  // MARK: Writing

  /// Writes a line to the process. It must be shorter than a pipe's buffer.
  public func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    input.withLock { if let input = $0 { _ = write(input, bytes, bytes.count) } }
  }

  /// Closes the input of the process.
  public func closeInput() {
    input.withLock { input in
      if let input { close(input) }
      input = nil
    }
  }
}
