#if Postgres
  import AlterCore
  import AlterJournal

  /// The state of the database after an append that inserted nothing, and the decision that follows from it. A pure value.
  ///
  /// It is read in this order: the head with the floor, the entry at the presented head, the entries of the drafts' ids, the removed ids. Only
  /// entries below the floor are removed, and their ids stay, so an entry that is not found at the end did not exist at the beginning.
  struct AppendEvidence: Sendable {
    /// The end of the journal.
    var head: Head
    /// The checksum of the entry at the presented head's revision, if there is one.
    var checksum: Checksum?
    /// The entries of the drafts' ids, in order of revision.
    var found: [Entry]
    /// The epochs of the presented leases, by name. A lease that was never granted has none.
    var epochs: [String: Int64]
    /// Whether a server decides the journal.
    var isServed = false
    /// The floor of a compacted journal.
    var floor: Head?
    /// The revisions of those ids, of the drafts and of the entries that their undos name, which are or were at or below the floor.
    var removed: [EntryID: Revision] = [:]

    /// The outcome of an append.
    enum Finding: Sendable, Hashable {
      /// An earlier attempt has written the drafts.
      case there(Appended)
      /// The append is refused with an error.
      case refused(JournalError)
      /// The obstacle has gone since: the append is repeated.
      case tryAgain
    }

    /// Decides the outcome. The order of the checks is that of every journal: are the drafts there, are the leases valid, is it plain, is the head
    /// current, are the other ids free?
    func verdict(_ drafts: [Entry.Draft], after presented: Head, under leases: [Lease], in name: String) -> Finding {
      let bottom = floor?.revision ?? .zero
      let found = found.filter { $0.revision > bottom }
      let places = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      if let first = places[drafts[0].id] {
        for (offset, draft) in drafts.enumerated() {
          guard let entry = places[draft.id], entry.draft == draft, entry.revision == first.revision + offset else {
            return .refused(.originCollision(name, draft.id, at: places[draft.id]?.revision ?? first.revision + offset))
          }
        }
        let last = found.last ?? first
        return .there(
          Appended(
            first: first.revision, head: Head(journal: head.journal, revision: last.revision, checksum: last.checksum)))
      }
      if let there = drafts.lazy.compactMap({ removed[$0.id] }).first {
        // A writer that has not read so far finds its draft there. One that has read everything uses an id of another process.
        return .refused(
          presented == head
            ? .originCollision(name, drafts[0].id, at: there) : .conflict(name, at: head.revision, expected: presented.revision))
      }
      for lease in leases where epochs[lease.name] ?? 0 != lease.epoch {
        return .refused(.staleLease(name, lease, epoch: epochs[lease.name] ?? 0))
      }
      if isServed { return .refused(.decidedElsewhere(name, .server)) }
      if presented != head {
        let isInside = presented.journal == head.journal && presented.revision > .zero && presented.revision < head.revision
        // The checksums below the floor are not known any more.
        let isBelow = presented == floor || isInside && presented.revision < bottom
        let isAncestor =
          presented == Head(empty: head.journal) || isBelow || isInside && presented.revision > bottom && checksum == presented.checksum
        return .refused(
          isAncestor
            ? .conflict(name, at: head.revision, expected: presented.revision)
            : .diverged(name, at: presented.revision, head: head.revision))
      }
      if let taken = drafts.first(where: { places[$0.id] != nil }), let entry = places[taken.id] {
        return .refused(.originCollision(name, taken.id, at: entry.revision))
      }
      if let floor, let target = drafts.lazy.compactMap(\.targets).joined().first(where: { removed[$0] != nil }) {
        return .refused(.undoBelowFloor(name, target, floor: floor.revision))
      }
      return .tryAgain
    }
  }
#endif
