import TodoCore
import _AlterTerminal

/// The terminal in raw mode with its alternate screen, and its original mode.
///
/// The terminal is restored on every way out: by ``leave()``, at the end of the process, and after a crash by a handler that only makes
/// async-signal-safe calls. Only SIGKILL leaves the terminal in raw mode; then the command `reset` helps.
enum Terminal {
  // `enter` writes these before it installs the handlers that read them. There is one terminal, and only the command's thread uses it.
  nonisolated(unsafe) private static var before = termios()
  nonisolated(unsafe) private static var isRaw: sig_atomic_t = 0
  nonisolated(unsafe) private static var handlesCrashes = false

  // Static strings, because a signal handler must not allocate. The first switches to the alternate screen and hides the cursor; the second
  // reverts both.
  private static let begin: StaticString = "\u{1B}[?1049h\u{1B}[?25l"
  private static let end: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Whether the standard input and the standard output are both a terminal.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && TextOutput.standard.isTerminal }

  /// Switches the terminal to raw mode.
  ///
  /// - Throws: ``CommandError`` if the terminal refuses.
  static func enter() throws(CommandError) {
    guard isRaw == 0 else { return }
    guard tcgetattr(STDIN_FILENO, &before) == 0 else {
      throw CommandError(.ioError, "can't read the terminal's settings: \(systemMessage())")
    }
    handleCrashes()
    var raw = before
    cfmakeraw(&raw)
    isRaw = 1
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else {
      isRaw = 0
      throw CommandError(.ioError, "can't set the terminal up: \(systemMessage())")
    }
    write(begin)
  }

  /// Restores the terminal. Has no effect if it is not in raw mode.
  static func leave() {
    guard isRaw != 0 else { return }
    isRaw = 0
    write(end)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
  }

  /// The size of the terminal; 80 by 24 if it is unknown.
  static var size: WatchView.Size {
    let size = TextOutput.standard.size ?? (80, 24)
    return WatchView.Size(columns: size.columns, rows: size.rows)
  }

  /// Draws lines from the top and clears the rest of the screen.
  static func draw(_ lines: [String]) {
    // Each line is cleared before it is written. Clearing it afterwards would erase a character in the last column.
    let text = "\u{1B}[H" + lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\r\n") + "\u{1B}[J"
    // If the terminal is gone, the code that reads it detects that.
    _ = TextOutput.standard.write(text)
  }

  /// Stops the process as Ctrl-Z does, and switches to raw mode again when the process continues.
  static func suspend() throws(CommandError) {
    leave()
    // The signal goes to this thread. Another thread might take a signal to the process, and this one would run on for a while.
    raise(SIGSTOP)
    try enter()
  }

  private static func write(_ text: StaticString) {
    #if canImport(Darwin)
      _ = Darwin.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #elseif canImport(Glibc)
      _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #elseif canImport(Musl)
      _ = Musl.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #endif
  }

  private static func handleCrashes() {
    guard !handlesCrashes else { return }
    handlesCrashes = true
    atexit { Terminal.leave() }
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT] {
      signal(number) { number in
        // `write`, `tcsetattr`, `signal` and `raise` are async-signal-safe (POSIX.1-2017, 2.4.3).
        Terminal.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
