/// Reads a todo.txt file in pieces of any size.
///
/// A line ends with `\n` or `\r\n` only; a lone `\r` is text. The reader keeps details that the fields do not preserve (blank lines,
/// spacing, endings, a byte order mark), so that ``TodoTxtWriter`` can reproduce the bytes.
public struct TodoTxtReader: Sendable {
  /// A line that became an item.
  public struct Line: Sendable {
    /// The fields of the item.
    public let fields: TodoLine
    /// The original line; nil if the fields preserve all of it.
    public let source: SourceLine?
  }

  /// A line that did not.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line's number in the file, from 1. Blank lines count.
    public let line: Int
    /// The reason.
    public let reason: TodoLine.Malformed

    /// The message as in `line 7: not valid UTF-8`.
    public var description: String { "line \(line): \(reason)" }
  }

  /// The lines that became items, in order.
  public private(set) var lines: [Line] = []
  /// The malformed lines, in order.
  public private(set) var problems: [Problem] = []
  /// The number of lines read, including blank and malformed ones.
  public private(set) var count = 0
  /// The blank lines since the last item. At the end of the file these are the file's trailing blank lines.
  public private(set) var blank = ""
  /// The beginning of an incomplete line.
  private var pending: [UInt8] = []

  /// A reader at the beginning of a file.
  public init() {}

  /// Reads the next piece of the file.
  ///
  /// - Complexity: O(bytes of the piece), amortised over the file.
  public mutating func read(_ bytes: [UInt8]) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: Byte.newline) {
      if pending.isEmpty {
        add(bytes[start..<end], endsInNewline: true)
      } else {
        pending += bytes[start..<end]
        let line = pending
        pending = []
        add(line[...], endsInNewline: true)
      }
      start = end + 1
    }
    pending += bytes[start...]
  }

  /// Parses the last line, if the file doesn't end in a newline.
  public mutating func finish() {
    guard !pending.isEmpty else { return }
    let line = pending
    pending = []
    add(line[...], endsInNewline: false)
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, endsInNewline: Bool) {
    var line = bytes
    var ending = SourceLine.Ending.none
    if endsInNewline {
      ending = .newline
      if line.last == Byte.carriageReturn {
        ending = .carriageReturnNewline
        line = line.dropLast()
      }
    }
    count += 1
    if count == 1, line.starts(with: Byte.byteOrderMark) {
      blank = "\u{FEFF}"
      line = line.dropFirst(Byte.byteOrderMark.count)
    }
    guard !line.allSatisfy(Byte.isBlank) else {
      blank += String(decoding: line, as: UTF8.self) + ending.rawValue
      return
    }
    do throws(TodoLine.Malformed) {
      // The whole line must be UTF-8, not only its text. The text stays valid without the `due:` word, because that word is ASCII.
      guard let text = Byte.text(of: line) else { throw TodoLine.Malformed.invalidUTF8 }
      let fields = try TodoLine(parsing: line)
      lines.append(Line(fields: fields, source: SourceLine(before: blank, line: text, ending: ending).ifNeeded(for: fields)))
      blank = ""
    } catch {
      problems.append(Problem(line: count, reason: error))
    }
  }
}
