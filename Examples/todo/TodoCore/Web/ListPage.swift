import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the web page shows of a list: a function of the state, of what is asked for, and of the day. The same `TodoList` as in the terminal,
/// with what a page has besides: counts, tags to choose from, and what undo and redo would do. In JSON, what there isn't is left out.
public struct ListPage: Sendable, Hashable, Encodable {
  /// One item.
  public struct Item: Sendable, Hashable, Encodable {
    /// Its number in the whole list, from 1.
    public let number: Int
    /// Its id.
    public let id: String
    /// What to do, as it is edited.
    public let text: String
    /// The same as it is shown: in pieces, tags apart from the words between them.
    public let parts: [Part]
    /// Its tags, in its text and besides.
    public let tags: [String]
    /// Whether it is done.
    public let completed: Bool
    /// How much it matters, as a letter.
    public let priority: String?
    /// By when it must be done.
    public let due: Due?
  }

  /// A piece of an item's text.
  public struct Part: Sendable, Hashable, Encodable {
    /// The words; nothing in them can turn the reading direction or break the line.
    public let text: String
    /// The tag, if this is one.
    public let tag: String?
  }

  /// By when an item must be done.
  public struct Due: Sendable, Hashable, Encodable {
    /// As in `2026-12-01`.
    public let day: String
    /// As a person says it.
    public let text: String
    /// `overdue` or `today`, if it presses.
    public let urgency: String?
  }

  /// A tag to choose from.
  public struct TagCount: Sendable, Hashable, Encodable {
    /// Its name, with its sign.
    public let name: String
    /// How many open items have it.
    public let open: Int
  }

  /// How many items there are.
  public struct Counts: Sendable, Hashable, Encodable {
    /// In all.
    public let all: Int
    /// Not done.
    public let open: Int
    /// Done.
    public let done: Int
    /// Not done, and due before today.
    public let overdue: Int
  }

  /// What a button for undo or redo does.
  public struct Step: Sendable, Hashable, Encodable {
    /// The revision that it is about; nil when it can't be done.
    public let of: Int64?
    /// What it takes back or brings back, in words; or why there is nothing.
    public let what: String

    /// What a button does.
    public init(of: Int64?, what: String) { (self.of, self.what) = (of, what) }
  }

  /// A note.
  public struct PageNote: Sendable, Hashable, Encodable {
    /// Its id.
    public let id: String
    /// What it says.
    public let text: String
    /// When it was written, in UTC.
    public let written: Date?
  }

  /// The most notes that are shown: the newest.
  public static let mostNotes = 50

  /// The revision of the list.
  public let revision: Int64
  /// The day it is where the list is.
  public let today: String?
  /// The items that were asked for, in order, as many as were asked for.
  public let items: [Item]
  /// How many there are of them.
  public let matching: Int
  /// How many items there are.
  public let counts: Counts
  /// All tags, by name.
  public let tags: [TagCount]
  /// The newest notes, newest first.
  public let notes: [PageNote]
  /// How many notes there are.
  public let noteCount: Int
  /// What undo would do.
  public let undo: Step
  /// What redo would do.
  public let redo: Step
  /// Why nothing can be changed any more; nil when all is well.
  public let problem: String?

  /// The page of a moment.
  ///
  /// - Parameters:
  ///   - moment: The list.
  ///   - request: What is asked for.
  ///   - today: The day it is where the user sits.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ moment: ListMoment, _ request: ListRequest = ListRequest(), today: Day?) {
    let state = moment.state
    let list = TodoList(state, request.query, today: today)
    revision = moment.revision.number
    self.today = today?.description
    items = list.rows.prefix(request.limit).map { Item($0, today: today) }
    matching = list.rows.count
    var all = ItemQuery()
    all.status = .open
    let open = TodoList(state, all, today: today)
    counts = Counts(
      all: state.items.count, open: open.rows.count, done: state.items.count - open.rows.count,
      overdue: open.rows.count { $0.urgency == .overdue })
    tags = Self.tags(of: state, open: open)
    notes = state.entries.suffix(Self.mostNotes).reversed().map {
      PageNote(id: $0.id.uuidString.lowercased(), text: $0.text, written: $0.written)
    }
    noteCount = state.entries.count
    undo = moment.undo
    redo = moment.redo
    problem = moment.problem
  }

  private static func tags(of state: AppState, open: TodoList) -> [TagCount] {
    var counts: [String: Int] = [:]
    for row in open.rows { for tag in Set(row.tags) { counts[tag, default: 0] += 1 } }
    for tag in state.tags { counts[tag.id, default: 0] += 0 }
    return counts.map { TagCount(name: $0.key, open: $0.value) }.sorted {
      let (left, right) = ($0.name.dropFirst().lowercased(), $1.name.dropFirst().lowercased())
      return left == right ? $0.name < $1.name : left < right
    }
  }
}

extension ListPage.Item {
  init(_ row: TodoList.Row, today: Day?) {
    let item = row.item
    number = row.number
    id = item.id.uuidString.lowercased()
    text = item.text
    parts = Self.parts(of: row)
    tags = row.tags
    completed = item.completed
    priority = item.priority?.description
    due = item.due.map { ListPage.Due(day: $0.description, text: DayLabel.text($0, today: today), urgency: row.urgency.map { "\($0)" }) }
  }

  /// The row's text, which has all its tags in it, in pieces.
  private static func parts(of row: TodoList.Row) -> [ListPage.Part] {
    let bytes = Array(row.text.utf8)
    let tags = Set(row.tags)
    var parts: [ListPage.Part] = []
    var begin = bytes.startIndex
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    for word in Byte.words(of: bytes[...]) {
      let name = text(word.startIndex..<word.endIndex)
      guard tags.contains(name) else { continue }
      if begin < word.startIndex { parts.append(ListPage.Part(text: text(begin..<word.startIndex), tag: nil)) }
      parts.append(ListPage.Part(text: name, tag: name))
      begin = word.endIndex
    }
    if begin < bytes.endIndex { parts.append(ListPage.Part(text: text(begin..<bytes.endIndex), tag: nil)) }
    return parts
  }
}
