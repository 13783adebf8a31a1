import TodoCore

/// The terminal in raw mode, with its other screen, and how it was before.
///
/// It is put back on every way out: by ``leave()``, at the end of the process, and when the process crashes, by a handler that does nothing
/// but what a signal handler may do. Only SIGKILL leaves it as it is; `reset` helps then.
enum Terminal {
  // Written by `enter` before the handlers are installed, read by them. One terminal, one thread: the command's.
  nonisolated(unsafe) private static var before = termios()
  nonisolated(unsafe) private static var isRaw: sig_atomic_t = 0
  nonisolated(unsafe) private static var handlesCrashes = false

  // Static strings, because a signal handler must not allocate: the other screen and no cursor, and back.
  private static let begin: StaticString = "\u{1B}[?1049h\u{1B}[?25l"
  private static let end: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Whether a person sits at both ends.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Takes the terminal over.
  ///
  /// - Throws: ``CommandError`` when it refuses.
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

  /// Gives the terminal back. Harmless when it was never taken.
  static func leave() {
    guard isRaw != 0 else { return }
    isRaw = 0
    write(end)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
  }

  /// How large it is; 80 by 24 when it doesn't say.
  static var size: WatchView.Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return WatchView.Size(columns: 80, rows: 24)
    }
    return WatchView.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Shows lines, from the top, in place of what was there.
  static func draw(_ lines: [String]) {
    // Each line is cleared before it is written: a character in the last column would be cleared away after.
    let text = "\u{1B}[H" + lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\r\n") + "\u{1B}[J"
    // A terminal that has gone is noticed where it is read.
    _ = writeAll(Array(text.utf8), to: STDOUT_FILENO)
  }

  /// Stops the process, as Ctrl-Z does, and takes the terminal again when it is continued.
  static func suspend() throws(CommandError) {
    leave()
    // To this thread: a signal to the process may be taken by another, and this one would go on for a while.
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
