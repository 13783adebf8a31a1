#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The kinds of rows of ``Statements/facts``. They have the columns of an entry, and their kind in the one after these.
  enum FactsRow: Int64 {
    /// The position: the revision and the checksum of the head, the id (origin), the generation (time), the newest schema, and the floor with
    /// its checksum (sequence, scope).
    case position
    /// A former generation (revision).
    case former
    /// A requested entry.
    case entry
    /// The principal of an origin (payload), and the last decided sequence.
    case origin
    /// An accepted attempt (payload and revision: its origin and sequence), by the first one.
    case attempt

    /// Reads all rows.
    ///
    /// - Throws: ``EntryRow/Complaint`` for an invalid row.
    /// - Returns: nil if no server decides the journal.
    static func facts(_ answer: Answer) throws(EntryRow.Complaint) -> ServerFacts? {
      // The rows come in any order.
      var position: (row: Int, generation: Int64)?
      var standings: [EntryID: DecidedStanding] = [:]
      var origins: [Origin: OriginStanding] = [:]
      var attempts: [EntryID: EntryID] = [:]
      var former: Set<Generation> = []
      for row in 0..<answer.rowCount {
        switch answer.number(row, 12).flatMap(FactsRow.init) {
        case .position:
          guard let generation = answer.number(row, 1) else { return nil }
          position = (row, generation)
        case .former:
          guard let generation = answer.number(row, 0) else {
            throw EntryRow.Complaint(revision: nil, text: "a former generation is invalid")
          }
          former.insert(Generation(UInt64(bitPattern: generation)))
        case .entry:
          let entry = try EntryRow.entry(answer, row)
          guard let standing = entry.standing else { throw EntryRow.Complaint(revision: entry.revision, text: "its refusal is invalid") }
          standings[entry.id] = standing
        case .origin:
          guard let origin = answer.uuid(row, 2), let last = answer.number(row, 3), let principal = answer.text(row, 7) else {
            throw EntryRow.Complaint(revision: nil, text: "the row of an origin is invalid")
          }
          origins[Origin(origin)] = OriginStanding(principal: principal, last: last)
        case .attempt:
          guard let first = answer.uuid(row, 2), let sequence = answer.number(row, 3), let accepted = answer.uuid(row, 7),
            let number = answer.number(row, 0)
          else { throw EntryRow.Complaint(revision: nil, text: "the row of an attempt is invalid") }
          attempts[EntryID(origin: Origin(first), sequence: sequence)] = EntryID(origin: Origin(accepted), sequence: number)
        case nil: throw EntryRow.Complaint(revision: nil, text: "a row is invalid")
        }
      }
      guard let position else { throw EntryRow.Complaint(revision: nil, text: "the row with its head is missing") }
      let lineage = Lineage(Generation(UInt64(bitPattern: position.generation)), former: former)
      var facts = ServerFacts(try self.position(answer, position.row, lineage))
      (facts.standings, facts.origins, facts.attempts) = (standings, origins, attempts)
      return facts
    }

    private static func position(_ answer: Answer, _ row: Int, _ lineage: Lineage) throws(EntryRow.Complaint) -> ServerPosition {
      guard let revision = answer.number(row, 0), revision >= 0, let id = answer.uuid(row, 2),
        let checksum = answer.data(row, 9).flatMap(Checksum.init(bytes:)), let schema = answer.number(row, 5),
        let floor = answer.number(row, 3), floor >= 0
      else { throw EntryRow.Complaint(revision: nil, text: "the row with its head is invalid") }
      let journal = JournalID(id)
      var start = Head(empty: journal)
      if floor > 0 {
        guard let checksum = answer.data(row, 4).flatMap(Checksum.init(bytes:)) else {
          throw EntryRow.Complaint(revision: nil, text: "the checksum of its floor is invalid")
        }
        start = Head(journal: journal, revision: Revision(floor), checksum: checksum)
      }
      return ServerPosition(
        head: Head(journal: journal, revision: Revision(revision), checksum: checksum),
        lineage: lineage, floor: start, schema: Int(clamping: schema))
    }
  }
#endif
