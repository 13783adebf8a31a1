import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The difference between the list of a device and the list of a server that it joins.
///
/// Items and notes are compared by their ids. Their order, the times of their changes and the original lines of imported items don't count.
public struct ListDifference: Sendable {
  /// The list that remains where the two differ.
  public enum Choice: String, Sendable, CaseIterable {
    /// The server's list.
    case theirs
    /// The device's list.
    case mine
    /// Both: an item or a note that differs is there twice.
    case both
  }

  private let mine: AppState
  private let theirs: AppState
  private let added: [TodoItem]
  private let missing: [TodoItem]
  private let changed: [TodoItem]
  private let addedNotes: [Note]
  private let missingNotes: [Note]
  private let changedNotes: [Note]
  /// The memberships of tags that one list alone has, among the items of both.
  private let addedTags: [(name: String, item: UUID)]
  private let missingTags: [(name: String, item: UUID)]

  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - mine: The device's list.
  ///   - theirs: The server's list.
  /// - Complexity: O(items + members of all tags).
  public init(mine: AppState, theirs: AppState) {
    (self.mine, self.theirs) = (mine, theirs)
    added = mine.items.filter { !theirs.items.contains(id: $0.id) }
    missing = theirs.items.filter { !mine.items.contains(id: $0.id) }
    changed = mine.items.filter { item in theirs.items[id: item.id].map { !$0.fields.hasSameFields(as: item.fields) } ?? false }
    addedNotes = mine.entries.filter { !theirs.entries.contains(id: $0.id) }
    missingNotes = theirs.entries.filter { !mine.entries.contains(id: $0.id) }
    changedNotes = mine.entries.filter { note in theirs.entries[id: note.id].map { !$0.text.hasSameBytes(as: note.text) } ?? false }
    func members(_ list: AppState) -> [(name: String, item: UUID)] { list.tags.flatMap { tag in tag.items.map { (tag.id, $0) } } }
    func lacking(_ list: AppState, _ other: AppState) -> [(name: String, item: UUID)] {
      let sets = Dictionary(uniqueKeysWithValues: other.tags.map { ($0.id, Set($0.items)) })
      return members(list).filter { sets[$0.name]?.contains($0.item) != true }
    }
    addedTags = lacking(mine, theirs)
    missingTags = lacking(theirs, mine).filter { mine.items.contains(id: $0.item) }
  }

  /// Whether both lists have the same items, notes and tags.
  public var isEmpty: Bool {
    added.isEmpty && missing.isEmpty && changed.isEmpty && addedNotes.isEmpty && missingNotes.isEmpty && changedNotes.isEmpty
      && addedTags.isEmpty && missingTags.isEmpty
  }

  /// The changes of the server's list that carry out a choice.
  ///
  /// - Parameters:
  ///   - choice: The list that remains where the two differ.
  ///   - newID: Returns an identity for a second version of an item or a note.
  /// - Complexity: O(differences).
  public func changes(keeping choice: Choice, newID: () -> UUID = { UUID() }) -> [AppState.Change] {
    switch choice {
    case .theirs: return []
    case .mine:
      return missing.map { .remove(.item($0.id)) } + missingNotes.map { .remove(.entry($0.id)) } + changed.map { .update(.item($0)) }
        + changedNotes.map { .entry($0.id, .text($0.text)) } + additions + addedTags.map { .tag($0.name, .add($0.item)) }
        + missingTags.map { .tag($0.name, .remove($0.item)) }
    case .both:
      var changes = additions + addedTags.map { .tag($0.name, .add($0.item)) }
      let members = changed.isEmpty ? [:] : mine.membership
      for item in changed {
        let second = TodoItem(id: newID(), item.fields)
        changes.append(.add(.item(second)))
        changes += (members[item.id] ?? []).map { .tag($0, .add(second.id)) }
      }
      return changes + changedNotes.map { .add(.entry(Note(id: newID(), text: $0.text, written: $0.written))) }
    }
  }

  private var additions: [AppState.Change] { added.map { .add(.item($0)) } + addedNotes.map { .add(.entry($0)) } }
}

extension ListDifference: CustomStringConvertible {
  /// The differences, with the texts of the first items, as in `only on this device: ‘Pay rent’; different: ‘Buy bread’`.
  public var description: String {
    func some(_ words: String, _ items: [TodoItem], _ notes: [Note]) -> String? {
      let names = items.map(\.text.quoted) + notes.map { "the note \($0.text.quoted)" }
      guard !names.isEmpty else { return nil }
      return "\(words): \(names.prefix(3).joined(separator: ", "))\(names.count > 3 ? " and \(names.count - 3) more" : "")"
    }
    let parts = [
      some("only on this device", added, addedNotes), some("only on the server", missing, missingNotes),
      some("different", changed, changedNotes),
    ].compactMap { $0 }
    return parts.isEmpty ? "the tags of items differ" : parts.joined(separator: "; ")
  }
}
