#if SQLite
  import Alter
  import AlterSQLite
  import AlterSync
  import AlterSyncCore
  import Foundation
  import SyncModel

  /// A device's file as the conformance checks use it.
  protocol DeviceUnderTest: Sendable {
    func signIn(as user: Principal)
    func enqueue(_ drafts: [SyncDraft], retrying refused: [EntryID: EntryID]) async throws
    func dismiss(_ ids: [EntryID]) async throws
    func correct(_ principal: Principal) async throws -> Bool
    func request(for exchange: EngineCommand.Exchange, limits: SyncLimits, hint: Hint?) async throws -> Request
    func absorb(_ answer: Answer, to request: Request) async throws -> Reply
    func contents() async throws -> DeviceContents
    /// The entries of the mirror, between the entry before the first one and the last one.
    func mirror() async throws -> (start: Head?, entries: [Entry], head: Head?)
    /// The state at the mirror's floor; nil for a whole mirror.
    func floorState() async throws -> Desk?
    /// The same file, as another process opens it.
    func another() async throws -> any DeviceUnderTest
    func close() async
  }

  /// A device's file in memory, which the simulation uses.
  final class DeviceInMemory: DeviceUnderTest {
    private let file: Lock<DeviceFile<ServedDesk>>
    private let user: Lock<Principal>

    init(_ principal: Principal, origin: Origin) {
      var file = DeviceFile<ServedDesk>(principal, initial: Desk.empty, window: 5)
      file.open(as: origin)
      self.file = Lock(file)
      user = Lock(principal)
    }

    func signIn(as user: Principal) { self.user.withLock { $0 = user } }

    private func change<Result>(_ body: (inout DeviceFile<ServedDesk>) throws -> Result) throws -> Result {
      let user = user.withLock { $0 }
      return try file.withLock { file in
        guard !file.isLocked(for: user) else { throw JournalError(.readOnly, journal: "memory", message: "belongs to another user.") }
        return try body(&file)
      }
    }

    func enqueue(_ drafts: [SyncDraft], retrying refused: [EntryID: EntryID]) throws {
      try change { file in
        for draft in drafts where !file.outbox.contains(draft) && file.mirror?[draft.id]?.hash != draft.hash {
          if let old = refused[draft.id] {
            guard file.retry(old, as: draft.id) != nil else { throw JournalError.settledElsewhere("memory", old) }
            continue
          }
          if file.outbox.contains(draft.id) { throw JournalError(.originCollision, journal: "memory", message: "has \(draft.id).") }
          file.makeUnchecked(draft)
        }
      }
    }

    func dismiss(_ ids: [EntryID]) throws { try change { file in for id in ids { file.dismiss(id) } } }
    func correct(_ principal: Principal) -> Bool { file.withLock { $0.correct(principal) } }

    func request(for exchange: EngineCommand.Exchange, limits: SyncLimits, hint: Hint?) -> Request {
      file.withLock { file in
        let body: Request.Body =
          switch exchange {
          case .pull: .pull
          case .push: .push(file.submissions(limits: limits))
          case .probe: .push(Array(file.submissions(limits: limits).prefix(1)))
          case .fetch: .fetch(file.questions)
          }
        return Request(
          body, position: file.mirror?.head, floor: file.floor, principal: file.principal, generation: file.generation,
          known: file.newestKnown, hint: hint)
      }
    }

    func absorb(_ answer: Answer, to request: Request) -> Reply { file.withLock { $0.absorb(answer, to: request) } }
    func contents() -> DeviceContents { file.withLock { $0.contents } }

    func mirror() -> (start: Head?, entries: [Entry], head: Head?) {
      file.withLock { ($0.mirror?.floor.head, $0.mirror?.entries.map(\.stored) ?? [], $0.mirror?.head) }
    }

    func floorState() -> Desk? { file.withLock { $0.mirror.flatMap { $0.floor.head.revision == .zero ? nil : $0.floor.state.desk } } }
    func another() -> any DeviceUnderTest { self }
    func close() {}
  }

  /// A device's file in SQLite.
  struct DeviceInSQLite: DeviceUnderTest {
    let path: String
    let origin: Origin
    private let storage: DeviceStorage

    init(_ path: String, _ principal: Principal, origin: Origin, durability: Durability = .relaxed) async throws {
      (self.path, self.origin) = (path, origin)
      storage = try await DeviceStorage(
        SQLiteJournal(at: path, durability: durability, lockTimeout: .seconds(600)), principal: principal)
      try await storage.open(as: origin)
    }

    func signIn(as user: Principal) { storage.signIn(as: user) }
    func enqueue(_ drafts: [SyncDraft], retrying refused: [EntryID: EntryID]) async throws {
      try await storage.enqueue(drafts.map(\.stored), retrying: refused)
    }
    func dismiss(_ ids: [EntryID]) async throws { try await storage.dismiss(ids) }
    func correct(_ principal: Principal) async throws -> Bool { try await storage.correct(principal) }
    func request(for exchange: EngineCommand.Exchange, limits: SyncLimits, hint: Hint?) async throws -> Request {
      try await storage.request(for: exchange, limits: limits, hint: hint)
    }
    func absorb(_ answer: Answer, to request: Request) async throws -> Reply {
      try await storage.absorb(answer, to: request)
    }
    func contents() async throws -> DeviceContents { try await storage.contents() }

    func mirror() async throws -> (start: Head?, entries: [Entry], head: Head?) {
      guard try await storage.contents().lineage != nil else { return (nil, [], nil) }
      return try await storage.journal.readMirror { tables in
        let ends = try tables.ends()
        return (ends.start, try tables.entries(after: ends.start.revision), ends.head)
      }
    }

    func floorState() async throws -> Desk? {
      try await storage.journal.readMirror { tables in try tables.floorState().map { try JournalCoding.decode(from: $0.payload) } }
    }

    /// A handle of another durability shares no connection, as another process.
    func another() async throws -> any DeviceUnderTest {
      try await DeviceInSQLite(path, Principal("ann"), origin: origin, durability: .full)
    }

    func close() async { await storage.close() }
  }
#endif
