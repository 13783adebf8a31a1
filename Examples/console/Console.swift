// Input and output by lines, for all examples.

import Foundation
import _AlterTerminal

/// Prints a line without buffering, also to a pipe. Characters that would act on the terminal, such as those in a name that another process
/// has stored, are shown as symbols.
public func say(_ line: String) { FileHandle.standardOutput.write(Data((line.printable + "\n").utf8)) }

/// Prints the message to the standard error and exits with status 1.
public func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message.printableLines + "\n").utf8))
  exit(1)
}

/// The lines of the standard input, as the user types them. A separate thread reads them. Call this function only once.
public func inputLines() -> AsyncStream<String> {
  AsyncStream { lines in
    Thread.detachNewThread {
      while let line = readLine() { lines.yield(line) }
      lines.finish()
    }
  }
}
