#if SQLite
  import AlterCore
  import Foundation
  import Testing

  /// A `feedback-worker` process, line by line.
  final class Worker: Sendable {
    private struct Output {
      var lines: [String] = []
      var isOver = false
      var watchers: [(prefix: String, count: Int, continuation: CheckedContinuation<String?, Never>)] = []

      func line(_ number: Int, startingWith prefix: String) -> String? {
        let found = lines.filter { $0.hasPrefix(prefix) }
        return found.count >= number ? found[number - 1] : nil
      }
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Lock(Output())

    init(_ path: String, lease: Int = 1_000) throws {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? URL(filePath: CommandLine.arguments[0])
      process.executableURL = bundle.deletingLastPathComponent().appending(path: "feedback-worker")
      process.arguments = [path, "\(lease)"]
      let pipe = Pipe()
      process.standardInput = input
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      Thread.detachNewThread { [self] in
        // The pipe is open as long as this closure holds it.
        defer { withExtendedLifetime(pipe) {} }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          guard count > 0 else { break }
          for byte in buffer[..<count] {
            if byte == UInt8(ascii: "\n") {
              note(String(decoding: line, as: UTF8.self))
              line = []
            } else {
              line.append(byte)
            }
          }
        }
        note(nil)
      }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    private func note(_ line: String?) {
      let met: [(CheckedContinuation<String?, Never>, String?)] = output.withLock { output in
        if let line { output.lines.append(line) } else { output.isOver = true }
        var met: [(CheckedContinuation<String?, Never>, String?)] = []
        let watchers = output.watchers
        output.watchers = []
        for watcher in watchers {
          let found = output.line(watcher.count, startingWith: watcher.prefix)
          if found != nil || output.isOver { met.append((watcher.continuation, found)) } else { output.watchers.append(watcher) }
        }
        return met
      }
      for (continuation, line) in met { continuation.resume(returning: line) }
    }

    /// Waits for the n-th line that starts so. Nil when the process ends without.
    func line(_ prefix: String, _ number: Int = 1) async -> String? {
      await withCheckedContinuation { continuation in
        let known: String?? = output.withLock { output in
          if let line = output.line(number, startingWith: prefix) { return .some(line) }
          if output.isOver { return .some(nil) }
          output.watchers.append((prefix, number, continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    }

    /// How many lines have come that start so.
    func count(_ prefix: String) -> Int { output.withLock { $0.lines.count { $0.hasPrefix(prefix) } } }

    func say(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Kills it, and waits until it is gone.
    func end() {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }

    /// Asks it to end in good order.
    func close() {
      say("close")
      process.waitUntilExit()
    }
  }
#endif
