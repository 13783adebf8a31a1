/// The fields of one line of a todo.txt file.
///
/// `x (A) 2026-11-21 2026-11-01 Pay rent @home due:2026-12-01` is: completed, priority, the day it was finished, the day it was created,
/// the text, and the day it is due. `+projects`, `@contexts` and other `key:value` words stay in the text where they are.
public struct TodoLine: Sendable {
  /// Whether it begins with `x `.
  public var completed = false
  /// The letter of `(A) `.
  public var priority: Priority?
  /// When it was completed.
  public var finished: Day?
  /// When it was written down.
  public var created: Day?
  /// The rest, without the ``due`` word.
  public var text = ""
  /// The last word of the form `due:2026-12-01`.
  public var due: Day?

  /// The fields of a line that is nothing but text.
  public init(text: String = "") { self.text = text }

  /// What is wrong with a line. Almost any text is a todo.txt line; these are not.
  public enum Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bytes aren't text.
    case invalidUTF8
    /// A `due:` with a date that the calendar doesn't have.
    case impossibleDue(String)

    /// What is wrong, for people.
    public var description: String {
      switch self {
      case .invalidUTF8: "not valid UTF-8"
      case .impossibleDue(let word): "there is no such day as in ‘\(word)’"
      }
    }
  }

  /// Reads one line.
  ///
  /// - Parameter bytes: The line without its ending.
  /// - Throws: ``Malformed``.
  /// - Complexity: O(bytes).
  public init(parsing bytes: ArraySlice<UInt8>) throws(Malformed) {
    try readText(readHeader(of: bytes))
  }

  /// Reads what follows the header: the text, and the day in it.
  mutating func readText(_ body: ArraySlice<UInt8>) throws(Malformed) {
    var rest = body
    var place: Range<Int>?
    for word in Byte.words(of: body) {
      guard let date = TodoLine.due(in: word) else { continue }
      guard let day = Day(bytes: date) else { throw .impossibleDue(String(decoding: word, as: UTF8.self)) }
      due = day
      place = word.startIndex..<word.endIndex
    }
    if let place {
      // One separator goes with the word: the one before it, or at the beginning the one after.
      let hasOneBefore = place.lowerBound > body.startIndex
      let hasOneAfter = !hasOneBefore && place.upperBound < body.endIndex
      rest.removeSubrange(
        (hasOneBefore ? place.lowerBound - 1 : place.lowerBound)..<(hasOneAfter ? place.upperBound + 1 : place.upperBound))
    }
    guard let text = Byte.text(of: rest) else { throw .invalidUTF8 }
    self.text = text
  }

  /// The date of a word that looks like `due:2026-12-01`, whether or not there is such a day.
  static func due(in word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard word.starts(with: Byte.due) else { return nil }
    let date = word.dropFirst(Byte.due.count)
    return Day.isWellFormed(date) ? date : nil
  }

  /// Takes what stands before the text, and returns the rest.
  private mutating func readHeader(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    func date() -> Day? {
      guard rest.count > 10, rest[rest.startIndex + 10] == Byte.space else { return nil }
      return Day(bytes: rest.prefix(10))
    }
    if rest.starts(with: [Byte.done, Byte.space]) {
      completed = true
      rest = rest.dropFirst(2)
    }
    if rest.count > 3, rest.first == Byte.open, rest[rest.startIndex + 2] == Byte.close, rest[rest.startIndex + 3] == Byte.space,
      let letter = Priority(letter: rest[rest.startIndex + 1])
    {
      priority = letter
      rest = rest.dropFirst(4)
    }
    if completed, let day = date() {
      finished = day
      rest = rest.dropFirst(11)
    }
    if !completed || finished != nil, let day = date() {
      created = day
      rest = rest.dropFirst(11)
    }
    return rest
  }

  /// The words of the text that are tags: `+project` and `@context`.
  ///
  /// - Complexity: O(length of the text).
  public var tags: [String] {
    Byte.words(of: Array(text.utf8)[...]).filter { $0.count > 1 && ($0.first == Byte.plus || $0.first == Byte.at) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The canonical line of these fields, without an ending.
  ///
  /// Where the text would be read as a field (`x marks the spot`), a space precedes it. A completed item that was never given a day
  /// of completion goes without its day of creation, which would be read as the former.
  ///
  /// - Complexity: O(length of the line).
  public var rendered: String {
    var header = completed ? "x " : ""
    if let priority { header += "(\(priority)) " }
    if completed, let finished { header += "\(finished) " }
    if !completed || finished != nil, let created { header += "\(created) " }
    var body = text
    if let due { body += body.isEmpty ? "due:\(due)" : " due:\(due)" }
    let line = Array((header + body).utf8)
    var again = TodoLine()
    let rest = again.readHeader(of: line[...])
    return rest.startIndex == header.utf8.count ? header + body : header + " " + body
  }

  /// Whether both have the same fields, the text byte for byte.
  func hasSameFields(as other: TodoLine) -> Bool {
    completed == other.completed && priority == other.priority && finished == other.finished && created == other.created
      && due == other.due && text.hasSameBytes(as: other.text)
  }
}
