import Foundation

/// The terminal in raw mode, with its alternate screen. The process restores it when it ends, except after SIGKILL.
enum Terminal {
  // `enter` writes this before it installs the handlers that read it. There is one terminal, and one thread uses it.
  nonisolated(unsafe) private static var before = termios()

  /// Whether the standard input and the standard output are both a terminal.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  static func enter() {
    tcgetattr(STDIN_FILENO, &before)
    var raw = before
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    write("\u{1B}[?1049h\u{1B}[?25l")
    for number in [SIGTERM, SIGHUP, SIGINT, SIGABRT, SIGILL, SIGTRAP, SIGSEGV] {
      signal(number) { number in
        // `write`, `tcsetattr`, `signal` and `raise` are async-signal-safe.
        Terminal.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func leave() {
    write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
  }

  /// Draws lines from the top and clears the rest of the screen.
  static func draw(_ lines: [String]) {
    let text = "\u{1B}[H" + lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\r\n") + "\u{1B}[J"
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Calls the closure with each key, and with nil at the end of the input. A separate thread reads the keys.
  static func keys(_ body: @escaping @Sendable (Character?) -> Void) {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) == 1 { body(Character(UnicodeScalar(byte))) }
      body(nil)
    }
  }

  /// Takes a static string, because a signal handler must not allocate.
  private static func write(_ text: StaticString) {
    #if canImport(Darwin)
      _ = Darwin.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #elseif canImport(Glibc)
      _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #elseif canImport(Musl)
      _ = Musl.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #endif
  }
}
