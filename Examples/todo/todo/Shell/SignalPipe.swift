/// Signals as bytes to read: their numbers.
///
/// A handler writes to a pipe, which is all it may do. A dispatch source alone would lose a signal that comes before it has been set up.
enum SignalPipe {
  // Written once, before the handlers are installed.
  nonisolated(unsafe) private static var writing: Int32 = -1

  /// Has some signals written to a pipe from now on.
  ///
  /// - Returns: The end to read.
  /// - Throws: ``CommandError`` when there can be no pipe.
  static func open(_ signals: [Int32]) throws(CommandError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CommandError(.ioError, "can't watch for signals: \(systemMessage())") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A handler must never wait.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writing = ends[1]
    for number in signals {
      signal(number) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.writing, &byte, 1)
        errno = code
      }
    }
    return ends[0]
  }
}
