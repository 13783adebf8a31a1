#if Postgres
  import AlterCore
  import AlterJournal

  /// What the database says of an append that it didn't make, and what follows: a pure decision.
  ///
  /// It was gathered in this order: the head, the entry at the presented head, the entries of the drafts' ids. Entries are never removed, so what was
  /// not there at the end was not there at the beginning.
  struct AppendEvidence: Sendable {
    /// Where the journal ends.
    var head: Head
    /// The checksum of the entry at the presented head's revision, if there is one.
    var checksum: Checksum?
    /// The entries of the drafts' ids, by revision.
    var found: [Entry]
    /// The epochs of the presented leases; none for a lease that never was.
    var epochs: [String: Int64]

    /// What became of an append.
    enum Verdict: Sendable, Hashable {
      /// It was made before.
      case there(Appended)
      /// It can't be made.
      case refused(JournalError)
      /// Nothing stands in its way any more.
      case tryAgain
    }

    /// The same order of questions as in every journal: is it there, are the leases valid, is the head the head, are the other ids free?
    func verdict(_ drafts: [Entry.Draft], after presented: Head, under leases: [Lease], in name: String) -> Verdict {
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
      for lease in leases where epochs[lease.name] ?? 0 != lease.epoch {
        return .refused(.staleLease(name, lease, epoch: epochs[lease.name] ?? 0))
      }
      if presented != head {
        let isInside = presented.journal == head.journal && presented.revision > .zero && presented.revision < head.revision
        let isAncestor = presented == Head(empty: head.journal) || isInside && checksum == presented.checksum
        return .refused(
          isAncestor
            ? .conflict(name, at: head.revision, expected: presented.revision)
            : .diverged(name, at: presented.revision, head: head.revision))
      }
      if let taken = drafts.first(where: { places[$0.id] != nil }), let entry = places[taken.id] {
        return .refused(.originCollision(name, taken.id, at: entry.revision))
      }
      return .tryAgain
    }
  }
#endif
