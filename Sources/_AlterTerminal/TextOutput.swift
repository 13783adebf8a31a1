#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard output or the standard error of a command, written to without a buffer.
///
/// ```swift
/// let lines = ["1. buy milk", "2. call the landlord"]
/// let code = TextOutput.standard.write(lines.map(\.printable).joined(separator: "\n") + "\n")
/// if code == EPIPE { exit(141) }  // The reader has gone, as in `todo list | head -1`.
/// ```
///
/// `write` does not escape anything: pass it text that `printable` or ``TextStyle`` has escaped. A write to a pipe without a reader ends
/// the process with `SIGPIPE` unless the command ignores that signal (`signal(SIGPIPE, SIG_IGN)`); then `write` returns `EPIPE`.
public struct TextOutput: Sendable {
  /// The standard output, descriptor 1.
  public static let standard = TextOutput(descriptor: STDOUT_FILENO)

  /// The standard error, descriptor 2.
  public static let standardError = TextOutput(descriptor: STDERR_FILENO)

  /// The file descriptor.
  public let descriptor: Int32

  /// An output on an open file descriptor, which remains the caller's to close.
  ///
  /// - Parameter descriptor: The file descriptor.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the output is a terminal.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Colours on a terminal that has them, unless the user disables them with `NO_COLOR` (https://no-color.org); otherwise plain text.
  public var style: TextStyle {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb" ? .ansi : .plain
  }

  /// The size of the terminal, in characters; nil if the output is not a terminal. A terminal that does not report them has 80 columns and 24 rows.
  public var size: (columns: Int, rows: Int)? {
    guard isTerminal else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Writes text as UTF-8, and returns when the system has accepted all of it.
  ///
  /// - Parameter text: The text, already escaped.
  /// - Returns: 0, or the `errno` of the call that failed; a part of the text may have been written then.
  public func write(_ text: String) -> Int32 { write(Array(text.utf8)) }

  /// Writes bytes, and returns when the system has accepted all of them.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: 0, or the `errno` of the call that failed; a part of the bytes may have been written then.
  public func write(_ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Self.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
