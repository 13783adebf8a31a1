/// Signals as bytes in a pipe: their numbers.
///
/// A signal handler may only write to the pipe. A dispatch source alone would miss a signal that arrives before it is set up.
enum SignalPipe {
  // Written once, before the handlers are installed.
  nonisolated(unsafe) private static var writing: Int32 = -1

  /// From now on, writes the given signals to a pipe.
  ///
  /// - Returns: The reading end.
  /// - Throws: ``CommandError`` if the pipe can't be created.
  static func open(_ signals: [Int32]) throws(CommandError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CommandError(.ioError, "can't watch for signals: \(systemMessage())") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A handler must never block.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writing = ends[1]
    for number in signals {
      signal(number) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.writing, &byte, 1)
        // If the process can't end in order, the second one ends it.
        signal(number, SIG_DFL)
        errno = code
      }
    }
    return ends[0]
  }
}
