import Alter
import AlterTerminal
import TodoCore

/// Where a command speaks: results to the standard output, complaints to the standard error.
enum Console {
  /// Prints lines, escaped, and returns when the system has them.
  ///
  /// - Throws: ``CommandError``: `outputClosed` when nobody reads any more, otherwise what the system says.
  static func print(_ lines: [String]) throws(CommandError) { try print(shown: lines.map(\.printable)) }

  /// Prints lines that `TextStyle` has made of escaped text.
  ///
  /// - Throws: ``CommandError``, as ``print(_:)-([String])``.
  static func print(shown lines: [String]) throws(CommandError) {
    guard !lines.isEmpty else { return }
    try write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  /// Prints a line.
  static func print(_ line: String) throws(CommandError) { try print([line]) }

  /// Prints values as JSON, one a line.
  ///
  /// - Throws: ``CommandError``, as ``print(_:)-(String)``.
  static func printJSON(_ values: [some Encodable]) throws {
    try print(shown: values.map { String(decoding: try JournalCoding.encode($0), as: UTF8.self).printableJSON })
  }

  /// Prints a document: byte for byte into a file or a pipe, and escaped where a terminal shows it.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - isJSON: Whether it is JSON, which has escapes of its own.
  static func print(document bytes: [UInt8], isJSON: Bool) throws(CommandError) {
    try write(shown(bytes, isJSON: isJSON, on: STDOUT_FILENO))
  }

  /// A document as a descriptor gets it: byte for byte, and escaped where a terminal shows it.
  static func shown(_ bytes: [UInt8], isJSON: Bool, on descriptor: Int32) -> [UInt8] {
    guard isatty(descriptor) == 1 else { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    return Array((isJSON ? text.printableJSON : text.printableLines).utf8)
  }

  /// In colours on a terminal that has them, unless the user asks for none (https://no-color.org).
  static let style: TextStyle = {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb" ? .ansi : .plain
  }()

  /// Writes bytes as they are.
  static func write(_ bytes: [UInt8]) throws(CommandError) {
    switch writeAll(bytes, to: STDOUT_FILENO) {
    case 0: return
    case EPIPE: throw .outputClosed
    case let code: throw CommandError(.ioError, "can't write to the standard output: \(systemMessage(code))")
    }
  }

  /// Complains, escaped but for line feeds. Where even that fails there is nobody to tell.
  static func complain(_ message: String) {
    guard !message.isEmpty else { return }
    _ = writeAll(Array("todo: \(message.printableLines)\n".utf8), to: STDERR_FILENO)
  }

  /// Shows how far something has come, on a terminal only: each line in the place of the one before.
  static func progress(_ text: String?) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    _ = writeAll(Array("\r\u{1B}[K\(text ?? "")".utf8), to: STDERR_FILENO)
  }
}
