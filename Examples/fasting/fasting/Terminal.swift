import Foundation

/// The terminal with its other screen, key by key. It is put back at the end of the process, however it ends, but for SIGKILL.
enum Terminal {
  // Written by `enter`, before the handlers that read it are installed. One terminal, one thread.
  nonisolated(unsafe) private static var before = termios()

  /// Whether a person sits at both ends.
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

  /// Shows lines, from the top, in place of what was there.
  static func draw(_ lines: [String]) {
    let text = "\u{1B}[H" + lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\r\n") + "\u{1B}[J"
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Calls a closure with each key, and with nil at the end of the input. A thread of its own waits for them.
  static func keys(_ body: @escaping @Sendable (Character?) -> Void) {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) == 1 { body(Character(UnicodeScalar(byte))) }
      body(nil)
    }
  }

  /// A static string, because a signal handler must not allocate.
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
