#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The tables of a device's side of a synced journal, in one transaction or one moment of reading.
  ///
  /// It knows rows, and no rules: `AlterSync` decides what is added and removed. Use it within the closure that receives it alone.
  package struct MirrorTables {
    let database: Database
    let journal: Int64
    let name: String
    let statements: AppendStatements?

    /// The row of a device.
    package struct Device: Sendable, Hashable {
      package var principal: String
      /// The number of transactions.
      package var transactions: Int64 = 0
      /// The number of transactions that did more than add drafts.
      package var absorbed: Int64 = 0
      /// The number of new starts of the mirror.
      package var grounds: Int64 = 0
      /// The reason for the last new start; empty for none.
      package var reason = ""
      /// The last place in the outbox and the lists.
      package var place: Int64 = 0

      /// The range of the numbers. They are counted up, and a damaged row may hold any number.
      static let numbers: ClosedRange<Int64> = 0...1 << 62

      package init(principal: String) { self.principal = principal }
    }

    /// A draft in the outbox or in a list.
    package struct Item: Sendable, Hashable {
      package let place: Int64
      package let draft: Entry.Draft
      /// 'accepted' or the code of a refusal, if the server has told one.
      package let verdict: String?
      /// The revision of the verdict's entry.
      package let revision: Revision?
      /// The explanation of a refusal.
      package let reason: String?

      package init(place: Int64, _ draft: Entry.Draft, verdict: String? = nil, revision: Revision? = nil, reason: String? = nil) {
        self.place = place
        self.draft = draft
        self.verdict = verdict
        self.revision = revision
        self.reason = reason
      }
    }

    /// The tables that hold drafts.
    package enum List: String, Sendable {
      case drafts, refusals, awaited
    }

    /// The name of the journal in errors.
    package var journalName: String { name }

    // MARK: The device

    /// Reads the row of the device; nil if the journal is not a mirror.
    package func device() throws -> Device? {
      try database.first(
        "SELECT principal, transactions, absorbed, grounds, reason, place FROM devices WHERE journal = ?", journal
      ) { row in
        guard let principal = row.text(0), let transactions = row.number(1), let absorbed = row.number(2), let grounds = row.number(3),
          let reason = row.text(4), let place = row.number(5),
          [transactions, absorbed, grounds, place].allSatisfy({ Device.numbers.contains($0) })
        else { throw JournalError.damaged(name, "the row of the device is invalid") }
        var device = Device(principal: principal)
        (device.transactions, device.absorbed, device.grounds, device.place) = (transactions, absorbed, grounds, place)
        device.reason = reason
        return device
      }
    }

    /// The number of journals in the file.
    package func journalCount() throws -> Int { Int(clamping: try database.number("SELECT count(*) FROM journals") ?? 0) }

    /// Writes the row of the device, and makes the journal a mirror.
    package func keep(_ device: Device) throws {
      try database.run(
        "INSERT OR REPLACE INTO devices (journal, principal, transactions, absorbed, grounds, reason, place) VALUES (?, ?, ?, ?, ?, ?, ?)",
        journal, device.principal, device.transactions, device.absorbed, device.grounds, device.reason, device.place)
    }

    /// Makes an empty plain journal a mirror.
    ///
    /// - Throws: `conflict` if it has entries, `readOnly` if a server writes it.
    package func become(_ device: Device) throws {
      let role = try ServedRow.role(journal, in: database, name: name)
      guard role == .plain else { throw JournalError.decidedElsewhere(name, role) }
      let head = try JournalRow.read(journal, in: database, name: name).head
      guard head.revision == .zero else {
        throw JournalError(
          .conflict, journal: name, revision: head.revision,
          message:
            "has \(head.revision) entries of its own, so it can't become a device's copy of a server's journal. Nothing was changed. Adopt it, or choose a new file."
        )
      }
      try database.run("UPDATE journals SET role = 'mirror' WHERE number = ?", journal)
      try keep(device)
    }

    /// The present generation and the former ones; nil before the first contact.
    package func lineage() throws -> Lineage? { try ServedRow.lineage(journal, in: database) }

    /// Writes the lineage.
    package func keep(_ lineage: Lineage) throws { try ServedRow.keep(lineage, journal: journal, in: database) }

    /// The origins of this file.
    package func origins() throws -> Set<Origin> {
      Set(try database.all("SELECT origin FROM own WHERE journal = ?", journal) { $0.origin(0) }.compactMap { $0 })
    }

    /// Adds an origin of this file.
    package func add(_ origin: Origin) throws {
      try database.run("INSERT OR IGNORE INTO own (journal, origin) VALUES (?, ?)", journal, origin)
    }

    // MARK: The mirror

    /// The last entry, and the one before the first.
    package func ends() throws -> (start: Head, head: Head) {
      let head = try JournalRow.read(journal, in: database, name: name).head
      return (try ServedRow.floor(of: journal, head, in: database, name: name), head)
    }

    /// Reads entries after a revision that is not below the floor.
    package func entries(after revision: Revision, limit: Int = .max) throws -> [Entry] {
      let statement = try EntryRow.select("revision > ? ORDER BY revision LIMIT ?", in: database)
      statement.bind(journal, at: 1)
      statement.bind(revision.number, at: 2)
      statement.bind(Int64(limit), at: 3)
      var entries: [Entry] = []
      var expected = revision.next
      try statement.forEachRow { row in
        switch EntryRow.entry(row) {
        case .success(let entry):
          guard entry.revision == expected else { throw JournalError.damaged(name, at: expected, "the entry is missing") }
          entries.append(entry)
          expected = expected.next
        case .failure(let complaint): throw JournalError.damaged(name, at: expected, complaint.text)
        }
        return true
      }
      return entries
    }

    /// Reads the entries of some origins above the floor, in order.
    package func entries(of origins: Set<Origin>) throws -> [Entry] {
      var entries: [Entry] = []
      let floor = try CompactedRow.floor(journal, in: database)
      let statement = try EntryRow.select("origin = ? AND revision > ?", in: database)
      for origin in origins {
        statement.bind(journal, at: 1)
        origin.bind(to: statement, at: 2)
        statement.bind(floor.number, at: 3)
        try statement.forEachRow { row in
          entries.append(try EntryRow.sound(row, name: name))
          return true
        }
      }
      return entries.sorted { $0.revision < $1.revision }
    }

    /// Looks an entry up by its id. A row at or below the floor, which a compaction is about to remove, is found, too.
    package func entry(_ id: EntryID) throws -> Entry? { try EntryRow.find(id, journal: journal, in: database, name: name) }

    /// Adds an entry that follows the head. Call ``advance(to:)`` after the last one.
    package func add(_ entry: Entry) throws {
      guard let statements else { throw JournalError.readOnly(name) }
      try statements.insert(entry, in: journal)
    }

    /// Writes the head.
    package func advance(to head: Head) throws {
      guard let statements else { throw JournalError.readOnly(name) }
      try statements.advance(journal, to: head)
    }

    /// Begins the mirror again from a floor: removes all entries and snapshots, and keeps the state at the floor.
    ///
    /// - Parameters:
    ///   - floor: The entry before the first one, in the server's journal.
    ///   - state: The state there, as JSON, and its schema; nil for a whole journal.
    ///   - keepsVerdicts: Whether the entries are those of the same generation of the server's journal: the verdicts on own drafts up to the floor
    ///     are kept, for stores that have not read them yet. Those that were kept before stay in any case: a former generation has told them.
    package func begin(at floor: Head, state: (payload: Data, schema: Int)?, keepingVerdicts keepsVerdicts: Bool) throws {
      if keepsVerdicts { try self.keepVerdicts(upTo: floor.revision) }
      for table in ["entries", "snapshots", "floors"] {
        try database.run("DELETE FROM \(table) WHERE journal = ?", journal)
      }
      let isWhole = floor.revision == .zero
      let snapshot = state.map { Snapshot(head: floor, base: floor, schema: $0.schema, written: 0, payload: $0.payload) }
      try database.run(
        "UPDATE journals SET source = ?, head = ?, checksum = ?, floor = ?, floor_checksum = ?, floor_state = ? WHERE number = ?",
        floor.journal, floor.revision, floor.checksum, floor.revision, isWhole ? nil : floor.checksum, snapshot?.checksum, journal)
      if let snapshot { try FloorRow.keep(snapshot, journal: journal, in: database) }
    }

    /// Reads the state at the floor; nil for a whole journal.
    ///
    /// - Throws: `damaged` if both copies are.
    package func floorState() throws -> (payload: Data, schema: Int)? {
      let floor = try ends().start
      return try FloorRow.snapshot(at: floor, journal: journal, in: database, name: name).map { ($0.payload, $0.schema) }
    }

    /// The schema of the state at the floor, without reading the state; nil if the mirror begins after the initial entry, whose state every
    /// version of an app converts.
    ///
    /// - Throws: `damaged` if no copy of the state matches its checksum.
    package func floorSchema() throws -> Int? {
      let floor = try ends().start
      guard floor.revision > 1 else { return nil }
      return try FloorRow.place(at: floor, journal: journal, in: database, name: name)?.schema
    }

    // MARK: The outbox and the lists

    /// Reads the drafts of a list after a place, in order.
    package func items(of list: List, after place: Int64 = -1) throws -> [Item] {
      try DraftRow.all(in: list.rawValue, after: place, journal: journal, in: database, name: name).map {
        Item(place: $0.place, $0.draft, verdict: $0.verdict, revision: $0.revision, reason: $0.reason)
      }
    }

    /// Reads the drafts of the outbox after a place, in order.
    ///
    /// - Throws: `damaged` if one lies behind the last place of the device: it would be read again as a new one.
    package func drafts(of device: Device, after place: Int64 = -1) throws -> [Item] {
      let items = try items(of: .drafts, after: place)
      guard let last = items.last, last.place > device.place else { return items }
      throw JournalError.damagedDevice(
        name, "a draft in its outbox has the place \(last.place), but the last place of the device is \(device.place)")
    }

    /// The number of drafts in a list.
    ///
    /// - Complexity: O(rows) of the table's index.
    package func count(of list: List) throws -> Int {
      Int(clamping: try database.number("SELECT count(*) FROM \(list.rawValue) WHERE journal = ?", journal) ?? 0)
    }

    /// The places of the drafts in a list, in order.
    package func places(of list: List) throws -> [Int64] {
      try database.all("SELECT place FROM \(list.rawValue) WHERE journal = ? ORDER BY place", journal) { $0.number(0) }.compactMap { $0 }
    }

    /// The draft of an id in a list.
    package func draft(_ id: EntryID, in list: List) throws -> Entry.Draft? {
      try DraftRow.all(id, in: list.rawValue, journal: journal, in: database, name: name).first?.draft
    }

    /// Adds a draft to a list.
    package func add(_ item: Item, to list: List) throws {
      try DraftRow.insert(
        DraftRow.Content(place: item.place, draft: item.draft, verdict: item.verdict, revision: item.revision, reason: item.reason),
        into: list.rawValue, journal: journal, in: database)
    }

    /// Removes a draft from a list. Two refused drafts may have one id: one of them is a clone.
    ///
    /// - Parameters:
    ///   - id: The id of the draft.
    ///   - hash: Its hash, to remove all drafts that have it; nil for the first draft of the id.
    ///   - list: The list.
    package func remove(_ id: EntryID, hash: Checksum? = nil, from list: List) throws {
      let found = try DraftRow.all(id, in: list.rawValue, journal: journal, in: database, name: name)
      for row in hash == nil ? Array(found.prefix(1)) : found.filter({ $0.draft.hash == hash }) {
        try DraftRow.remove(row.place, from: list.rawValue, journal: journal, in: database)
      }
    }

    /// Removes everything from a list.
    package func removeAll(from list: List) throws {
      try database.run("DELETE FROM \(list.rawValue) WHERE journal = ?", journal)
    }

    /// Records the verdict that the server has told on a draft of the outbox; nil to forget it.
    package func note(_ verdict: String?, at revision: Revision?, on id: EntryID) throws {
      try database.run(
        "UPDATE drafts SET verdict = ?, revision = ? WHERE journal = ? AND origin = ? AND sequence = ?", verdict, revision, journal,
        id.origin,
        id.sequence)
    }
  }

  /// The rows of the tables that hold drafts: the outbox, the refusals, and the awaited changes.
  enum DraftRow {
    /// The columns of each table but the first, the journal. In a table of drafts: the place, the draft, its verdict, the verdict's revision, the
    /// draft's hash, and of a refusal the reason.
    private static let columns = Dictionary(
      uniqueKeysWithValues: FileFormat.schema.filter { $0.type == "table" }.map { ($0.name, Array($0.columns.dropFirst())) })

    /// A draft in one of the tables.
    struct Content {
      let place: Int64
      let draft: Entry.Draft
      let verdict: String?
      let revision: Revision?
      /// The last column, if the table has one more.
      let reason: String?
    }

    /// Adds a draft.
    static func insert(_ content: Content, into table: String, journal: Int64, in database: Database) throws {
      let names = columns[table] ?? []
      let statement = try database.prepared(
        "INSERT INTO \(table) (journal, \(names.joined(separator: ", "))) VALUES (?\(String(repeating: ", ?", count: names.count)))")
      statement.bind(journal, at: 1)
      statement.bind(content.place, at: 2)
      DraftColumns.bind(content.draft, to: statement, at: 3)
      let rest = 3 + DraftColumns.count
      content.verdict?.bind(to: statement, at: rest)
      content.revision?.bind(to: statement, at: rest + 1)
      content.draft.hash.bind(to: statement, at: rest + 2)
      if table == "refusals" { content.reason?.bind(to: statement, at: rest + 3) }
      try statement.run()
    }

    /// Reads the drafts of a table after a place, in order.
    static func all(in table: String, after place: Int64, journal: Int64, in database: Database, name: String) throws -> [Content] {
      try database.all(selection(table, "place > ?"), journal, place) { try content($0, of: table, name: name) }
    }

    /// Reads the drafts of an id, in order. Two refused drafts may have one id: one of them is a clone.
    static func all(_ id: EntryID, in table: String, journal: Int64, in database: Database, name: String) throws -> [Content] {
      try database.all(selection(table, "origin = ? AND sequence = ?"), journal, id.origin, id.sequence) {
        try content($0, of: table, name: name)
      }
    }

    private static func selection(_ table: String, _ condition: String) -> String {
      "SELECT \((columns[table] ?? []).joined(separator: ", ")) FROM \(table) WHERE journal = ? AND \(condition) ORDER BY place"
    }

    private static func content(_ row: PreparedStatement, of table: String, name: String) throws -> Content {
      let (found, problem) = draft(row, of: table)
      guard problem == nil, let found else {
        throw JournalError.damagedDevice(name, problem ?? "a draft in \(place(of: table)) cannot be read")
      }
      let (verdict, revision, reason) = notes(row, of: table)
      return Content(place: row.number(0) ?? 0, draft: found, verdict: verdict, revision: revision, reason: reason)
    }

    /// Passes the drafts of a table after a place to a closure, in order, damaged ones, too.
    ///
    /// - Parameter body: Receives a draft. Returns whether to continue.
    static func forEachListed(
      in table: String, after place: Int64, journal: Int64, in database: Database, _ body: (ListedDraft) throws -> Bool
    ) throws {
      try database.forEachRow(selection(table, "place > ?"), journal, place) { try body(listed($0, of: table)) }
    }

    /// The name of a table in messages.
    static func place(of table: String) -> String {
      switch table {
      case "drafts": "its outbox"
      case "refusals": "its list of refusals"
      default: "its list of awaited changes"
      }
    }

    /// Reads one row, with the description of its damage.
    private static func listed(_ row: PreparedStatement, of table: String) -> ListedDraft {
      let (found, problem) = draft(row, of: table)
      let (verdict, revision, reason) = notes(row, of: table)
      return ListedDraft(
        place: row.number(0) ?? 0, draft: found, verdict: verdict, revision: revision, reason: reason, problem: problem)
    }

    /// Reads the draft of a row, if it can be read, and the description of the row's damage.
    private static func draft(_ row: PreparedStatement, of table: String) -> (draft: Entry.Draft?, problem: String?) {
      guard row.number(0) != nil, case .success(let draft) = DraftColumns.draft(row, from: 1) else {
        return (nil, "the draft at place \(row.number(0) ?? 0) in \(place(of: table)) has an invalid column")
      }
      // Otherwise a damaged draft would be sent, and decided, as another change than the user's.
      guard row.checksum(1 + DraftColumns.count + 2) == draft.hash else {
        return (draft, "the draft \(draft.id) in \(place(of: table)) does not match its hash")
      }
      return (draft, nil)
    }

    /// Reads what a row notes beside the draft.
    private static func notes(_ row: PreparedStatement, of table: String) -> (verdict: String?, revision: Revision?, reason: String?) {
      let rest = 1 + DraftColumns.count
      return (row.text(rest), row.number(rest + 1).map { Revision($0) }, table == "refusals" ? row.text(rest + 3) : nil)
    }

    /// Removes a draft by its place.
    static func remove(_ place: Int64, from table: String, journal: Int64, in database: Database) throws {
      try database.run("DELETE FROM \(table) WHERE journal = ? AND place = ?", journal, place)
    }
  }
#endif
