#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file as a whole.
struct OldFile: Decodable {
  let items: [OldItem]
  let notes: [OldNote]
  let tags: [OldTag]

  private enum Key: String, CodingKey { case items, entries, tags, trailer }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // A file without items is probably not a list. Only `todo export --json` writes a trailer.
    var items = try container.decode([OldItem].self, forKey: .items)
    if !container.contains(.trailer) {
      for place in items.indices {
        let path: [any CodingKey] = container.codingPath + [Key.items, OldPlace(place)]
        try items[place].readText(at: path)
      }
    }
    self.items = items
    notes = try container.decodeIfPresent([OldNote].self, forKey: .entries) ?? []
    tags = try container.decodeIfPresent([OldTag].self, forKey: .tags) ?? []
  }
}

/// A place in a list of the file.
private struct OldPlace: CodingKey {
  let intValue: Int?
  var stringValue: String { "\(intValue ?? 0)" }
  init(_ place: Int) { intValue = place }
  init?(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}

/// One item of the file.
struct OldItem: Decodable, Sendable {
  let id: UUID?
  let altered: Date?
  let tags: [String]
  private var fields: TodoLine
  private let textKey: Key
  private let due: OldDate?
  private let created: OldDate?
  private let finished: OldDate?

  private enum Key: String, CodingKey {
    case id, text, title, completed, priority, due, dueDate, created, creationDate, finished, altered, alterDate, tags
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decodeID(.id)
    textKey = container.contains(.title) && !container.contains(.text) ? .title : .text
    // An item is a single line.
    let text = try container.decode(String.self, forKey: textKey)
    var fields = TodoLine(text: String(decoding: text.utf8.map { $0 == Byte.newline ? Byte.space : $0 }, as: UTF8.self))
    fields.completed = try container.decodeIfPresent(Bool.self, forKey: .completed) ?? false
    fields.priority = try container.decodeIfPresent(Priority.self, forKey: .priority)
    self.fields = fields
    due = try container.decodeFirst(.due, .dueDate)
    created = try container.decodeFirst(.created, .creationDate)
    finished = try container.decodeFirst(.finished)
    altered = try container.decodeFirst(.altered, .alterDate)?.moment
    tags = try container.decodeIfPresent([OldTagName].self, forKey: .tags)?.map(\.name) ?? []
  }

  /// Reads the text as one that users typed: several lines become one, and a `due:` becomes the due day.
  fileprivate mutating func readText(at path: [any CodingKey]) throws {
    func problem(_ why: String) -> DecodingError {
      .dataCorrupted(DecodingError.Context(codingPath: path + [textKey], debugDescription: why))
    }
    let line = fields.text.utf8.map { $0 == Byte.carriageReturn ? Byte.space : $0 }
    guard !line.allSatisfy(Byte.isBlank) else { throw problem("there is nothing in it") }
    do throws(TodoLine.Malformed) { try fields.readText(line[...]) } catch { throw problem(error.description) }
  }

  /// The fields of the item.
  func line(_ localDay: (Date) -> Day?) -> TodoLine {
    var line = fields
    line.due = due?.day(localDay) ?? line.due
    line.created = created?.day(localDay)
    if line.completed { line.finished = finished?.day(localDay) }
    return line
  }
}

/// One note of the file.
struct OldNote: Decodable, Sendable {
  let id: UUID?
  let text: String
  let written: Date?

  private enum Key: String, CodingKey { case id, text, written, date }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decodeID(.id)
    text = try container.decode(String.self, forKey: .text)
    written = try container.decodeFirst(.written, .date)?.moment
  }
}

/// One tag of the file with its items, given by their ids or as whole items.
struct OldTag: Decodable, Sendable {
  let name: String
  let items: [UUID]

  private enum Key: String, CodingKey { case id, name, items }

  private struct Member: Decodable {
    let id: UUID?
    private enum Key: String, CodingKey { case id }

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: Key.self) {
        id = try container.decodeID(.id)
      } else {
        id = try decoder.singleValueContainer().decode(UUID.self)
      }
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.decode(OldTagName.self, forKey: container.contains(.name) ? .name : .id).name
    items = try container.decodeIfPresent([Member].self, forKey: .items)?.compactMap(\.id) ?? []
  }
}

/// A tag's name. The file may contain any text; it becomes one word with a sign before it.
struct OldTagName: Decodable, Sendable {
  let name: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let words = try container.decode(String.self).split(whereSeparator: \.isWhitespace).joined(separator: "-")
    guard let name = Tag.name(of: words) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a tag needs a name")
    }
    self.name = name
  }
}

/// A date in one of the forms that such files contain: a day, a time as ISO 8601 text or as seconds since 2001, or an enum that contains
/// one of them.
enum OldDate: Decodable, Sendable {
  case day(Day)
  case moment(Date)
  /// An enum that contains no date, as in `{"unknown":{}}`.
  case none

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      // Swift encodes an enum with a date as `{"date":{"_0":"…"}}`.
      self = try container.allKeys.first.map { try container.decode(OldDate.self, forKey: $0) } ?? .none
      return
    }
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      let date = Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
      guard Self.years.contains(date) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "a number is a date in seconds since 2001, and this one is not in the years 1 to 9999")
      }
      self = .moment(date)
      return
    }
    if let day = Day(text) {
      self = .day(day)
    } else if let date = (try? container.decode(Date.self)) ?? (try? Date(text, strategy: .iso8601)), Self.years.contains(date) {
      self = .moment(date)
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text.quoted) is not a date; write it as 2026-12-01, or 2026-12-01T09:30:00Z")
    }
  }

  /// The years 1 to 9999, except their first and their last day, which are in another year in some time zones.
  private static let years = Date(timeIntervalSince1970: -62_135_510_400)..<Date(timeIntervalSince1970: 253_402_214_400)

  /// The moment; for a day its begin in UTC.
  var moment: Date? {
    switch self {
    case .day(let day): Date(timeIntervalSince1970: Double(day.number) * 86_400)
    case .moment(let date): date
    case .none: nil
    }
  }

  func day(_ localDay: (Date) -> Day?) -> Day? {
    switch self {
    case .day(let day): day
    case .moment(let date): localDay(date)
    case .none: nil
    }
  }
}

extension KeyedDecodingContainer {
  /// The value of the first of the keys that exists and is not null.
  fileprivate func decodeFirst(_ keys: Key...) throws -> OldDate? {
    for key in keys { if let date = try decodeIfPresent(OldDate.self, forKey: key) { return date } }
    return nil
  }

  /// The id; nil if there is none.
  fileprivate func decodeID(_ key: Key) throws -> UUID? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let id = UUID(uuidString: text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(text.quoted) is not a UUID")
    }
    return id
  }
}
