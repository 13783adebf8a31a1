#if SQLite
  import Alter
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import StoreTesting
  import SyncModel
  import Testing

  private struct Unexpected: Error { let answer: String }

  /// The promises of a device's file, in memory and in SQLite: the mirror, the outbox, the refusals and the awaited changes.
  @Suite("The contract of a device's file", .timeLimit(.minutes(20)))
  struct DeviceConformanceTests {
    enum Storage: CaseIterable { case memory, sqlite }

    private static let (ann, ben) = (Principal("ann"), Principal("ben"))
    private static let origin = Origin.test(1)

    /// A file, a second handle on it, and a server.
    private struct Fixture {
      let file: any DeviceUnderTest
      let other: any DeviceUnderTest
      var server = DeskServer(window: 5)
      var limits = SyncLimits()

      /// Makes a request, and returns it with the server's answer.
      mutating func ask(_ exchange: EngineCommand.Exchange) async throws -> (Request, Answer) {
        // The hint of a stream: the server's process reads its database.
        let hint = Hint(server.database.generation, server.database.head)
        let request = try await file.request(for: exchange, limits: limits, hint: hint)
        return (request, server.answer(request))
      }

      @discardableResult
      mutating func exchange(_ exchange: EngineCommand.Exchange) async throws -> Reply {
        let (request, answer) = try await ask(exchange)
        return try await file.absorb(answer, to: request)
      }
    }

    private func run(_ storage: Storage, _ body: (inout Fixture) async throws -> Void) async throws {
      let folder = try Folder()
      let file: any DeviceUnderTest =
        switch storage {
        case .memory: DeviceInMemory(Self.ann, origin: Self.origin)
        case .sqlite: try await DeviceInSQLite(folder.path("device.db"), Self.ann, origin: Self.origin)
        }
      var fixture = Fixture(file: file, other: try await file.another())
      try await body(&fixture)
      await fixture.other.close()
      await file.close()
    }

    private static func draft(_ sequence: Int64, _ change: Desk.Change, of origin: Origin = origin, time: Int64 = 0) -> SyncDraft {
      SyncDraft(id: EntryID(origin: origin, sequence: sequence), time: time, content: .changes(Desk.bytes([change])))
    }

    @Test("drafts are in the outbox in order, once, for every handle", arguments: Storage.allCases)
    func enqueues(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let drafts = (1...5).map { Self.draft($0, .claim(Int($0))) }
        try await fixture.file.enqueue(Array(drafts[..<3]), retrying: [:])
        try await fixture.other.enqueue(Array(drafts[1...]), retrying: [:])
        try await fixture.file.enqueue(drafts, retrying: [:])
        for file in [fixture.file, fixture.other] { #expect(try await file.contents().outbox.drafts == drafts) }
        let error = await #expect(throws: JournalError.self) {
          try await fixture.file.enqueue([Self.draft(2, .claim(9))], retrying: [:])
        }
        #expect(error?.code == .originCollision)
        #expect(try await fixture.other.contents().outbox.drafts == drafts)
        #expect(try await fixture.file.mirror().head == nil)
      }
    }

    @Test("a draft leaves the outbox with the entry that decides it, and not with the verdict alone", arguments: Storage.allCases)
    func leaves(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let drafts = (1...4).map { Self.draft($0, .claim(Int($0))) }
        try await fixture.file.enqueue(drafts, retrying: [:])
        fixture.limits.draftsPerPush = 3
        let (request, answer) = try await fixture.ask(.push)
        guard case .page(let page) = answer else { throw Unexpected(answer: "\(answer)") }
        #expect(page.lines.count == 3 && page.entries.count == 4)
        // The network cuts the answer after the verdicts and two entries: the initial one and the first draft's.
        #expect(try await fixture.file.absorb(.page(page.cut(after: 5)), to: request) == .cut)
        var contents = try await fixture.other.contents()
        #expect(contents.outbox.drafts == Array(drafts[1...]))
        #expect(contents.outbox.known == [drafts[1].id: .accepted(3), drafts[2].id: .accepted(4)])
        #expect(try await fixture.other.mirror().entries == Array(page.entries.prefix(2).map(\.stored)))
        // A decided draft is not sent again.
        guard case .push(let sent) = try await fixture.other.request(for: .push, limits: fixture.limits, hint: nil).body else {
          throw Unexpected(answer: "no push")
        }
        #expect(sent == [Submission(.draft(drafts[3]), after: drafts[2].id)])
        #expect(try await fixture.exchange(.pull) == .page(isMore: false, hold: nil))
        contents = try await fixture.other.contents()
        #expect(contents.outbox.drafts == [drafts[3]] && contents.outbox.known.isEmpty)
        let mirror = try await fixture.other.mirror()
        #expect(mirror.head == fixture.server.database.head && mirror.entries == fixture.server.database.entries.map(\.stored))
      }
    }

    @Test(
      "a refusal is listed until it is dismissed or retried, and a retry has the stamp of the first attempt",
      arguments: Storage.allCases)
    func refuses(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let drafts = [Self.draft(1, .claim(1)), Self.draft(2, .claim(1)), Self.draft(3, .claim(1))]
        try await fixture.file.enqueue(drafts, retrying: [:])
        try await fixture.exchange(.push)
        #expect(try await fixture.other.contents().refusals.map(\.draft) == Array(drafts[1...]))
        #expect(try await fixture.other.contents().refusals.map(\.code) == [.refused, .refused])
        #expect(try await fixture.other.contents().outbox.isEmpty)
        try await fixture.other.dismiss([drafts[1].id, drafts[0].id])
        #expect(try await fixture.file.contents().refusals.map(\.draft) == [drafts[2]])
        let retry = drafts[2].retried(as: EntryID(origin: Self.origin, sequence: 4))
        try await fixture.file.enqueue([retry], retrying: [retry.id: drafts[2].id])
        let contents = try await fixture.other.contents()
        #expect(contents.refusals.isEmpty && contents.outbox.drafts == [retry])
        #expect(contents.outbox.drafts.first?.stamp == drafts[2].stamp)
        // Another process retries it, too.
        let second = drafts[2].retried(as: EntryID(origin: Self.origin, sequence: 5))
        let error = await #expect(throws: JournalError.self) {
          try await fixture.other.enqueue([second], retrying: [second.id: drafts[2].id])
        }
        #expect(error?.code == .conflict)
        #expect(try await fixture.file.contents().outbox.drafts == [retry])
        // The first one repeats the call, because it does not know its outcome.
        try await fixture.file.enqueue([retry], retrying: [retry.id: drafts[2].id])
        #expect(try await fixture.file.contents().outbox.drafts == [retry])
      }
    }

    @Test("an id that another draft has in the journal makes the draft a clone", arguments: Storage.allCases)
    func clones(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        try await fixture.exchange(.pull)
        fixture.server.database.append(.draft(Self.draft(1, .claim(7))), by: Self.ann, receipt: nil)
        try await fixture.file.enqueue([Self.draft(1, .claim(8)), Self.draft(2, .claim(9))], retrying: [:])
        // The entry arrives before the draft is sent.
        try await fixture.exchange(.pull)
        let contents = try await fixture.other.contents()
        #expect(contents.outbox.ids.map(\.sequence) == [2])
        #expect(contents.refusals.map(\.draft) == [Self.draft(1, .claim(8))] && contents.refusals.map(\.code) == [.clone])
      }
    }

    @Test("a new floor replaces the mirror, and the outbox stays, apart from what was decided below it", arguments: Storage.allCases)
    func floors(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let drafts = (1...3).map { Self.draft($0, .claim(Int($0))) }
        try await fixture.file.enqueue(Array(drafts[..<2]), retrying: [:])
        // The answer is lost, and the journal is compacted.
        _ = try await fixture.ask(.push)
        for number in 1...9 {
          fixture.server.database.append(.draft(Self.draft(Int64(number), .claim(10 + number), of: .test(9))), by: Self.ben, receipt: nil)
        }
        let isCompacted = fixture.server.database.compact(to: 6)
        #expect(isCompacted)
        try await fixture.file.enqueue([drafts[2]], retrying: [:])
        let before = try await fixture.file.contents()
        #expect(try await fixture.exchange(.pull) == .gone)
        #expect(try await fixture.file.contents().outbox == before.outbox)
        #expect(try await fixture.exchange(.fetch) == .adopted)
        let contents = try await fixture.other.contents()
        #expect(contents.outbox.drafts == [drafts[2]])
        #expect(contents.left == [:] || contents.left[drafts[0].id] == .accepted(2))
        #expect(try await fixture.other.mirror().start == fixture.server.database.floor.head)
        #expect(try await fixture.other.floorState() == fixture.server.database.floor.state.desk)
        #expect(try await fixture.exchange(.pull) == .page(isMore: false, hold: nil))
        #expect(try await fixture.other.mirror().head == fixture.server.database.head)
      }
    }

    @Test("a page that does not follow is taken up to the break, and its verdicts count", arguments: Storage.allCases)
    func breaks(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let drafts = (1...3).map { Self.draft($0, .claim(Int($0))) }
        try await fixture.file.enqueue(drafts, retrying: [:])
        let (request, answer) = try await fixture.ask(.push)
        guard case .page(var page) = answer else { throw Unexpected(answer: "\(answer)") }
        page.entries[2] = page.entries[2].damaged()
        #expect(try await fixture.file.absorb(.page(page), to: request) == .brokenPage)
        #expect(try await fixture.other.mirror().entries == page.entries.prefix(2).map(\.stored))
        #expect(try await fixture.other.contents().outbox.drafts == Array(drafts[1...]))
        #expect(try await fixture.exchange(.pull) == .page(isMore: false, hold: nil))
        #expect(try await fixture.other.contents().outbox.isEmpty)
      }
    }

    @Test("an answer to an earlier request changes nothing", arguments: Storage.allCases)
    func supersedes(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let late = try await fixture.ask(.pull)
        try await fixture.file.enqueue([Self.draft(1, .claim(1))], retrying: [:])
        try await fixture.exchange(.push)
        let before = (try await fixture.other.contents().outbox, try await fixture.other.mirror())
        #expect(try await fixture.other.absorb(late.1, to: late.0) == .superseded)
        #expect(try await fixture.other.contents().outbox == before.0)
        #expect(try await fixture.other.mirror().head == before.1.head)
      }
    }

    @Test("answers of a shorter journal and of another one change nothing", arguments: Storage.allCases)
    func diverges(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let early = fixture.server.database
        try await fixture.file.enqueue([Self.draft(1, .claim(1))], retrying: [:])
        try await fixture.exchange(.push)
        try await fixture.file.enqueue([Self.draft(2, .claim(2))], retrying: [:])
        let before = (try await fixture.other.contents(), try await fixture.other.mirror())
        // Restored from a backup, and the operator has not decided.
        fixture.server.restore(early)
        #expect(try await fixture.exchange(.pull) == .diverged(isRestart: false))
        #expect(try await fixture.exchange(.push) == .diverged(isRestart: false))
        // The mirror reaches further than the whole journal that a fetch names.
        #expect(try await fixture.exchange(.fetch) == .adopted)
        fixture.server.restore(
          Ledger(
            JournalID(Origin.test(201).uuid), lineage: Lineage(Generation(5)),
            initial: .initial(EntryID(origin: .test(201), sequence: 1), Desk.empty), window: 5))
        #expect(try await fixture.exchange(.pull) == .diverged(isRestart: true))
        #expect(try await fixture.exchange(.fetch) == .diverged(isRestart: false))
        let after = (try await fixture.other.contents(), try await fixture.other.mirror())
        #expect(after.0.outbox == before.0.outbox && after.0.lineage == before.0.lineage && after.0.refusals == before.0.refusals)
        #expect(after.1.entries == before.1.entries && after.1.head == before.1.head)
      }
    }

    @Test(
      "own entries that a new generation lacks are listed as lost, and those that it brings again are awaited",
      arguments: Storage.allCases)
    func restarts(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        let drafts = (1...3).map { Self.draft($0, .claim(Int($0))) }
        try await fixture.file.enqueue([drafts[0]], retrying: [:])
        try await fixture.exchange(.push)
        let backup = fixture.server.database
        try await fixture.file.enqueue([drafts[1]], retrying: [:])
        try await fixture.exchange(.push)
        try await fixture.file.enqueue([drafts[2]], retrying: [:])
        fixture.server.restore(backup)
        fixture.server.database.begin(Generation(2), after: try await fixture.file.contents().lineage)
        #expect(try await fixture.exchange(.pull) == .diverged(isRestart: true))
        #expect(try await fixture.exchange(.fetch) == .adopted)
        var contents = try await fixture.other.contents()
        #expect(contents.refusals.map(\.draft) == [drafts[1]] && contents.refusals.map(\.code) == [.lost])
        #expect(contents.awaited.map(\.draft) == [drafts[0]] && contents.outbox.drafts == [drafts[2]])
        try await fixture.exchange(.push)
        contents = try await fixture.other.contents()
        #expect(contents.awaited.isEmpty && contents.outbox.isEmpty && contents.refusals.map(\.draft) == [drafts[1]])
        #expect(contents.generation == Generation(2) && contents.lineage?.former == [Generation(1)])
        #expect(try await fixture.other.mirror().head == fixture.server.database.head)
      }
    }

    @Test("a file of another user takes no changes, and its principal is fixed by the first contact", arguments: Storage.allCases)
    func locks(_ storage: Storage) async throws {
      try await run(storage) { fixture in
        try await fixture.file.enqueue([Self.draft(1, .claim(1)), Self.draft(2, .claim(1))], retrying: [:])
        try await fixture.exchange(.push)
        let before = try await fixture.other.contents()
        fixture.file.signIn(as: Self.ben)
        await #expect(throws: JournalError.self) { try await fixture.file.enqueue([Self.draft(3, .claim(2))], retrying: [:]) }
        await #expect(throws: JournalError.self) { try await fixture.file.dismiss([Self.draft(2, .claim(1)).id]) }
        #expect(try await fixture.file.correct(Self.ben) == false)
        let after = try await fixture.other.contents()
        #expect(after.outbox == before.outbox && after.refusals == before.refusals && after.principal == Self.ann)
        fixture.file.signIn(as: Self.ann)
        try await fixture.file.enqueue([Self.draft(3, .claim(2))], retrying: [:])
      }
      try await run(storage) { fixture in
        let isCorrected = try await fixture.file.correct(Self.ben)
        let contents = try await fixture.other.contents()
        #expect(isCorrected && contents.principal == Self.ben)
      }
    }
  }
#endif
