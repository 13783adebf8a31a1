#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSyncCore

  /// The mirror in the tables of a file, in the present transaction.
  struct DeviceTables: MirrorStorage {
    typealias Failure = any Error

    let tables: MirrorTables
    private(set) var start: Head?
    private(set) var head: Head?
    /// The entries of this transaction.
    private var fresh: [EntryID: SyncEntry] = [:]
    /// Whether the mirror has begun again.
    private(set) var hasBegun = false

    /// Creates the mirror of a file.
    init(_ tables: MirrorTables, hasContact: Bool) throws {
      self.tables = tables
      guard hasContact else { return }
      let ends = try tables.ends()
      (start, head) = (ends.start, ends.head)
    }

    func entry(_ id: EntryID) throws -> SyncEntry? {
      if let entry = fresh[id] { return entry }
      // The row of an entry below the floor may be still there.
      guard let start, let entry = try tables.entry(id), entry.revision > start.revision else { return nil }
      return try SyncEntry(entry)
    }

    func drafts(of origins: Set<Origin>) throws -> [SyncDraft] { try tables.entries(of: origins).compactMap { try SyncEntry($0).draft } }

    mutating func extend(_ entries: [SyncEntry], of journal: JournalID) throws -> Bool {
      if head == nil { try begin(at: Head(empty: journal), state: nil, isRestart: true) }
      guard var head else { return false }
      var isBroken = false
      for entry in entries where entry.revision > head.revision {
        guard entry.follows(head) else {
          isBroken = true
          break
        }
        try tables.add(entry.stored)
        head = head.advanced(by: entry.stored)
        fresh[entry.id] = entry
      }
      if head != self.head { try tables.advance(to: head) }
      self.head = head
      return !isBroken
    }

    /// Begins at a later entry.
    ///
    /// - Parameters:
    ///   - pinned: The state there.
    ///   - seen: The head up to which no undo names an entry that goes.
    ///   - window: The undo window.
    mutating func moveFloor(to pinned: Snapshot, seen: Head, leaving window: Int) throws {
      try tables.moveFloor(to: pinned, seen: seen, leaving: window)
      start = pinned.head
      fresh = fresh.filter { $0.value.revision > pinned.head.revision }
    }

    /// Begins the mirror again from a floor.
    ///
    /// - Parameter isRestart: Whether the server's journal has begun another generation, or there was no mirror.
    mutating func begin(at floor: Head, state: StateBytes?, isRestart: Bool) throws {
      try tables.begin(at: floor, state: state.map { ($0.payload, $0.schema) }, keepingVerdicts: !isRestart)
      (start, head) = (floor, floor)
      (fresh, hasBegun) = ([:], true)
    }
  }
#endif
