/// The fields of one line of a todo.txt file.
///
/// `x (A) 2026-11-21 2026-11-01 Pay rent @home due:2026-12-01` consists of: the completion mark, the priority, the day of completion, the
/// day of creation, the text, and the due day. `+projects`, `@contexts` and other `key:value` words stay in the text.
public struct TodoLine: Sendable {
  /// Whether the line begins with `x `.
  public var completed = false
  /// The letter of `(A) `.
  public var priority: Priority?
  /// The day of completion.
  public var finished: Day?
  /// The day of creation.
  public var created: Day?
  /// The rest of the line, without the ``due`` word.
  public var text = ""
  /// The due day: the last word of the form `due:2026-12-01`.
  public var due: Day?

  /// The fields of a line with a text and no other fields.
  public init(text: String = "") { self.text = text }

  /// The reason why a line is malformed. Almost any text is a legal todo.txt line; these are the exceptions.
  public enum Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bytes aren't UTF-8.
    case invalidUTF8
    /// A `due:` with a day that does not exist.
    case impossibleDue(String)
    /// A new text that consists of a `due:` alone.
    case noText(String)

    /// The problem, for users.
    public var description: String {
      switch self {
      case .invalidUTF8: "not valid UTF-8"
      case .impossibleDue(let word): "there is no such day as in ‘\(word)’"
      case .noText(let text): "nothing would be left of the text after ‘\(text)’ became the due day"
      }
    }
  }

  /// Parses one line.
  ///
  /// - Parameter bytes: The line without its ending.
  /// - Throws: ``Malformed``.
  /// - Complexity: O(bytes).
  public init(parsing bytes: ArraySlice<UInt8>) throws(Malformed) {
    try readText(readHeader(of: bytes))
  }

  /// Parses the text and its `due:` word, which follow the header.
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
      // One separator is removed with the word: the one before it, or at the beginning of the text the one after it.
      let hasOneBefore = place.lowerBound > body.startIndex
      let hasOneAfter = !hasOneBefore && place.upperBound < body.endIndex
      rest.removeSubrange(
        (hasOneBefore ? place.lowerBound - 1 : place.lowerBound)..<(hasOneAfter ? place.upperBound + 1 : place.upperBound))
    }
    guard let text = Byte.text(of: rest) else { throw .invalidUTF8 }
    self.text = text
  }

  /// The date of a word of the form `due:2026-12-01`. The day need not exist.
  static func due(in word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard word.starts(with: Byte.due) else { return nil }
    let date = word.dropFirst(Byte.due.count)
    return Day.isWellFormed(date) ? date : nil
  }

  /// Parses the fields before the text, and returns the rest.
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
  /// If the text would be parsed as a field (`x marks the spot`), a space precedes it. A completed item without a day of completion is
  /// written without its day of creation, which would be parsed as the day of completion.
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

  /// Whether both have the same fields. The texts are compared byte for byte.
  func hasSameFields(as other: TodoLine) -> Bool {
    completed == other.completed && priority == other.priority && finished == other.finished && created == other.created
      && due == other.due && text.hasSameBytes(as: other.text)
  }
}
