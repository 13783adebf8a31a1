#if SQLite
  import Alter
  import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import SyncModel
  import Testing

  @Suite("A device's file in SQLite", .timeLimit(.minutes(20)))
  struct DeviceStorageTests {
    private static let ann = Principal("ann")

    private static func open(_ path: String, durability: Durability = .relaxed) async throws -> DeviceStorage {
      try await DeviceStorage(SQLiteJournal(at: path, durability: durability, lockTimeout: .seconds(600)), principal: ann)
    }

    /// Compares the file with the file in memory that has had the same transactions.
    private static func compare(
      _ storage: DeviceStorage, with file: DeviceFile<ServedDesk>, _ listed: inout ListedRefusals<Desk>, _ context: String
    ) async throws {
      let contents = try await storage.contents()
      #expect(contents.outbox.drafts == file.outbox.drafts, "\(context)")
      #expect(contents.outbox.known == file.outbox.known, "\(context)")
      #expect(contents.refusals == file.refusals, "\(context)")
      #expect(contents.awaited == file.awaited, "\(context)")
      listed = try await storage.journal.readMirror { [before = listed] tables in
        var now = before
        try now.follow(tables) { draft in
          (Record(revision: 0, id: draft.id, time: draft.time, kind: .changes([])), Cause())
        }
        return now
      }
      #expect(listed.changes.map(\.record.id) == file.refusals.map(\.draft.id), "\(context)")
      #expect(listed.changes.map(\.code) == file.refusals.map(\.code.rawValue), "\(context)")
      #expect(contents.lineage == file.lineage, "\(context)")
      #expect(contents.origins == file.origins, "\(context)")
      guard let mirror = file.mirror else { return }
      let (ends, entries) = try await storage.journal.readMirror { tables in
        let ends = try tables.ends()
        return (ends, try tables.entries(after: ends.start.revision))
      }
      #expect(ends.start == mirror.floor.head && ends.head == mirror.head, "\(context)")
      #expect(entries == mirror.entries.map(\.stored), "\(context)")
      #expect(try await storage.journal.head() == mirror.head, "\(context)")
    }

    @Test(
      "is, after every transaction of any of its processes, as the file in memory that the simulation has proved",
      arguments: 0..<6 as Range<UInt64>)
    func oracle(seed: UInt64) async throws {
      try await Folder.use { folder in
        let path = folder.path("device.db")
        var random = SeededGenerator(seed: seed)
        var limits = SyncLimits()
        (limits.draftsPerPush, limits.entriesPerPage, limits.bytesPerDraft) = (3, 4, 60)
        var server = DeskServer(window: 5, limits: limits)
        var file = DeviceFile<ServedDesk>(Self.ann, initial: Desk.empty, window: 5)
        // Handles of another durability share no connection, as two processes.
        var handles = [try await Self.open(path), try await Self.open(path, durability: .full)]
        var (sequences, backups, generation) = ([Int64](repeating: 0, count: 4), [server.database], UInt64(1))
        var other = DeviceFile<ServedDesk>(Self.ann, initial: Desk.empty, window: 5)
        var (restarts, floors, refusals, clones, compactions) = (0, 0, 0, 0, 0)
        var listed = ListedRefusals<Desk>()
        func open(_ handle: DeviceStorage, _ origin: Origin) async throws {
          try await handle.open(as: origin)
          file.open(as: origin)
        }
        for (place, handle) in handles.enumerated() { try await open(handle, .test(UInt8(place + 1))) }
        func exchange(_ file: inout DeviceFile<ServedDesk>, _ body: Request.Body) -> (Request, Answer) {
          let request = Request(
            body, position: file.mirror?.head, floor: file.floor, principal: file.principal, generation: file.generation,
            known: file.newestKnown)
          return (request, server.answer(request))
        }
        for step in 0..<120 {
          let handle = random.below(2)
          let storage = handles[handle]
          switch random.below(16) {
          case 0..<4:
            // One or more changes of one origin.
            var drafts: [SyncDraft] = []
            for _ in 0...random.below(3) {
              sequences[handle] += 1
              let id = EntryID(origin: .test(UInt8(handle + 1)), sequence: sequences[handle])
              let target = file.outbox.drafts.randomElement(using: &random)?.id
              let text = String(repeating: "n", count: random.below(50))
              let content: SyncDraft.Content =
                target != nil && random.oneIn(6)
                ? .undo(target!)
                : .changes(Desk.bytes([random.oneIn(3) ? .claim(random.below(4)) : random.oneIn(2) ? .mark : .note(text)]))
              drafts.append(
                SyncDraft(
                  id: id, time: Int64(step), scope: random.oneIn(9) ? "secret" : .journal, content: content,
                  requires: random.oneIn(5) ? target : nil))
            }
            try await storage.enqueue(drafts.map(\.stored))
            // A repeated call changes nothing.
            if random.oneIn(4) { try await storage.enqueue(drafts.map(\.stored)) }
            for draft in drafts { file.makeUnchecked(draft) }
          case 4..<10:
            let kind: EngineCommand.Exchange = [.pull, .push, .push, .push, .probe, .fetch].randomElement(using: &random)!
            let request = try await storage.request(for: kind, limits: limits)
            let expected: Request.Body =
              switch kind {
              case .pull: .pull
              case .push: .push(file.submissions(limits: limits))
              case .probe: .push(Array(file.submissions(limits: limits).prefix(1)))
              case .fetch: .fetch(file.questions)
              }
            if case (.fetch(let one), .fetch(let two)) = (request.body, expected) {
              #expect(Set(one) == Set(two))
            } else {
              #expect(request.body == expected)
            }
            #expect(request.known == file.newestKnown && request.floor == file.floor && request.position == file.mirror?.head)
            let answer = server.answer(request)
            var cut = answer
            if case .page(let page) = answer, random.oneIn(6) { cut = .page(page.cut(after: random.below(4))) }
            let before = file.mirror?.floor.head
            let reply = file.absorb(cut, to: request)
            #expect(try await storage.absorb(cut, to: request) == reply, "seed \(seed), step \(step)")
            if file.mirror?.floor.head != before { floors += 1 }
            // Another process is late with its answer.
            if random.oneIn(8) {
              let late = file.absorb(answer, to: request)
              #expect(try await handles[1 - handle].absorb(answer, to: request) == late)
            }
          case 10:
            // Another device of the same user, also with clones of this device's ids.
            let id =
              random.oneIn(3) ? EntryID(origin: .test(1), sequence: sequences[0] + 1) : EntryID(origin: .test(9), sequence: Int64(step + 1))
            other.makeUnchecked(SyncDraft(id: id, time: -1, content: .changes(Desk.bytes([.claim(random.below(4))]))))
            for _ in 0..<8 where !other.outbox.isEmpty {
              let (_, answer) = exchange(&other, .push(other.submissions(limits: limits)))
              if case .page = answer { _ = other.absorb(answer) } else { other = DeviceFile(Self.ann, initial: Desk.empty, window: 5) }
            }
          case 11:
            if let refused = file.refusals.randomElement(using: &random) {
              refusals += 1
              if refused.code == .clone { clones += 1 }
              if random.oneIn(2) {
                try await storage.dismiss([refused.draft.id])
                file.dismiss(refused.draft.id)
              } else {
                sequences[handle] += 1
                let id = EntryID(origin: .test(UInt8(handle + 1)), sequence: sequences[handle])
                if let draft = file.retry(refused.draft.id, as: id) {
                  try await storage.enqueue([draft.stored], retrying: [id: refused.draft.id])
                }
              }
            }
          case 12:
            switch random.below(4) {
            case 0:
              restarts += 1
              generation += 1
              server.restore(backups.randomElement(using: &random)!)
              server.database.begin(Generation(generation), after: file.lineage)
            case 1: _ = server.database.compact(to: server.database.head.revision + -5)
            default: backups.append(server.database)
            }
          case 13..<15:
            // A process compacts the mirror, and may die before all rows are removed.
            guard let mirror = file.mirror else { break }
            let revisions = mirror.entries.map(\.revision).filter { [file] revision in
              var trial = file
              return trial.compact(to: revision)
            }
            guard let revision = revisions.randomElement(using: &random) else { break }
            let isCompacted = file.compact(to: revision)
            #expect(isCompacted)
            compactions += 1
            let floor = try #require(file.mirror?.floor)
            let pinned = Snapshot(
              head: floor.head, base: floor.head, schema: 1, written: 0, payload: try JournalCoding.encode(floor.state.desk))
            try await storage.moveFloor(to: pinned, seen: mirror.head, leaving: 5)
            if random.oneIn(2) { try await handles[random.below(2)].removeBelowFloor() }
          default:
            // The process ends, and another one takes over, with an origin of its own.
            await storage.close()
            handles[handle] = try await Self.open(path, durability: handle == 0 ? .relaxed : .full)
          }
          try await Self.compare(handles[random.below(2)], with: file, &listed, "seed \(seed), step \(step)")
          // No schedule leaves a file that a verification calls damaged.
          if step.isMultiple(of: 4) { try await handles[0].journal.verifyStorage() }
        }
        for handle in handles { await handle.close() }
        // The page of a plain journal: a device's file can be read, and not written.
        let plain = try await SQLiteJournal(at: path)
        #expect(try await plain.role() == .mirror)
        var draft = SyncDraft(id: EntryID(origin: .test(3), sequence: 1), time: 0, content: .changes(Desk.bytes([.mark]))).stored
        let error = await #expect(throws: JournalError.self) { try await plain.append([draft], after: try await plain.head()) }
        #expect(error?.code == .readOnly)
        draft = SyncDraft(id: EntryID(origin: .test(3), sequence: 2), time: 0, content: .changes(Data())).stored
        await plain.close()
        print(
          """
          seed \(seed): \(restarts) restarts, \(floors) floors, \(refusals) refusals, \(clones) clones, \(compactions) compactions, \
          \(file.left.count) left
          """)
      }
    }

    @Test("makes no transaction for an answer that brings nothing, and one for each that does")
    func answersWithoutNews() async throws {
      try await Folder.use { folder in
        let storage = try await Self.open(folder.path("device.db"))
        try await storage.open(as: .test(1))
        var server = DeskServer()
        func exchange(_ exchange: EngineCommand.Exchange) async throws -> (Reply, transactions: Int64) {
          let request = try await storage.request(for: exchange, limits: SyncLimits())
          let before = try await storage.standing().transactions
          let reply = try await storage.absorb(server.answer(request), to: request)
          return (reply, try await storage.standing().transactions - before)
        }
        // The first contact names the journal, and brings its initial entry.
        #expect(try await exchange(.pull) == (.page(isMore: false, hold: nil), 1))
        for _ in 0..<3 { #expect(try await exchange(.pull) == (.page(isMore: false, hold: nil), 0)) }
        let draft = SyncDraft(id: EntryID(origin: .test(1), sequence: 1), time: 0, content: .changes(Desk.bytes([.claim(1)])))
        try await storage.enqueue([draft.stored])
        let outdated = try await storage.request(for: .pull, limits: SyncLimits())
        #expect(try await exchange(.push) == (.page(isMore: false, hold: nil), 1))
        #expect(try await exchange(.pull) == (.page(isMore: false, hold: nil), 0))
        // An answer to a request from before the last one changes nothing, whatever it has.
        let transactions = try await storage.standing().transactions
        #expect(try await storage.absorb(server.answer(outdated), to: outdated) == .superseded)
        #expect(try await storage.standing().transactions == transactions)
        // Another lineage is news, even without entries.
        server.database.begin(Generation(77), after: server.database.lineage)
        let (_, restarted) = try await exchange(.pull)
        #expect(restarted <= 1)
        #expect(try await storage.contents().outbox.isEmpty)
        await storage.close()
      }
    }
  }
#endif
