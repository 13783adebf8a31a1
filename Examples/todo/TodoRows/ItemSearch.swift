import Alter
public import GRDB
public import TodoCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A search for items by the words of their texts and tags.
///
/// All words must be found, in any case, with or without accents. A word also finds the words that begin with it; a phrase finds its words, one after the
/// other.
public struct ItemSearch: Sendable, Hashable {
  /// The words and phrases in the syntax of FTS5.
  private let terms: [String]

  /// Reads the arguments of a command: a word is an argument, and a phrase is one with spaces or a part in double quotes.
  ///
  /// - Returns: Nil if one of them has no letter and no digit, or if there is none.
  public init?(_ arguments: [String]) {
    var terms: [(text: Substring, isPhrase: Bool)] = []
    for argument in arguments {
      let parts = argument.split(separator: "\"", omittingEmptySubsequences: false)
      if parts.count == 1 {
        let words = argument.split(whereSeparator: \.isWhitespace)
        terms.append((words.count == 1 ? words[0] : argument[...], words.count > 1))
      } else {
        for (place, part) in parts.enumerated() where place % 2 == 1 { terms.append((part, true)) }
        for (place, part) in parts.enumerated() where place % 2 == 0 {
          terms += part.split(whereSeparator: \.isWhitespace).map { ($0, false) }
        }
      }
    }
    guard !terms.isEmpty, terms.allSatisfy({ Self.hasWord($0.text) }) else { return nil }
    self.terms = terms.map { "\"\($0.text)\"" + ($0.isPhrase ? "" : " *") }
  }

  /// Whether FTS5 finds a word in a text: letters, digits, and characters for private use.
  private static func hasWord(_ text: Substring) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
        .privateUse:
        true
      default: false
      }
    }
  }

  /// The reason why a row is none of an item: something else has written it.
  public struct Unreadable: Error {}

  /// Finds items.
  ///
  /// - Parameters:
  ///   - database: A database with ``TodoCore/AppState/tables()``.
  ///   - inListOrder: Whether to return them in the list's order. Otherwise the best match comes first, by FTS5's `bm25`.
  ///   - today: The user's current day.
  /// - Returns: The rows, as a view of the whole list would have them.
  /// - Throws: The error of the database; ``Unreadable``.
  /// - Complexity: O(found · log items), and a count of at most a thousand items for each number.
  public func rows(in database: Database, inListOrder: Bool = false, today: Day? = nil) throws -> [TodoList.Row] {
    let found = try Row.fetchAll(database, sql: Self.selection(try hits(in: database), inListOrder), arguments: [all, any])
    let numbers = try Self.numbers(of: found.map { try Self.value($0["position"]) }, in: database)
    return try found.map { row in
      func day(_ column: String) throws -> Day? { try Self.optional(row[column]) { Day($0) } }
      let (id, position): (UUID, Int64) = (try Self.id(row["id"]), try Self.value(row["position"]))
      var line = TodoLine(text: try Self.value(row["text"]))
      line.completed = try Self.value(row["completed"])
      line.priority = try Self.optional(row["priority"]) { Priority($0) }
      (line.due, line.created, line.finished) = (try day("due"), try day("created"), try day("finished"))
      let altered = try Self.optional(row["altered"]) { try? JournalCoding.decode(Date.self, from: Data("\"\($0)\"".utf8)) }
      let neighbours = try ["before", "after"].map { column in try Self.optional(row[column]) { UUID(uuidString: $0) } }
      let tags = try Self.optional(row["tags"]) { try? JournalCoding.decode([String].self, from: Data($0.utf8)) } ?? []
      return TodoList.Row(
        TodoItem(id: id, line, altered: altered), number: numbers[position] ?? 0, id: ItemName.short(id, between: neighbours),
        membership: tags, today: today)
    }
  }

  /// The number of all items.
  public static func count(in database: Database) throws -> Int { try Int.fetchOne(database, sql: "SELECT count(*) FROM item") ?? 0 }

  // MARK: - The statement

  private var all: String { terms.joined(separator: " AND ") }
  private var any: String { terms.joined(separator: " OR ") }

  /// The rowids of the items, and the rank of each: `?1` is the search for all terms, `?2` that for any of them.
  private func hits(in database: Database) throws -> String {
    let tags = try Int.fetchAll(database, sql: "SELECT count(*) FROM tag_search WHERE tag_search MATCH ?", arguments: [any])
    guard tags != [0] else { return "SELECT rowid AS hit, rank FROM item_search WHERE item_search MATCH ?1 AND ?2 IS NOT NULL" }
    let parts = terms.map { term in
      let term = "'" + term.replacing("'", with: "''") + "'"
      return """
        SELECT * FROM (
          SELECT rowid FROM item_search WHERE item_search MATCH \(term)
          UNION SELECT item."row" FROM tag_search JOIN tag ON tag."row" = tag_search.rowid JOIN member ON member.parent = tag.id
          JOIN item ON item.id = member.id WHERE tag_search MATCH \(term))
        """
    }
    return """
      SELECT hits.rowid AS hit, rank FROM (\(parts.joined(separator: " INTERSECT "))) AS hits
      LEFT JOIN (SELECT rowid, rank FROM item_search WHERE item_search MATCH ?2) AS ranks ON ranks.rowid = hits.rowid AND ?1 IS NOT NULL
      """
  }

  /// The columns of the items that a statement has found.
  ///
  /// An id is shown as far as it differs from its neighbours among the sorted ids.
  private static func selection(_ hits: String, _ inListOrder: Bool) -> String {
    """
    SELECT item.id, text, completed, priority, due, created, finished, altered, position,
      (SELECT max(id) FROM item AS other WHERE other.id < item.id) AS before,
      (SELECT min(id) FROM item AS other WHERE other.id > item.id) AS after,
      (SELECT json_group_array(name) FROM (
        SELECT tag.id AS name FROM member JOIN tag ON tag.id = member.parent WHERE member.id = item.id ORDER BY tag.position)) AS tags
    FROM (\(hits)) JOIN item ON item."row" = hit ORDER BY \(inListOrder ? "" : "rank IS NULL, rank, ")position
    """
  }

  /// The numbers of positions in the list, from 1.
  private static func numbers(of positions: [Int64], in database: Database) throws -> [Int64: Int] {
    let marks = try Row.fetchAll(
      database, sql: "SELECT before, item.position FROM thousand JOIN item ON item.id = thousand.item ORDER BY before")
    var thousands = try marks.map { (before: try value($0["before"]) as Int, position: try value($0["position"]) as Int64) }[...]
    let statement = try database.makeStatement(sql: "SELECT count(*) FROM item WHERE position >= ? AND position < ?")
    var numbers: [Int64: Int] = [:]
    // The items before a position that is not greater than the next one.
    var (before, last): (Int, Int64) = (0, .min)
    for position in positions.sorted() {
      while let mark = thousands.first, mark.position <= position {
        (before, last) = mark
        thousands.removeFirst()
      }
      before += try Int.fetchOne(statement, arguments: [last, position]) ?? 0
      (numbers[position], last) = (before + 1, position)
    }
    return numbers
  }

  // MARK: - The values

  private static func value<Value: DatabaseValueConvertible>(_ value: DatabaseValue) throws -> Value {
    guard let value = Value.fromDatabaseValue(value) else { throw Unreadable() }
    return value
  }

  private static func optional<Value>(_ value: DatabaseValue, _ parse: (String) -> Value?) throws -> Value? {
    guard !value.isNull else { return nil }
    guard let parsed = parse(try self.value(value)) else { throw Unreadable() }
    return parsed
  }

  private static func id(_ value: DatabaseValue) throws -> UUID {
    guard let id = try optional(value, { UUID(uuidString: $0) }) else { throw Unreadable() }
    return id
  }
}
