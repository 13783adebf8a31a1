#if Inspector && SQLite
  import Alter
  import AlterSQLite
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterInspector

  @Suite("A device's file, inspected with and without types", .timeLimit(.minutes(20)))
  struct DeviceFileTests {
    private static let conditions: [String: @Sendable (Shop) -> Bool] = [
      "never": { _ in false }, "five": { $0.products[id: 1]?.price ?? 0 >= 5 }, "six": { $0.products[id: 1]?.price ?? 0 >= 6 },
      "dear": { $0.products[id: 2]?.price ?? 0 > 70 },
    ]

    private static func inspecting(
      _ body: (Inspection, String, ShopServer) async throws -> Void, hiding: Hiding = Hiding(), typed: Bool = false
    ) async throws {
      try await Folder.use { folder in
        let path = folder.path("device.db")
        let server = try await SyncedShop.device(at: path)
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let inspection =
          typed
          ? Inspection(of: journal, as: Shop.self, hiding: hiding, conditions: conditions) : Inspection(of: journal, hiding: hiding)
        inspection.waitForIndex()
        try await body(inspection, path, server)
        inspection.end()
        await journal.close()
      }
    }

    @Test("has its role, owner, generation, floor and lists in the overview")
    func overview() async throws {
      try await Self.inspecting { inspection, _, server in
        let overview = try await inspection.overview()
        let sync = try #require(overview.sync)
        #expect((overview.floor, overview.revision) == (8, 16))
        #expect((sync.role, sync.generation, sync.former, sync.accepts) == (.mirror, "77", 1, nil))
        let device = try #require(sync.device)
        #expect(device.principal == "ann\u{1B}[0m")
        #expect((device.drafts, device.decided, device.refusals, device.awaited, device.verdicts, device.origins) == (4, 0, 1, 0, 1, 1))
        #expect(overview.firstTime == SyncedShop.draft(5, .order, of: SyncedShop.bob).time)
        #expect(overview.journal == server.database.head.journal.description)
        // The counts cover the entries after the floor.
        let stats = try await inspection.stats()
        #expect((stats.floor, stats.revision, stats.indexed, stats.snapshots.map(\.revision)) == (8, 16, 8, [8]))
        #expect(try await inspection.overview().kinds == ["changes": 7, "refused": 1])
      }
    }

    @Test("lists the outbox in its order, with the change as in the log, and the drafts that it names", arguments: [false, true])
    func outbox(typed: Bool) async throws {
      try await Self.inspecting(
        { inspection, _, _ in
          let page = try await inspection.drafts(in: .outbox)
          #expect((page.count, page.next) == (4, nil))
          #expect(page.drafts.map(\.sequence) == [6, 7, 8, 9])
          #expect(page.drafts.map(\.text).suffix(3) == [".price(id: 6, price: 3)", ".email(\"c@d.example\")", "undo of 16"])
          #expect(page.drafts[0].text == #".add(id: 6, title: "Milk\u{1B}[2J", price: 0)"#)
          let required = page.drafts[1].cause?.requires
          #expect((required?.description, required?.sequence, required?.revision) == ("010a0b0c#6", 6, nil))
          #expect(page.drafts[2].cause?.retries?.description == "15")
          #expect(page.drafts.allSatisfy { $0.origin == SyncedShop.ann.text && $0.verdict == nil && $0.problem == nil })
          #expect(page.drafts[1].hash == SyncedShop.draft(7, .price(id: 6, price: 3), requires: SyncedShop.id(6)).hash.description)
          let first = try await inspection.drafts(in: .outbox, limit: 3)
          #expect(first.drafts.map(\.sequence) == [6, 7, 8])
          #expect(try await inspection.drafts(in: .outbox, after: first.next, limit: 3).drafts.map(\.sequence) == [9])
        }, typed: typed)
    }

    @Test("lists the refusals with code and reason, and verdicts without entries as a range")
    func lists() async throws {
      try await Self.inspecting { inspection, _, _ in
        let refused = try await inspection.drafts(in: .refusals)
        #expect(refused.drafts.map(\.text) == [".email(\"a@b.example\")"])
        #expect((refused.drafts[0].verdict, refused.drafts[0].reason) == ("denied", SyncedShop.reason))
        let verdicts = try await inspection.verdicts()
        #expect(verdicts.verdicts == [VerdictLine(origin: SyncedShop.ann.text, first: 1, last: 3, verdict: "accepted", revision: 2)])
        #expect(try await inspection.verdicts(skipping: 1).verdicts == [])
        #expect(try await inspection.drafts(in: .awaited).count == 0)
      }
    }

    @Test("shows refusals and receipts as rows, and hides reasons with any hidden key")
    func rows() async throws {
      try await Self.inspecting { inspection, _, server in
        let rows = try await inspection.entries(before: nil, limit: 3).entries
        #expect(rows.map(\.revision) == [16, 15, 14])
        let refusal = try #require(rows[1].refusal)
        #expect((rows[1].kind, rows[1].text, refusal.code, rows[1].sequence) == (.refused, "denied", "denied", 4))
        #expect(refusal.hash == SyncedShop.draft(4, .email("a@b.example")).hash.description)
        #expect(rows[2].receipt == Row.ServerNote(author: "0000000000000b0b", arrival: 1_800_000_000_000_000))
        #expect(rows[0].receipt?.author == server.database.entries.last?.receipt?.author.description)
        let detail = try await inspection.detail(15)
        #expect(detail.payload["code"] == "denied" && detail.row.refusal == refusal)
      }
      try await Self.inspecting(
        { inspection, _, _ in
          let refused = try await inspection.drafts(in: .refusals).drafts
          #expect((refused.first?.text, refused.first?.reason) == (".email(•••)", "•••"))
          #expect(try await inspection.drafts(in: .outbox).drafts[2].payload == [["email": "•••"]])
        }, hiding: Hiding(["email"]))
    }

    @Test("ends time travel at the floor: its state is known, and below it each question has an explanation", arguments: [false, true])
    func floor(typed: Bool) async throws {
      try await Self.inspecting(
        { inspection, _, server in
          let floor = try await inspection.wholeState(at: 8)
          #expect(floor.isExact && floor.at == 8)
          #expect(try floor.value.decode(Shop.self) == server.database.floor.state.shop)
          let state = try await inspection.wholeState(at: 12)
          #expect((state.at, state.isExact) == (typed ? 12 : 8, typed))
          #expect(try await inspection.difference(from: 8, to: 9).exact == typed)
          #expect(try await inspection.entries(after: 0, limit: 3).entries.map(\.revision) == [9, 10, 11])
          #expect(try await inspection.entries(before: 9, limit: 3).entries.isEmpty)
          let all = try await inspection.search(Inspection.Query(), limit: 500)
          #expect((all.entries.count, all.searched, all.next) == (8, 8, nil))
          #expect(try await inspection.search(Inspection.Query(), limit: 8).next == nil)
          for revision in [1, 7, 8] as [Int64] {
            let error = await #expect(throws: JournalError.self) { try await inspection.detail(revision) }
            #expect(error?.code == .noSuchRevision && error?.description.contains("revision 8, its floor") == true)
          }
          let error = await #expect(throws: JournalError.self) { try await inspection.state(at: 7) }
          #expect(error?.code == .noSuchRevision && error?.description.contains("its floor") == true)
          let verified = try await inspection.verify()
          #expect((verified.isSound, verified.revision, verified.floor, verified.sync?.device?.drafts) == (true, 16, 8, 4))
          let export = await #expect(throws: JournalError.self) { try await inspection.export { _ in } }
          #expect(export?.description.contains("Back up the file instead") == true)
          guard typed else { return }
          let turned = try await inspection.bisect("never")
          #expect(turned.revision == nil && !turned.was)
          for scan in [false, true] {
            let error = await #expect(throws: JournalError.self) { try await inspection.bisect("never", from: 7, scan: scan) }
            #expect(error?.code == .noSuchRevision)
            for (condition, revision) in [("five", 9), ("six", 10), ("dear", 16), ("never", nil)] as [(String, Int64?)] {
              #expect(try await inspection.bisect(condition, scan: scan).revision == revision, "\(condition)")
            }
          }
        }, typed: typed)
    }

    @Test("is followed: drafts arrive without an entry, and a mirror that begins again has another floor")
    func followed() async throws {
      try await Self.inspecting { inspection, path, first in
        var server = first
        var news = inspection.news().makeAsyncIterator()
        func wait(until condition: () async throws -> Bool) async throws {
          while try await !condition() { guard await news.next() != nil else { return } }
        }
        try await wait { try await inspection.overview().indexed == 8 }
        let storage = try await SyncedShop.open(path)
        try await storage.enqueue([SyncedShop.draft(10, .order).stored])
        try await wait { try await inspection.overview().sync?.device?.drafts == 5 }
        #expect(try await inspection.drafts(in: .outbox).drafts.last?.text == ".order")
        for number in 11...30 as ClosedRange<Int64> { server.change(number) }
        let isCompacted = server.database.compact(to: 30)
        #expect(isCompacted)
        try await SyncedShop.exchange(.fetch, storage, &server)
        try await wait { try await inspection.overview().floor == 30 }
        try await SyncedShop.exchange(.pull, storage, &server)
        try await wait { try await inspection.overview().indexed == 6 }
        #expect(try await inspection.entries(before: nil, limit: 100).entries.map(\.revision) == (31...36).reversed())
        #expect(try await inspection.overview().takenBack == 0)
        await storage.close()
      }
    }

    @Test("is shown although a draft or the row of the device is damaged, and the damage is named")
    func damaged() async throws {
      try await Folder.use { folder in
        let path = folder.path("device.db")
        try await SyncedShop.device(at: path)
        try await SyncedShop.run("UPDATE drafts SET payload = replace(payload, '3', '4') WHERE sequence = 7", in: path)
        let journal = try await SQLiteJournal(at: path, isReadOnly: true)
        let inspection = Inspection(of: journal)
        let drafts = try await inspection.drafts(in: .outbox).drafts
        #expect(drafts.map(\.problem) == [nil, "the draft 010a0b0c#7 in its outbox does not match its hash", nil, nil])
        #expect(try await inspection.verify().problem?.contains("does not match its hash") == true)
        inspection.end()
        await journal.close()
        try await SyncedShop.run("DELETE FROM devices", in: path)
        let broken = try await SQLiteJournal(at: path, isReadOnly: true)
        let other = Inspection(of: broken)
        #expect(try await other.overview().sync?.problem?.contains("the row of the device is missing") == true)
        #expect(try await other.entries(before: nil, limit: 100).entries.count == 8)
        other.end()
        await broken.close()
      }
    }

    @Test("is not what a plain journal and a served one are: they have no outbox, and say so")
    func others() async throws {
      let plain = Inspection(of: try await Shop.journal())
      #expect(try await plain.overview().sync == nil)
      let error = await #expect(throws: InspectionError.self) { try await plain.drafts(in: .outbox) }
      #expect(error?.code == .notFound && error?.description.contains("it is not synced") == true)
      try await Folder.use { folder in
        let journal = try await SyncedShop.served(at: folder.path("served.db"))
        let inspection = Inspection(of: journal, as: Shop.self)
        inspection.waitForIndex()
        let sync = try #require(try await inspection.overview().sync)
        #expect((sync.role, sync.generation, sync.former, sync.accepts, sync.device) == (.server, "77", 1, 1, nil))
        let error = await #expect(throws: InspectionError.self) { try await inspection.verdicts() }
        #expect(error?.description.contains("a server decides it") == true)
        let rows = try await inspection.entries(after: 0, limit: 10).entries
        #expect(
          rows[2].refusal
            == Row.Refusal(code: "denied", hash: SyncedShop.draft(2, .email("a@b.example")).hash.description, reason: SyncedShop.reason))
        #expect(rows[3].cause?.requires?.revision == 2 && rows[4].cause?.retries?.revision == 3)
        #expect((rows[5].text, rows[5].targets, rows[3].undone) == ("undo of 4", [4], true))
        #expect(try await inspection.verify().isSound)
        inspection.end()
        await journal.close()
      }
    }

    @Test("has answers that are undone by rule, up to the undo, and stay undone when it is redone")
    func byRule() throws {
      let origin = SyncedShop.ann
      var head = Head(empty: .random())
      var index = JournalIndex(at: .zero)
      func put(_ kind: Entry.Kind, _ payload: Data = Data("[]".utf8), answers: EntryID? = nil) throws -> Entry {
        let id = EntryID(origin: origin, sequence: head.revision.number + 1)
        let cause = try answers.map { try JournalCoding.encode(Cause(answers: $0)) }
        let entry = Entry(Entry.Draft(kind: kind, id: id, time: 0, payload: payload, cause: cause), after: head)
        head = head.advanced(by: entry)
        index.putAfter(entry)
        return entry
      }
      func mark(_ kind: Entry.Kind, of entry: Entry) throws -> Entry {
        try put(kind, JournalCoding.encode(Entry.Targets(byRule: entry.id)))
      }
      func taker(_ entry: Entry, answering answered: Entry? = nil) -> Int64? {
        index.taker(of: entry.id, at: entry.revision.number, answering: answered?.id)
      }
      let request = try put(.changes)
      let answer = try put(.changes, answers: request.id)
      #expect(taker(answer, answering: request) == nil)
      let undo = try mark(.undo, of: request)
      #expect((taker(request), taker(answer, answering: request)) == (3, 3))
      let late = try put(.changes, answers: request.id)
      #expect(taker(late, answering: request) == nil)
      _ = try mark(.redo, of: undo)
      #expect((taker(request), taker(undo), taker(answer, answering: request), taker(late, answering: request)) == (nil, 5, 3, nil))
    }
  }
#endif
