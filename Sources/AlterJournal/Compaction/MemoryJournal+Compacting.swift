import AlterCore

extension MemoryJournal.Contents {
  /// The head at the floor: revision 0 for a whole journal.
  var floor: Head { pinned?.head ?? Head(empty: id) }

  /// Returns the entry of a revision; nil if the journal does not have it.
  func entry(at revision: Revision) -> Entry? {
    guard revision > floor.revision, revision <= head.revision else { return nil }
    return entries[revision - floor.revision - 1]
  }
}

extension MemoryJournal: CompactableJournal {
  package func moveFloor(to pinned: Snapshot, seen: Head) async throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      let old = contents.floor.revision
      let new = pinned.head.revision
      guard new > old else { return }
      guard pinned.base == pinned.head, let entry = contents.entry(at: new), Head(empty: contents.id).advanced(by: entry) == pinned.head
      else {
        throw .diverged(name, at: new, head: contents.head.revision)
      }
      let since = contents.entries.dropFirst(max(seen.revision - old, 0))
      let newest = max(since.map(\.schema).max() ?? 0, contents.snapshots.map(\.schema).max() ?? 0)
      guard pinned.schema >= newest else {
        throw .planHasOldSchema(name, pinned.schema, newest: newest, at: contents.head.revision)
      }
      let kept = contents.snapshots + (contents.pinned.map { [$0] } ?? [])
      guard kept.allSatisfy({ $0.schema != pinned.schema || pinned.hasAllNames(of: $0.form) }) else {
        throw .planHasFewerNames(name, at: contents.head.revision)
      }
      for entry in since {
        for target in entry.draft.targets ?? [] {
          guard let place = contents.places[target], place <= new else { continue }
          throw .planIsOutdated(name, "the undo at revision \(entry.revision) names revision \(place)", at: entry.revision)
        }
      }
      contents.keepVerdicts(of: contents.entries.prefix(new - old))
      contents.entries.removeFirst(new - old)
      contents.snapshots.removeAll { $0.base.revision < new }
      contents.pinned = pinned
    }
  }

  package func removeBelowFloor() async throws(JournalError) -> Bool { false }

  package func shrink() async throws(JournalError) -> Bool { false }

  package func vacuum() async throws(JournalError) {}

  package func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
    try read { contents in
      ids.reduce(into: [:]) { found, id in
        if let place = contents.places[id], place <= contents.floor.revision { found[id] = place }
      }
    }
  }
}
