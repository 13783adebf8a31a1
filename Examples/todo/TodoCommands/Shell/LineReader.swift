import _AlterTerminal

/// The lines of an input, each as soon as it is complete. A line ends with `\n` or `\r\n`, which are not part of it.
struct LineReader {
  private let input: InputFile
  private var pending: [UInt8] = []
  private var scanned = 0
  private var isAtEnd = false

  /// The number of lines read so far.
  private(set) var count = 0

  /// The maximum length of a line in bytes, including its ending.
  static let limit = 1 << 20

  init(_ input: InputFile) { self.input = input }

  /// The next line; nil at the end.
  ///
  /// - Throws: ``CommandError`` if reading fails: `badData` if the line is too long.
  /// - Complexity: amortised O(bytes of the line).
  mutating func next() throws(CommandError) -> ArraySlice<UInt8>? {
    while true {
      if let end = pending[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
        guard end < Self.limit else { throw tooLong }
        let line = pending[..<end]
        pending = Array(pending[(end + 1)...])
        return found(line)
      }
      scanned = pending.count
      guard scanned < Self.limit else { throw tooLong }
      if isAtEnd {
        guard !pending.isEmpty else { return nil }
        let line = pending[...]
        pending = []
        return found(line)
      }
      if let more = try input.read() { pending += more } else { isAtEnd = true }
    }
  }

  private var tooLong: CommandError {
    CommandError(
      .badData,
      "\(input.name.printable): line \(count + 1) has more than \(Self.limit >> 20) MiB, the most that a line may have. The lines before it were read, it and the rest were not: split it."
    )
  }

  private mutating func found(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    scanned = 0
    count += 1
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// Whether a byte is a space or a tab.
  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
