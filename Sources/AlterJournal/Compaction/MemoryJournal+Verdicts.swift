import AlterCore

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
