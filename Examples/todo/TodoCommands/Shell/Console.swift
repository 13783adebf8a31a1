import Alter
import TodoCore
import _AlterTerminal

/// The output of a command: results go to the standard output, messages about problems to the standard error.
package enum Console {
  /// Prints lines with escapes, and returns after the system has accepted them.
  ///
  /// - Throws: ``CommandError``: `outputClosed` if the reader is gone, otherwise the system's error.
  package static func print(_ lines: [String]) throws(CommandError) { try print(shown: lines.map(\.printable)) }

  /// Prints lines that `TextStyle` has made from escaped text.
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

  /// Prints a document. A file or a pipe receives the bytes unchanged; a terminal receives them escaped.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - isJSON: Whether the document is JSON, for which JSON escapes are used.
  static func print(document bytes: [UInt8], isJSON: Bool) throws(CommandError) {
    try write(shown(bytes, isJSON: isJSON, on: STDOUT_FILENO))
  }

  /// The bytes of a document for a descriptor: escaped for a terminal, otherwise unchanged.
  static func shown(_ bytes: [UInt8], isJSON: Bool, on descriptor: Int32) -> [UInt8] {
    guard TextOutput(descriptor: descriptor).isTerminal else { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    return Array((isJSON ? text.printableJSON : text.printableLines).utf8)
  }

  /// Colours on a terminal that supports them, unless the user disables them (https://no-color.org).
  static let style = TextOutput.standard.style

  /// Writes bytes unchanged.
  static func write(_ bytes: [UInt8]) throws(CommandError) {
    switch TextOutput.standard.write(bytes) {
    case 0: return
    case EPIPE: throw .outputClosed
    case let code: throw CommandError(.ioError, "can't write to the standard output: \(systemMessage(code))")
    }
  }

  /// Prints a message to the standard error, escaped except for line feeds. If that fails, the message is lost.
  static func complain(_ message: String) {
    guard !message.isEmpty else { return }
    _ = TextOutput.standardError.write("todo: \(message.printableLines)\n")
  }
}
