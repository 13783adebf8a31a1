import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The JSON file in which an older app kept its list: `{"items":[{"id":"…","text":"Pay rent","completed":false,…}],…}`.
///
/// The parser tolerates missing keys and several names for one key. It rejects values that make no sense: then nothing is imported, and the
/// error names the position. `todo export --json` writes such a file, too.
public struct OldState: Sendable {
  /// The reason why a file is not an old list.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not JSON. The text gives the line, the column and the reason.
    case notJSON(String)
    /// The file is JSON with other content. The text gives the path and the problem.
    case malformed(String)

    /// The problem and its position.
    public var description: String {
      switch self {
      case .notJSON(let why): why
      case .malformed(let why): why
      }
    }
  }

  let items: [OldItem]
  let notes: [OldNote]
  let tags: [OldTag]

  /// Parses a whole file.
  ///
  /// - Parameter json: The bytes of the file.
  /// - Throws: ``Problem``.
  /// - Complexity: O(bytes).
  public init(json: Data) throws(Problem) {
    do throws(JSONSyntax.Problem) { try JSONSyntax.check(Array(json)) } catch { throw .notJSON(error.description) }
    let file: OldFile
    do { file = try JournalCoding.decode(OldFile.self, from: json) } catch { throw OldState.problem(error) }
    items = file.items
    notes = file.notes
    tags = file.tags
    var places: [UUID: Int] = [:]
    for (place, item) in items.enumerated() {
      guard let id = item.id else { continue }
      if let other = places.updateValue(place, forKey: id) {
        throw .malformed("items[\(place)].id is also the id of items[\(other)]")
      }
    }
  }

  /// Whether a file with this beginning may be JSON: after an optional byte order mark and blanks, the first byte is a brace.
  public static func mayBegin(with bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: Byte.byteOrderMark) { rest = rest.dropFirst(Byte.byteOrderMark.count) }
    return rest.first { !Byte.isBlank($0) && $0 != Byte.newline && $0 != Byte.carriageReturn } == UInt8(ascii: "{")
  }

  /// The encoding of a text that is not in UTF-8, by its byte order mark, or by the zero bytes of its first two letters; nil for others.
  public static func otherEncoding(of bytes: [UInt8]) -> String? {
    switch (bytes.prefix(4) + [1, 1, 1, 1]).prefix(4).map({ $0 }) {
    case [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]: "UTF-32"
    case let first where first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]): "UTF-16"
    case let first where first[0] != 0 && first[1] == 0 && first[2] != 0 && first[3] == 0: "UTF-16LE"
    case let first where first[0] == 0 && first[1] != 0 && first[2] == 0 && first[3] != 0: "UTF-16BE"
    default: nil
    }
  }

  /// The result of an import, as changes.
  public struct Import: Sendable {
    /// The changes, which the store must make as one batch.
    public let changes: [AppState.Change]
    /// The number of items that the changes add.
    public let items: Int
    /// The number of items that the list already contains. They stay unchanged.
    public let present: Int
  }

  /// The changes that add the content of the file to a list. Items whose id the list already contains stay unchanged.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - newID: Returns an identity for an element without one.
  ///   - localDay: The day of a time in the user's time zone.
  public func changes(into state: AppState, newID: () -> UUID = { UUID() }, localDay: (Date) -> Day?) -> Import {
    var changes: [AppState.Change] = []
    var known = Set(state.items.map(\.id))
    var present = 0
    for item in items {
      let id = item.id ?? newID()
      guard known.insert(id).inserted else {
        present += 1
        continue
      }
      changes.append(.add(.item(TodoItem(id: id, item.line(localDay), altered: item.altered))))
      for tag in item.tags { changes.append(.tag(tag, .add(id))) }
    }
    let brought = items.count - present
    for note in notes {
      let id = note.id ?? newID()
      if !state.entries.contains(id: id) { changes.append(.add(.entry(Note(id: id, text: note.text, written: note.written)))) }
    }
    for tag in tags {
      for id in tag.items where known.contains(id) && state.tags[id: tag.name]?.items.contains(id) != true {
        changes.append(.tag(tag.name, .add(id)))
      }
    }
    return Import(changes: changes, items: brought, present: present)
  }

  private static func problem(_ error: any Error) -> Problem {
    guard let error = error as? DecodingError else { return .malformed("\(error)") }
    func place(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + [last].compactMap { $0 }).map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return path.isEmpty ? "the file" : String(path.drop { $0 == "." })
    }
    switch error {
    case .keyNotFound(let key, let context): return .malformed("\(place(context, key)) is missing")
    case .typeMismatch(let type, let context): return .malformed("\(place(context)) is not \(name(of: type))")
    case .valueNotFound(let type, let context): return .malformed("\(place(context)) is null, not \(name(of: type))")
    case .dataCorrupted(let context): return .malformed("\(place(context)): \(context.debugDescription)")
    @unknown default: return .malformed("\(error)")
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}
