import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an app kept in one JSON file, before it kept a journal: `{"items":[{"id":"…","text":"Pay rent","completed":false,…}],…}`.
///
/// It is lenient about what is missing and what is called otherwise, and strict about what is there and makes no sense: then nothing is
/// imported, and the error names the place. `todo export --json` writes such a file, too.
public struct OldState: Sendable {
  /// Why a file is none.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// It isn't JSON: where, by line and column, and why.
    case notJSON(String)
    /// It is JSON, but holds something else: what is wrong, with its path.
    case malformed(String)

    /// What is wrong, and where.
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

  /// Reads a file.
  ///
  /// - Parameter json: The whole of it.
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

  /// Whether a file that begins so may be JSON: behind a byte order mark and blanks comes a brace.
  public static func mayBegin(with bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: Byte.byteOrderMark) { rest = rest.dropFirst(Byte.byteOrderMark.count) }
    return rest.first { !Byte.isBlank($0) && $0 != Byte.newline && $0 != Byte.carriageReturn } == UInt8(ascii: "{")
  }

  /// What was read, as changes.
  public struct Import: Sendable {
    /// The changes, for the store to make as one.
    public let changes: [AppState.Change]
    /// How many items they bring.
    public let items: Int
    /// How many items are in the list already, and stay as they are.
    public let present: Int
  }

  /// The changes that bring what was read into a list. An item that is there already, by its id, stays as it is.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - newID: Gives an identity to what has none.
  ///   - localDay: The day of a moment where the user sits.
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
