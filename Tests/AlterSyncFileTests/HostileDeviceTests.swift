#if SQLite
  import Alter
  @testable import AlterSQLite
  import AlterStore
  @testable import AlterSync
  import AlterSyncCore
  import AlterTesting
  import Foundation
  import StoreTesting
  import Testing

  @Suite("A device's file that means harm", .timeLimit(.minutes(20)))
  struct HostileDeviceTests {
    private static let ann = Principal("ann")
    private static let tables = FileFormat.schema.filter { $0.type == "table" && $0.name != "snapshots" && $0.name != "leases" }

    /// Runs a statement in the file.
    private static func run(_ sql: String, in path: String) async throws {
      let journal = try await SQLiteJournal(at: path)
      try await journal.changeMirror { tables in
        try tables.database.run(sql)
        return ((), nil)
      }
      await journal.close()
    }

    /// Makes the file of a device with a floor, entries, drafts, refused drafts, and verdicts without entries.
    private static func make(_ path: String, _ server: inout DeskServer) async throws {
      let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: ann)
      let origin = Origin.test(1)
      try await storage.open(as: origin)
      func drafts(_ numbers: ClosedRange<Int64>) -> [Entry.Draft] {
        numbers.map { number in
          SyncDraft(id: EntryID(origin: origin, sequence: number), time: number, content: .changes(Desk.bytes([.claim(Int(number))])))
            .stored
        }
      }
      try await storage.enqueue(drafts(1...6))
      // The answers are lost, and the journal is compacted meanwhile.
      for _ in 0..<50 where server.database.head.revision < 7 {
        _ = server.answer(try await storage.request(for: .push, limits: SyncLimits()))
      }
      for number in 1...20 as ClosedRange<Int64> {
        let draft = SyncDraft(
          id: EntryID(origin: .test(9), sequence: number), time: 0, content: .changes(Desk.bytes([.claim(50 + Int(number))])))
        server.database.append(.draft(draft), by: ann, receipt: nil)
      }
      _ = server.database.compact(to: 15)
      try await storage.sync(with: &server)
      // The slots of the last two are taken: they are refused.
      try await storage.enqueue(
        [51, 52].map { slot in
          SyncDraft(id: EntryID(origin: origin, sequence: Int64(slot)), time: 0, content: .changes(Desk.bytes([.claim(slot)]))).stored
        })
      try await storage.sync(with: &server)
      try await storage.enqueue(
        (60...62).map { number in
          SyncDraft(id: EntryID(origin: origin, sequence: Int64(number)), time: 0, content: .changes(Desk.bytes([.claim(100 + number)])))
            .stored
        })
      await storage.close()
    }

    /// Exchanges a few times with the server. A damaged outbox may stay as it is.
    private static func sync(_ storage: DeviceStorage, _ server: inout DeskServer) async throws {
      for kind in [.push, .fetch, .push, .pull] as [EngineCommand.Exchange] {
        let request = try await storage.request(for: kind, limits: SyncLimits())
        _ = try await storage.absorb(server.answer(request), to: request)
      }
    }

    /// Uses a file as a process of an app does.
    private static func use(_ path: String, _ server: DeskServer, after answer: Answer? = nil, to request: Request? = nil) async throws {
      func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch {
          #expect(
            error is JournalError || error is CommitError<Refusal> || error is ChangeError<Refusal> || error is RetryError<Refusal>,
            "\(error)")
        }
      }
      var server = server
      let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: ann)
      await attempt { _ = try await storage.contents() }
      await attempt {
        let store = try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 5))
        if let answer, let request { await attempt { _ = try await storage.absorb(answer, to: request) } }
        await attempt { _ = try await store.change(.claim(300)).durable() }
        await attempt { try await sync(storage, &server) }
        if let refused = store.refusals.first { await attempt { _ = try await store.retry(refused)?.durable() } }
        await attempt { try await sync(storage, &server) }
        await attempt { _ = try await store.change(.claim(301)).durable() }
        await store.close()
      }
      await attempt { _ = try await storage.journal.readMirror { try $0.report() } }
      await attempt { _ = try await storage.journal.verify() }
      await attempt { try await storage.journal.verifyStorage() }
      await storage.close()
    }

    @Test(
      "gets answers with numbers that no server sends: every one is taken or refused",
      arguments: [.push, .pull, .fetch] as [EngineCommand.Exchange])
    func answers(_ kind: EngineCommand.Exchange) async throws {
      try await withDeviceFile { pattern in
        var server = DeskServer(window: 5)
        try await Self.make(pattern, &server)
        for sequence in 100...103 as ClosedRange<Int64> {
          let draft = SyncDraft(
            id: EntryID(origin: .test(9), sequence: sequence), time: 0, content: .changes(Desk.bytes([.note("theirs")])))
          server.database.append(.draft(draft), by: Self.ann, receipt: nil)
        }
        let storage = try await DeviceStorage(SQLiteJournal(at: pattern, durability: .relaxed), principal: Self.ann)
        let request = try await storage.request(for: kind, limits: SyncLimits())
        await storage.close()
        let text = String(decoding: SyncMessage.encode(server.answer(request)), as: UTF8.self)
        for number in text.matches(of: /:(-?[0-9]+)(?=[,}])/).map(\.output.1) {
          for value in ["9223372036854775807", "-9223372036854775808", "-1", "0", "1e400"] {
            guard
              let answer = try? SyncMessage.decodeAnswer(
                Data(text.replacingCharacters(in: number.startIndex..<number.endIndex, with: value).utf8))
            else { continue }
            try await withDeviceFile { path in
              try FileManager.default.copyItem(atPath: pattern, toPath: path)
              try await Self.use(path, server, after: answer, to: request)
            }
          }
        }
      }
    }

    @Test("gets entries under its own origin with any sequence and time", arguments: [Int64.min, -1, 0, .max])
    func ownOrigin(_ number: Int64) async throws {
      try await withDeviceFile { path in
        var server = DeskServer(window: 5)
        let storage = try await DeviceStorage(SQLiteJournal(at: path, durability: .relaxed), principal: Self.ann)
        var options = StoreOptions()
        options.environment.origin = { .test(1) }
        let store = try await Store.open(Desk(), in: SyncedFile(storage, initial: Desk(), window: 5), options: options)
        try await store.change(.claim(1)).durable()
        try await Self.sync(storage, &server)
        let id = EntryID(origin: .test(1), sequence: number)
        let foreign = SyncDraft(id: id, time: number, content: .changes(Desk.bytes([.claim(2)])))
        server.database.append(.draft(foreign), by: Self.ann, receipt: nil)
        let last = try store.change(.claim(3))
        try await last.durable()
        try await Self.sync(storage, &server)
        // Behind the largest sequence the server accepts no other of the origin.
        let isRefused = (try? await last.confirmed()) == nil
        #expect(isRefused == (number == .max))
        for await slots in store.values(of: \.slots) where slots.contains(2) { break }
        #expect(Set(store.state.slots) == (isRefused ? [1, 2] : [1, 2, 3]))
        await store.close()
        await storage.close()
      }
    }

    @Test("has numbers that no writer has put there: every one is read or refused", arguments: tables.map(\.name))
    func numbers(_ table: String) async throws {
      let columns = try #require(Self.tables.first { $0.name == table }).columns
      try await withDeviceFile { pattern in
        var server = DeskServer(window: 5)
        try await Self.make(pattern, &server)
        for column in columns {
          for value in ["9223372036854775807", "9223372036854775806", "-9223372036854775808", "-1", "0"] {
            try await withDeviceFile { path in
              try FileManager.default.copyItem(atPath: pattern, toPath: path)
              let statement = "UPDATE OR IGNORE \(table) SET \(column) = \(value)"
              // The types of the columns refuse some.
              do { try await Self.run(statement, in: path) } catch { return }
              do { try await Self.use(path, server) } catch {
                #expect(error is JournalError, "\(statement): \(error)")
              }
            }
          }
        }
      }
    }
  }
#endif
