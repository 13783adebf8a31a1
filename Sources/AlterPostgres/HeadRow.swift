#if Postgres
  import AlterCore
  import AlterJournal

  /// The row of a journal, as each statement that reads it selects it.
  struct HeadRow: Sendable {
    private enum Column: Int {
      case id, head, checksum, generation, floor, floorChecksum, floorState, last
    }

    /// The columns to select from `journal`, in the order of the reading.
    static let list = "journal.id, journal.head, journal.checksum, generation, floor, floor_checksum, floor_state"

    /// The end of the journal.
    let head: Head
    /// Whether a server decides the journal.
    let isServed: Bool
    /// The last removed entry of a compacted journal.
    let floor: Head?
    /// The checksum of the state at the floor.
    let floorState: Checksum?
    /// The revision of the last entry, if the statement selects it behind the other columns and there is one.
    let last: Int64?

    /// Reads the only row of an answer.
    init(_ answer: ServerAnswer, of name: String) throws(JournalError) {
      func number(_ column: Column) -> Int64? { answer.number(0, column.rawValue) }
      func checksum(_ column: Column) -> Checksum? { answer.data(0, column.rawValue).flatMap(Checksum.init(bytes:)) }
      guard answer.rowCount == 1 else { throw .damaged(name, "the row with its head is missing") }
      guard let id = answer.uuid(0, Column.id.rawValue).map({ JournalID($0) }), let revision = number(.head), revision >= 0,
        let own = checksum(.checksum)
      else { throw .damaged(name, "the row with its head is invalid") }
      head = Head(journal: id, revision: Revision(revision), checksum: own)
      isServed = number(.generation) != nil
      floorState = checksum(.floorState)
      last = answer.columnCount > Column.last.rawValue ? number(.last) : nil
      guard let floor = number(.floor), floor != 0 else {
        self.floor = nil
        return
      }
      guard floor > 0, floor <= revision, let below = checksum(.floorChecksum) else {
        throw .damaged(name, "the row with its floor is invalid")
      }
      self.floor = Head(journal: id, revision: Revision(floor), checksum: below)
    }
  }
#endif
