#if Postgres && SQLite
  import Alter
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Makes a journal as stores would: entries of many replicas, some of them undos, and the snapshots that are due.
  ///
  /// It writes to the journal without a store, because a store would take ten times as long. The step `verify-states` checks the result.
  struct Making {
    /// The distance of the snapshots, and the undo window.
    private static let (spacing, window): (Int64, Int64) = (5_000, 1_000)

    private let journal: any Journal
    private var head: Head
    private var board = Board()
    private var origin = Origin.random()
    private var sequence: Int64 = 0
    private var drafts: [Entry.Draft] = []
    private var written: Int64 = 0
    private var base: (head: Head, board: Board)?

    /// Begins in an empty journal.
    init(_ journal: any Journal) async throws {
      self.journal = journal
      head = try await journal.head()
      guard head.revision == .zero else { throw Failure("The journal '\(journal.name)' is not empty.") }
    }

    /// Appends entries: every hundredth is the undo of the one before, and every 100,000 another replica continues.
    mutating func make(_ count: Int64) async throws {
      add(.initial, try JournalCoding.encode(board))
      var start = Head(empty: head.journal)
      while head.revision.number < count {
        let number = head.revision.number + 1
        if number % 100_000 == 1 { (origin, sequence) = (.random(), 0) }
        let change = Board.change(number)
        if number % 100 == 0 {
          add(.undo, try JournalCoding.encode(Entry.Targets([EntryID(origin: origin, sequence: sequence)])))
        } else {
          // The last entry before an undo has no effect.
          if number % 100 != 99 { board.apply(change, at: Stamp(time: time, origin: origin, sequence: sequence + 1)) }
          add(.changes, try JournalCoding.encode([change]))
        }
        if number % Self.spacing == Self.spacing - Self.window { base = (head, board) }
        guard number % 1_000 == 0 || number == count else { continue }
        start = try await journal.append(drafts, after: start).head
        drafts = []
        if number % Self.spacing == 0, let base {
          try await journal.keep(
            Snapshot(head: head, base: base.head, schema: 1, written: written, payload: try JournalCoding.encode(base.board)))
        }
      }
    }

    /// Half a minute for each entry, from the beginning of 2026 on.
    private var time: Int64 { 1_767_225_600_000_000 + head.revision.number * 30_000_000 }

    private mutating func add(_ kind: Entry.Kind, _ payload: Data) {
      sequence += 1
      let draft = Entry.Draft(kind: kind, id: EntryID(origin: origin, sequence: sequence), time: time, payload: payload)
      drafts.append(draft)
      let entry = Entry(draft, after: head)
      head = head.advanced(by: entry)
      written += entry.size
    }
  }
#endif
