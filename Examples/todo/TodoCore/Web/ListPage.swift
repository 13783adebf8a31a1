import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The content of the web page: a function of the list, the request, and the day. It shows the same `TodoList` as the terminal, and also
/// counts, tags to choose from, and the effects of undo and redo. The JSON omits missing values.
public struct ListPage: Sendable, Hashable, Encodable {
  /// One item.
  public struct Item: Sendable, Hashable, Encodable {
    /// The item's number in the whole list, from 1.
    public let number: Int
    /// Its id.
    public let id: String
    /// The text as the user edits it.
    public let text: String
    /// The text as the page shows it, in pieces: tags are separate from the words between them.
    public let parts: [Part]
    /// The item's tags, from its text and from the tags that it belongs to.
    public let tags: [String]
    /// Whether the item is completed.
    public let completed: Bool
    /// The letter of the priority.
    public let priority: String?
    /// The due day.
    public let due: Due?
    /// `unconfirmed` or `refused`, in a synced list.
    public let mark: String?
    /// The other user who was the last to change the item, in a synced list.
    public let author: String?
  }

  /// The sync of a synced list.
  public struct Sync: Sendable, Hashable, Encodable {
    /// The connection in a few words, as in `offline`.
    public let connection: String
    /// Whether the server is reached and decides changes.
    public let isLive: Bool
    /// The time since which the server can't be reached.
    public let since: Date?
    /// The reason and the next step.
    public let advice: String?
    /// The number of changes that the server has not decided.
    public let unconfirmed: Int
    /// The refused changes.
    public let refused: [Refused]
    /// The newest entries, newest first.
    public let history: [Line]
  }

  /// A refused change.
  public struct Refused: Sendable, Hashable, Encodable {
    /// The id, for requests.
    public let id: String
    /// The effect that the change would have had.
    public let what: String
    /// The reason, for people.
    public let reason: String
    /// The code of the reason.
    public let code: String
  }

  /// An entry of the history.
  public struct Line: Sendable, Hashable, Encodable {
    /// The revision; provisional if the entry is not confirmed.
    public let revision: Int64
    /// The time at which the change was made.
    public let time: Date
    /// `you`, or the name of another user; nil for an entry from before the list was synced.
    public let author: String?
    /// The change in words.
    public let what: String
    /// Whether the server has not decided the change.
    public let isUnconfirmed: Bool
    /// Whether the change is undone at present.
    public let isUndone: Bool
  }

  /// A piece of an item's text.
  public struct Part: Sendable, Hashable, Encodable {
    /// The words. They contain no line breaks, and no characters that change the direction of reading.
    public let text: String
    /// The tag, if this piece is one.
    public let tag: String?
  }

  /// The due day of an item.
  public struct Due: Sendable, Hashable, Encodable {
    /// The date as in `2026-12-01`.
    public let day: String
    /// The day in words.
    public let text: String
    /// `overdue` or `today`; nil if the item is not urgent.
    public let urgency: String?
  }

  /// A tag to choose from.
  public struct TagCount: Sendable, Hashable, Encodable {
    /// The name with its sign.
    public let name: String
    /// The number of open items with this tag.
    public let open: Int
  }

  /// The numbers of items.
  public struct Counts: Sendable, Hashable, Encodable {
    /// All items.
    public let all: Int
    /// Open items.
    public let open: Int
    /// Completed items.
    public let done: Int
    /// Open items that were due before today.
    public let overdue: Int
  }

  /// The effect of the button for undo or redo.
  public struct Step: Sendable, Hashable, Encodable {
    /// The revision that it undoes or redoes; nil if that is impossible.
    public let of: Int64?
    /// The description of the undone or redone entry, or the reason why there is none.
    public let what: String

    /// The effect of a button.
    public init(of: Int64?, what: String) { (self.of, self.what) = (of, what) }
  }

  /// A note.
  public struct PageNote: Sendable, Hashable, Encodable {
    /// Its id.
    public let id: String
    /// The text.
    public let text: String
    /// The time of writing, in UTC.
    public let written: Date?
  }

  /// The maximum number of notes on a page. The page shows the newest.
  public static let mostNotes = 50

  /// The revision of the list.
  public let revision: Int64
  /// The current day on the server.
  public let today: String?
  /// The items that match the request, in order, up to its limit.
  public let items: [Item]
  /// The number of all items that match.
  public let matching: Int
  /// The numbers of items in the whole list.
  public let counts: Counts
  /// All tags, by name.
  public let tags: [TagCount]
  /// The newest notes, in reverse order.
  public let notes: [PageNote]
  /// The number of all notes.
  public let noteCount: Int
  /// The effect of undo.
  public let undo: Step
  /// The effect of redo.
  public let redo: Step
  /// The reason why the list can't be changed any more; nil if it can.
  public let problem: String?
  /// The sync of the list; nil if it is not synced.
  public let sync: Sync?

  /// The page of a moment.
  ///
  /// - Parameters:
  ///   - moment: The list.
  ///   - request: The requested part of the list.
  ///   - today: The user's current day.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ moment: ListMoment, _ request: ListRequest = ListRequest(), today: Day?) {
    let state = moment.state
    let list = TodoList(state, request.query, today: today)
    revision = moment.revision.number
    self.today = today?.description
    items = list.rows.prefix(request.limit).map { Item($0, today: today, sync: moment.sync) }
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
    sync = moment.sync.map(Sync.init)
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
  init(_ row: TodoList.Row, today: Day?, sync: SyncPanel?) {
    let item = row.item
    number = row.number
    id = item.id.uuidString.lowercased()
    text = item.text
    parts = Self.parts(of: row)
    tags = row.tags
    completed = item.completed
    priority = item.priority?.description
    due = item.due.map { ListPage.Due(day: $0.description, text: DayLabel.text($0, today: today), urgency: row.urgency.map { "\($0)" }) }
    mark = sync?.marks.mark(beside: item.id)?.rawValue
    author = sync?.authors[item.id]
  }

  /// The pieces of the row's text, which contains all of its tags.
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

extension ListPage.Sync {
  init(_ sync: SyncPanel) {
    connection = sync.connection.word
    isLive = sync.connection.isLive
    since = sync.connection.since.map(Date.init(microseconds:))
    advice = sync.connection.advice
    unconfirmed = sync.undecided
    refused = sync.refused.map { ListPage.Refused(id: $0.key, what: $0.what, reason: $0.reason.printable, code: $0.code.printable) }
    history = sync.history.map {
      ListPage.Line(
        revision: $0.id.number, time: Date(microseconds: $0.time), author: $0.author, what: $0.what, isUnconfirmed: $0.isUnconfirmed,
        isUndone: $0.isUndone)
    }
  }
}
