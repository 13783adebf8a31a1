#if SQLite
  import Alter
  @testable import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import Foundation
  import SyncModel

  /// The shop as a server holds it.
  struct ServedShop: SyncState {
    var shop: Shop

    init(initial: Data) { shop = (try? JournalCoding.decode(from: initial)) ?? Shop() }

    var bytes: StateBytes { StateBytes((try? JournalCoding.encode(shop)) ?? Data(), schema: 1) }

    mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
      guard let changes = try? JournalCoding.decode([Shop.Change].self, from: payload) else { throw .undecodable }
      do { shop = try shop.alter(changes, at: stamp) } catch { throw .refused("\(error)") }
    }
  }

  /// A server of the shop in memory, which denies every new address.
  struct ShopServer {
    struct Policy: LedgerPolicy {
      func mayRead(_ principal: Principal) -> Bool { true }
      func mayWrite(_ principal: Principal) -> Bool { true }
      func grants(_ scope: UndoScope, to principal: Principal) -> Bool { true }
      func permit(_ principal: Principal, _ draft: SyncDraft, in state: ServedShop, arrival: Int64) -> Permission {
        draft.stored.payload.range(of: Data(#""email""#.utf8)) == nil ? .permitted : .denied("no addresses")
      }
    }

    var database: Ledger<ServedShop>
    private var process: ServerProcess<ServedShop>
    private var arrival: Int64 = 1_800_000_000_000_000

    init() {
      let initial = (try? JournalCoding.encode(Shop())) ?? Data()
      database = Ledger(
        JournalID(UUID(uuid: (1, 1, 1, 1, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))),
        lineage: Lineage(Generation(0x77), former: [Generation(5)]),
        initial: .initial(EntryID(origin: SyncedShop.origin(200), sequence: 1), initial), window: 5)
      process = ServerProcess(database, limits: SyncLimits())
    }

    /// Answers a request of a device, as bytes.
    mutating func answer(_ request: Request) -> Answer {
      arrival += 1_000_000
      process.refill()
      var answer = process.begin(request, token: request.principal, arrival: arrival, policy: Policy(), database: database)
      while answer == nil { answer = process.commit(to: &database, policy: Policy()) }
      return answer ?? .notUnderstood
    }

    /// Lets another device, of Bob, change a price.
    mutating func change(_ number: Int64, reason: String? = nil) {
      database.append(
        .draft(SyncedShop.draft(number, .price(id: 1, price: Int(number)), of: SyncedShop.bob)), by: Principal("bob"),
        receipt: Receipt(author: Pseudonym(bits: 0xB0B), arrival: 1_800_000_000_000_000))
    }
  }

  /// Real files of synced journals.
  enum SyncedShop {
    /// The origin of the device, and that of another one.
    static let ann = origin(1)
    static let bob = origin(9)
    /// The reason of the refusal in the device's file. It must not reach a terminal as it is.
    static let reason = "no \u{1B}[31maddresses"

    static func origin(_ byte: UInt8) -> Origin {
      Origin(UUID(uuid: (byte, 0xA, 0xB, 0xC, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, byte)))
    }

    static func id(_ sequence: Int64) -> EntryID { EntryID(origin: ann, sequence: sequence) }

    static func draft(
      _ sequence: Int64, _ change: Shop.Change, of origin: Origin = ann, requires: EntryID? = nil, retries: EntryID? = nil
    ) -> SyncDraft {
      SyncDraft(
        id: EntryID(origin: origin, sequence: sequence), time: 1_700_000_000_000_000 + sequence * 1_000_000,
        content: .changes((try? JournalCoding.encode([change])) ?? Data()), requires: requires, retries: retries)
    }

    /// Opens a device's file, whose user has a name that must not reach a terminal as it is.
    static func open(_ path: String) async throws -> DeviceStorage {
      try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: Principal("ann\u{1B}[0m"))
    }

    /// Sends or fetches once, and absorbs the answer.
    static func exchange(_ exchange: EngineCommand.Exchange, _ storage: DeviceStorage, _ server: inout ShopServer) async throws {
      let request = try await storage.request(for: exchange, limits: SyncLimits())
      var answer = server.answer(request)
      if case .page(var page) = answer {
        page.reasons = [id(4): reason]
        answer = .page(page)
      }
      _ = try await storage.absorb(answer, to: request)
    }

    /// Makes a device's file whose mirror has the entries 9 to 16, after the floor 8:
    ///
    /// - Below the floor, the drafts 1 to 3 of the device were accepted. Their verdicts are a range.
    /// - 9 to 14 are prices of another device. 15 is the refusal of the device's draft 4. 16 is its draft 5.
    /// - In the outbox are 6, 7 (requires 6), 8 (retries 4) and 9 (an undo of 5). The refused draft 4 is listed.
    @discardableResult
    static func device(at path: String) async throws -> ShopServer {
      var server = ShopServer()
      let storage = try await open(path)
      try await storage.open(as: ann)
      try await storage.enqueue((1...3).map { draft($0, .add(Shop.Product(id: Int($0), title: "Product \($0)"))).stored })
      // The answers are lost, and the journal is compacted meanwhile.
      while server.database.head.revision < 4 {
        _ = server.answer(try await storage.request(for: .push, limits: SyncLimits()))
      }
      for number in 1...10 as ClosedRange<Int64> { server.change(number) }
      guard server.database.compact(to: 8) else { throw JournalError(.failed, journal: path, message: "was not compacted") }
      try await exchange(.fetch, storage, &server)
      try await exchange(.pull, storage, &server)
      try await storage.enqueue([draft(4, .email("a@b.example")).stored, draft(5, .price(id: 2, price: 77)).stored])
      while server.database.head.revision < 16 { try await exchange(.push, storage, &server) }
      try await storage.enqueue([
        draft(6, .add(Shop.Product(id: 6, title: "Milk\u{1B}[2J"))).stored, draft(7, .price(id: 6, price: 3), requires: id(6)).stored,
        draft(8, .email("c@d.example"), retries: id(4)).stored,
        SyncDraft(id: id(9), time: 1_700_000_009_000_000, content: .undo(id(5))).stored,
      ])
      await storage.close()
      return server
    }

    /// Makes a journal that a server decides: 1 initial, 2 a product, 3 a refused address, 4 a price that requires 2, 5 the address again,
    /// accepted as a retry of 3, 6 the undo of 4 by rule, and 7 an answer to 2.
    static func served(at path: String) async throws -> SQLiteJournal {
      let journal = try await SQLiteJournal(at: path, durability: .relaxed)
      let initial = Entry.Draft(
        kind: .initial, id: EntryID(origin: origin(200), sequence: 1), time: 0, payload: try JournalCoding.encode(Shop()))
      _ = try await journal.append([initial], after: journal.head())
      try await journal.serve(Lineage(Generation(0x77), former: [Generation(5)]), schema: 1)
      let receipt = Receipt(author: Pseudonym(bits: 0xFEDC_BA98_7654_3210), arrival: 1_800_000_000_000_000)
      func accepted(_ draft: SyncDraft) -> DecidedDraft {
        DecidedDraft(draft.stored, receipt: receipt, principal: "ann", retries: draft.retries)
      }
      let denied = draft(2, .email("a@b.example"))
      let refusal = Entry.Draft(refusing: denied.id, Entry.Refusal(code: "denied", hash: denied.hash), time: 1_800_000_000_000_000)
      let answer = SyncDraft(
        id: id(6), time: 1_700_000_006_000_000, content: .changes(try JournalCoding.encode([Shop.Change.ordered])),
        cause: Cause(answers: id(1), feedback: "orders"))
      _ = try await journal.append(
        [
          accepted(draft(1, .add(Shop.Product(id: 1, title: "Tea")))),
          DecidedDraft(refusal, receipt: receipt, principal: "ann", reason: reason),
          accepted(draft(3, .price(id: 1, price: 5), requires: id(1))), accepted(draft(4, .email("a@b.example"), retries: denied.id)),
          accepted(SyncDraft(id: id(5), time: 1_700_000_005_000_000, content: .undo(id(3)))), accepted(answer),
        ], at: journal.position())
      return journal
    }

    /// Runs a statement in a file.
    static func run(_ sql: String, in path: String) async throws {
      let journal = try await SQLiteJournal(at: path)
      try await journal.changeMirror { tables in
        try tables.database.run(sql)
        return ((), nil)
      }
      await journal.close()
    }
  }
#endif
