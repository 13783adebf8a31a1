import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The JSON file in which an app without a journal kept its list: `{"items":[{"text":"Pay rent"}]}`. `todo export --json` writes such a file,
/// too.
///
/// All keys of an item but its text may be missing. A value that makes no sense refuses the whole file, and the error names its place.
public struct OldState: Decodable, Sendable {
  /// One item. The keys are those of ``TodoItem``.
  struct Item: Decodable, Sendable {
    let id: UUID?
    let text: String
    let completed: Bool?
    let priority: Priority?
    let due: Day?
    let created: Day?
    let finished: Day?
    let altered: Date?
    let tags: [String]?

    /// The changes that add the item.
    func changes(_ id: UUID) -> [AppState.Change] {
      var line = TodoLine(text: text)
      (line.completed, line.priority) = (completed ?? false, priority)
      (line.due, line.created, line.finished) = (due, created, finished)
      return [.add(.item(TodoItem(id: id, line, altered: altered)))] + (tags ?? []).map { .tag($0, .add(id)) }
    }
  }

  let items: [Item]
  let entries: [Note]?
  let tags: [Tag]?

  /// The reason why a file is not an old list.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not JSON.
    case notJSON(String)
    /// The file is JSON with other content. The text gives the path and the problem.
    case malformed(String)

    /// The problem and its position, without a full stop.
    public var description: String {
      switch self {
      case .notJSON(let why), .malformed(let why): why.hasSuffix(".") ? String(why.dropLast()) : why
      }
    }
  }

  /// Parses a whole file.
  ///
  /// - Parameter json: The bytes of the file.
  /// - Throws: ``Problem``.
  /// - Complexity: O(bytes).
  public init(json: Data) throws(Problem) {
    let text = json.starts(with: Byte.byteOrderMark) ? Data(json.dropFirst(Byte.byteOrderMark.count)) : json
    do throws(JSONValue.ParsingError) { _ = try JSONValue(parsing: text) } catch { throw .notJSON(error.description) }
    do { self = try JournalCoding.decode(OldState.self, from: text) } catch { throw OldState.problem(error) }
    try check()
  }

  /// Checks that a list takes each item and tag, and that no id is there twice.
  private func check() throws(Problem) {
    var ids: Set<UUID> = []
    for (place, item) in items.enumerated() {
      if let id = item.id, !ids.insert(id).inserted { throw .malformed("items[\(place)].id: an item before it has the same id") }
      do throws(Refusal) { _ = try AppState().alter(item.changes(UUID())) } catch { throw .malformed("items[\(place)]: \(error.message)") }
    }
    ids = []
    for (place, note) in (entries ?? []).enumerated() where !ids.insert(note.id).inserted {
      throw .malformed("entries[\(place)].id: a note before it has the same id")
    }
    for (place, tag) in (tags ?? []).enumerated() {
      do throws(Refusal) { _ = try AppState().alter(.add(.tag(Tag(id: tag.id)))) } catch {
        throw .malformed("tags[\(place)]: \(error.message)")
      }
    }
  }

  /// Whether a file with this beginning may be JSON: after an optional byte order mark and blanks, the first byte is a brace.
  public static func mayBegin(with bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: Byte.byteOrderMark) { rest = rest.dropFirst(Byte.byteOrderMark.count) }
    return rest.first { !Byte.isBlank($0) && $0 != Byte.newline && $0 != Byte.carriageReturn } == UInt8(ascii: "{")
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
  ///   - newID: Returns an identity for an item without one.
  public func changes(into state: AppState, newID: () -> UUID = { UUID() }) -> Import {
    var changes: [AppState.Change] = []
    var known = Set(state.items.map(\.id))
    var present = 0
    for item in items {
      let id = item.id ?? newID()
      guard known.insert(id).inserted else {
        present += 1
        continue
      }
      changes += item.changes(id)
    }
    for note in entries ?? [] where !state.entries.contains(id: note.id) { changes.append(.add(.entry(note))) }
    for tag in tags ?? [] {
      for id in tag.items where known.contains(id) && state.tags[id: tag.id]?.items.contains(id) != true {
        changes.append(.tag(tag.id, .add(id)))
      }
    }
    return Import(changes: changes, items: items.count - present, present: present)
  }

  private static func problem(_ error: any Error) -> Problem {
    func place(_ path: [any CodingKey]) -> String {
      let text = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return text.isEmpty ? "the file" : String(text.drop { $0 == "." })
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context): .malformed("\(place(context.codingPath + [key])) is missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      .malformed("\(place(context.codingPath)): \(context.debugDescription)")
    default: .malformed("\(error)")
    }
  }
}
