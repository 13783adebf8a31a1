import AlterCore
import AlterJournal
import AlterSyncCore

/// Accepted drafts folded over a base state, by the definition of undo in `Design/0002-undo.md`: the naive form of a store's history.
///
/// A draft is active unless an active later draft reverts it; the state is the fold of the active drafts; an active draft that the state
/// refuses is suppressed. Refusals are not part of a timeline, so they count neither for the fold nor for the undo window.
package struct Timeline<State: SyncState>: Sendable {
  /// An accepted draft in its place.
  package struct Item: Sendable {
    package let revision: Revision
    package let draft: SyncDraft
    /// The reverted drafts, for an undo or a redo: the one that it is about, and the answers that go with it by rule.
    package let targets: [EntryID]
  }

  /// The state before the first item.
  package private(set) var base: State
  /// The items in order.
  package private(set) var items: [Item] = []
  /// The state after the last item.
  package private(set) var state: State
  /// The drafts that an active undo or redo reverts.
  package private(set) var inactive: Set<EntryID> = []
  /// Whether answers go with an undo by rule.
  var undoesAnswers = true
  /// The active drafts that the state refuses.
  package private(set) var suppressed: Set<EntryID> = []

  package init(_ state: State) { (base, self.state) = (state, state) }

  /// Adds an entry of the journal, whatever the state makes of it. Entries other than accepted drafts change nothing.
  package mutating func append(_ entry: SyncEntry) {
    switch entry.body {
    case .initial(_, let payload): (base, state) = (State(initial: payload), State(initial: payload))
    case .refused: break
    case .draft(let draft): append(draft, at: entry.revision)
    }
  }

  private mutating func append(_ draft: SyncDraft, at revision: Revision) {
    switch draft.content {
    case .changes(let payload):
      items.append(Item(revision: revision, draft: draft, targets: []))
      var next = state
      do throws(PayloadError) {
        try next.apply(payload, schema: draft.schema, at: draft.stamp)
        state = next
      } catch {
        suppressed.insert(draft.id)
      }
    case .undo, .redo:
      items.append(Item(revision: revision, draft: draft, targets: targets(of: draft)))
      refold()
    case .other: break
    }
  }

  /// Adds a draft if nothing speaks against it: the state accepts it, or the undo rules do.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - revision: Its place.
  ///   - window: The undo window of the journal.
  ///   - isRefused: Whether a draft is known to be refused.
  package mutating func attempt(
    _ draft: SyncDraft, at revision: Revision, window: Int, isRefused: (EntryID) -> Bool
  ) throws(Obstacle) {
    switch draft.content {
    case .other(let kind, _): throw Obstacle(.kind, "a draft cannot be a '\(kind.rawValue)'")
    case .changes(let payload):
      var next = state
      do throws(PayloadError) { try next.apply(payload, schema: draft.schema, at: draft.stamp) } catch {
        switch error {
        case .undecodable: throw Obstacle(.malformed, "the payload cannot be decoded")
        case .refused(let reason): throw Obstacle(.refused, reason)
        }
      }
      items.append(Item(revision: revision, draft: draft, targets: []))
      state = next
    case .undo(let target), .redo(let target):
      if let obstacle = obstacle(to: draft, about: target, window: window, isRefused: isRefused) { throw obstacle }
      var trial = self
      trial.append(draft, at: revision)
      let withdrawn = trial.inactive.subtracting(inactive)
      let stamps = Set(items.filter { withdrawn.contains($0.draft.id) }.map(\.draft.family))
      if let act = items.first(where: { $0.draft.cause.asking.map(stamps.contains) ?? false }) {
        throw Obstacle(.performed, "its request was performed at revision \(act.revision)")
      }
      let news = trial.suppressed.subtracting(suppressed)
      guard news.isEmpty else { throw Obstacle(.suppresses, "it would make the state refuse \(news.count) other entries") }
      self = trial
    }
  }

  private func obstacle(to draft: SyncDraft, about target: EntryID, window: Int, isRefused: (EntryID) -> Bool) -> Obstacle? {
    guard let place = items.lastIndex(where: { $0.draft.id == target }) else {
      return isRefused(target)
        ? Obstacle(.moot, "the change was refused") : Obstacle(.outsideWindow, "the entry is not in the undo window")
    }
    let entry = items[place].draft
    switch (draft.content, entry.content) {
    case (.undo, .changes), (.undo, .redo), (.redo, .undo): break
    default: return Obstacle(.kind, "an undo is about a change, and a redo about an undo")
    }
    guard entry.cause.feedback == nil else { return Obstacle(.kind, "an undo is about a change, and not about an answer") }
    guard draft.scope != .never else { return Obstacle(.kind, "nothing in the scope can be undone") }
    guard entry.scope == draft.scope else { return Obstacle(.scope, "the entry has another undo scope") }
    guard items.count - place <= window else { return Obstacle(.outsideWindow, "the entry is older than the undo window") }
    guard !inactive.contains(target) else { return Obstacle(.superseded, "another undo has reverted the entry") }
    if case .redo = draft.content {
      // A redo restores an entry from before its undo.
      let isWithin = items[place].targets.allSatisfy { id in
        items.lastIndex { $0.draft.id == id }.map { items.count - $0 <= window } ?? false
      }
      guard isWithin else { return Obstacle(.outsideWindow, "the entry to restore is older than the undo window") }
    }
    return nil
  }

  /// The drafts that an undo or a redo reverts: the one that it is about; for a redo the answers that the undo reverted, which stay undone;
  /// and all active answers up to here.
  package func targets(of draft: SyncDraft) -> [EntryID] {
    guard let target = draft.target, let place = items.lastIndex(where: { $0.draft.id == target }) else { return [] }
    var targets = [target]
    guard undoesAnswers else { return targets }
    if case .redo = draft.content { targets += items[place].targets.dropFirst() }
    var asking: Set<EntryID> = [target]
    var undos: Set<EntryID> = []
    for item in items[place...] where item.draft.id != target {
      switch item.draft.content {
      case .undo(let first): if asking.contains(first) { undos.insert(item.draft.id) }
      case .redo(let first): if undos.contains(first) { asking.insert(item.draft.id) }
      case .changes, .other:
        guard let answered = item.draft.answers, asking.contains(answered), !inactive.contains(item.draft.id) else { continue }
        asking.insert(item.draft.id)
        targets.append(item.draft.id)
      }
    }
    return targets
  }

  private mutating func refold() {
    var marks: Set<EntryID> = []
    for item in items.reversed() where !marks.contains(item.draft.id) { marks.formUnion(item.targets) }
    inactive = marks
    suppressed = []
    state = base
    for item in items where !marks.contains(item.draft.id) {
      guard case .changes(let payload) = item.draft.content else { continue }
      var next = state
      do throws(PayloadError) {
        try next.apply(payload, schema: item.draft.schema, at: item.draft.stamp)
        state = next
      } catch {
        suppressed.insert(item.draft.id)
      }
    }
  }

  /// Returns the state up to a revision under the present marks; nil if a later item names one up to there.
  func settled(at revision: Revision) -> State? {
    let removed = Set(items.lazy.filter { $0.revision <= revision }.map(\.draft.id))
    guard !items.contains(where: { $0.revision > revision && $0.targets.contains(where: removed.contains) }) else { return nil }
    var timeline = Timeline(base)
    for item in items where item.revision <= revision { timeline.append(item.draft, at: item.revision) }
    return timeline.state
  }

  /// Whether no undo, present or future, names an item up to a revision: a window of items follows it, and none of them does.
  func isSettled(at revision: Revision, window: Int) -> Bool {
    let place = items.firstIndex { $0.revision > revision } ?? items.endIndex
    guard items.count - place >= window else { return false }
    let earlier = Set(items[..<place].lazy.map(\.draft.id))
    return !items[place...].contains { $0.targets.contains(where: earlier.contains) }
  }

  /// Replaces the items up to a revision by the state there. ``settled(at:)`` has returned that state.
  mutating func compact(to revision: Revision, state: State) {
    base = state
    items.removeAll { $0.revision <= revision }
    refold()
  }
}
