// What the examples share of the world outside: lines in, lines out.

import Foundation

/// Prints a line at once, to a pipe, too.
public func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Prints what went wrong, and ends the process.
public func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(1)
}

/// The lines of the standard input, as they are typed. A thread of its own waits for them; call it once.
public func inputLines() -> AsyncStream<String> {
  AsyncStream { lines in
    Thread.detachNewThread {
      while let line = readLine() { lines.yield(line) }
      lines.finish()
    }
  }
}

/// The folder of the running program, where the programs that were built with it are, too.
public var programFolder: URL { (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent() }
