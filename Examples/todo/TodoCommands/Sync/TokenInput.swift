import TodoCore
import _AlterTerminal

/// Reads a token: from the terminal without echo, or the first line of the standard input.
enum TokenInput {
  static func read() throws -> String {
    guard isatty(STDIN_FILENO) == 1 else { return try line() }
    _ = TextOutput.standardError.write("Token: ")
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else {
      throw CommandError(.ioError, "can't read the terminal's settings: \(systemMessage())")
    }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
      throw CommandError(.ioError, "can't hide the token while it is typed: \(systemMessage()). Pass it on the standard input.")
    }
    // A signal that ends the process must not leave the terminal without echo.
    Self.before = before
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      signal(number) { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &TokenInput.before)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
      _ = TextOutput.standardError.write("\n")
    }
    return try line()
  }

  // Written before the handlers that read it are installed.
  nonisolated(unsafe) private static var before = termios()

  private static func line() throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < 4_096 {
      let (more, code) = readSome(STDIN_FILENO, upTo: 1)
      guard code == 0 else { throw CommandError(.ioError, "can't read the token: \(systemMessage(code))") }
      guard let byte = more.first, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
