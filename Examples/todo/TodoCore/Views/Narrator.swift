public import Alter
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Describes the records of a list in words, one after the other.
///
/// A change names an item by its id. The narrator knows the texts from the records that it has described, or from the states passed to
/// ``learn(_:)``.
public struct Narrator {
  private var texts: [UUID: String] = [:]
  /// For each described record, its revision and words, or those of the record that an undo or redo refers to.
  private var told: [EntryID: (revision: Revision, words: String)] = [:]

  /// A narrator that knows no items yet.
  public init() {}

  /// Learns the texts of the items in a state.
  public mutating func learn(_ state: AppState) {
    for item in state.items { texts[item.id] = item.text }
  }

  /// The description of a record, as in `completed ‘Pay rent’`.
  ///
  /// - Complexity: O(changes of the record).
  public mutating func tell(_ record: Record<AppState>) -> String {
    let words: String
    switch record.kind {
    case .initial(let state):
      learn(state)
      words = state.items.isEmpty ? "began with an empty list" : "began with \(count(state.items.count))"
    case .reset(let state):
      learn(state)
      words = "replaced the whole list by \(count(state.items.count))"
    case .changes(let changes): words = tell(changes)
    case .undo, .redo:
      let subject = record.targets.first.flatMap { told[$0] }
      // An undo is stored with the words of the record that it undoes, so that the redo of it has the same words.
      told[record.id] = subject
      let verb = if case .undo = record.kind { "undid" } else { "redid" }
      return subject.map { "\(verb) \($0.revision): \($0.words)" } ?? "\(verb) an earlier change"
    }
    told[record.id] = (record.revision, words)
    return words
  }

  private mutating func tell(_ changes: [AppState.Change]) -> String {
    var phrases: [String] = []
    var added: [String] = []
    for change in changes {
      if case .add(.item(let item)) = change {
        texts[item.id] = item.text
        added.append(item.text.quoted)
      } else if let phrase = tell(change) {
        phrases.append(phrase)
      }
    }
    if !added.isEmpty { phrases.insert("added \(added.count == 1 ? added[0] : count(added.count))", at: 0) }
    guard phrases.count > 4 else { return phrases.isEmpty ? "nothing" : phrases.joined(separator: ", ") }
    return phrases.prefix(3).joined(separator: ", ") + " and \(phrases.count - 3) more changes"
  }

  private mutating func tell(_ change: AppState.Change) -> String? {
    switch change {
    case .add(.item(let item)): "added \(item.text.quoted)"
    case .add(.entry(let note)): "noted \(note.text.quoted)"
    case .add(.tag(let tag)): "put the tag \(tag.id.printable) on \(count(tag.items.count))"
    case .update(.item(let item)): "updated \(item.text.quoted)"
    case .update(.entry(let note)): "updated the note \(note.text.quoted)"
    case .update(.tag(let tag)): "updated the tag \(tag.id.printable)"
    case .remove(.item(let id)): "removed \(name(id))"
    case .remove(.entry): "removed a note"
    case .remove(.tag(let name)): "removed the tag \(name.printable)"
    case .move(let id, let position):
      position == .max ? "moved \(name(id)) to the end" : "moved \(name(id)) to number \(max(0, position) + 1)"
    case .replace(let other): "replaced the whole list by \(count(other.items.count))"
    case .item(let id, let change): tell(change, of: id)
    case .entry(_, .text(let text)): "rewrote a note as \(text.quoted)"
    case .tag(let name, .add): "tagged \(name.printable)"
    case .tag(let name, .remove(let id)): "took \(name.printable) off \(self.name(id))"
    // The blank lines at the end of a file are of no interest to a reader of the log.
    case .trailer: nil
    case .cloud(.save(let url)): "requested a copy at \(CloudAddress.shown(url))"
    case .cloud(.saved(let items)): "saved \(count(items)) in the cloud"
    case .cloud(.failed(let why)): "could not save in the cloud: \(why.printable)"
    case .synced(let list): list.map { "began to sync it as \($0.printable)" } ?? "ended its sync"
    }
  }

  private mutating func tell(_ change: TodoItem.Change, of id: UUID) -> String? {
    switch change {
    case .text(let text):
      defer { texts[id] = text }
      return "renamed \(name(id)) to \(text.quoted)"
    case .completed(let completed): return (completed ? "completed " : "reopened ") + name(id)
    case .priority(let priority): return "gave \(name(id)) \(priority.map { "the priority \($0)" } ?? "no priority")"
    case .due(let day): return "\(name(id)) is due \(day?.description ?? "on no particular day")"
    // These days belong to a completion, which is described already.
    case .created, .finished: return nil
    }
  }

  private func name(_ id: UUID) -> String { texts[id]?.quoted ?? "item \(ItemName.likely(id))" }

  private func count(_ items: Int) -> String { items == 1 ? "1 item" : "\(items) items" }
}
