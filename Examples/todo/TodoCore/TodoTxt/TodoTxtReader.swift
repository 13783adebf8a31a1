/// Reads a todo.txt file that comes in pieces of any size.
///
/// A line ends with `\n` or `\r\n`, and with nothing else; a lone `\r` is text. What the fields of an item don't tell (blank lines,
/// spacing, endings, a byte order mark) is kept beside them, so that ``TodoTxtWriter`` gives the same bytes back.
public struct TodoTxtReader: Sendable {
  /// One line that became an item.
  public struct Line: Sendable {
    /// What it says.
    public let fields: TodoLine
    /// How it was written, if that is more than the fields tell.
    public let source: SourceLine?
  }

  /// One line that did not.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line's number in the file, from 1, blank lines counted.
    public let line: Int
    /// What is wrong with it.
    public let reason: TodoLine.Malformed

    /// As in `line 7: not valid UTF-8`.
    public var description: String { "line \(line): \(reason)" }
  }

  /// The lines that became items, in order.
  public private(set) var lines: [Line] = []
  /// The lines that are malformed, in order.
  public private(set) var problems: [Problem] = []
  /// How many lines were read, blank and malformed ones too.
  public private(set) var count = 0
  /// The blank lines read since the last item: once all is read, those at the end of the file.
  public private(set) var blank = ""
  /// The beginning of a line whose end has not come yet.
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

  /// Reads the last line, if the file doesn't end in a newline.
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
      // The whole line first: the text is only a part of it, and the word that is taken out of it is ASCII.
      guard let text = Byte.text(of: line) else { throw TodoLine.Malformed.invalidUTF8 }
      let fields = try TodoLine(parsing: line)
      lines.append(Line(fields: fields, source: SourceLine(before: blank, line: text, ending: ending).ifNeeded(for: fields)))
      blank = ""
    } catch {
      problems.append(Problem(line: count, reason: error))
    }
  }
}
