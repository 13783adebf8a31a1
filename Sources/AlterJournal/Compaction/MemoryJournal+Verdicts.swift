import AlterCore

extension MemoryJournal {
  package func forgetVerdicts(through revision: Revision, limit: Int) async throws(JournalError) -> Int {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      return contents.forgetVerdicts(through: revision, limit: limit)
    }
  }
}

// The entries below the floor, as later appends ask about them.
extension MemoryJournal.Contents {
  /// Keeps the verdicts of a server on the drafts of entries that are about to be removed.
  mutating func keepVerdicts(of entries: some Sequence<Entry>) {
    guard served != nil else { return }
    for entry in entries {
      served?.removed[entry.id] = entry.standing
      served?.reasons[entry.id] = nil
    }
  }

  /// Forgets the verdicts on the drafts of origins that have sent nothing after a revision.
  mutating func forgetVerdicts(through revision: Revision, limit: Int) -> Int {
    guard let removed = served?.removed else { return 0 }
    let used = Set(entries.map(\.id.origin))
    let origins = Dictionary(grouping: removed.keys, by: \.origin).filter { origin, ids in
      served?.origins[origin] != nil && !used.contains(origin) && ids.allSatisfy { places[$0].map { $0 <= revision } ?? true }
    }
    let forgotten = origins.prefix(limit)
    for id in forgotten.flatMap(\.value) {
      served?.removed[id] = nil
      places[id] = nil
    }
    return forgotten.count
  }

  /// Returns the verdict on a draft; nil if the journal never had it.
  func standing(of id: EntryID) -> DecidedStanding? {
    guard let place = places[id] else { return nil }
    return entry(at: place)?.standing ?? served?.removed[id] ?? .removed(at: place)
  }

  /// Checks that an undo or a redo names no entry at or below the floor.
  func checkTargets(of draft: Entry.Draft, in name: String) throws(JournalError) {
    guard floor.revision > .zero else { return }
    for target in draft.targets ?? [] {
      guard let place = places[target], place <= floor.revision else { continue }
      throw .undoBelowFloor(name, target, floor: floor.revision)
    }
  }
}
