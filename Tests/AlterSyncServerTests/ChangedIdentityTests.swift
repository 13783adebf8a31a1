import Alter
import AlterJournal
import AlterStore
import AlterSyncCore
import AlterSyncServer
import AlterTesting
import Foundation
import StoreTesting
import Testing

/// A list of members whose id is computed from a property that a change can set.
private struct Roll: Journaled, Hashable {
  struct Member: Identifiable, Alterable, Hashable, Codable, Sendable {
    enum Change: Hashable, Codable, Sendable { case name(String) }
    private(set) var name: String
    var id: String { name }

    init(_ name: String) { self.name = name }
    mutating func apply(_ change: Change, at stamp: Stamp) { if case .name(let name) = change { self.name = name } }
  }
  enum Change: Hashable, Codable, Sendable {
    case member(String)
    case rename(String, to: String)
  }
  private(set) var members: IdentityArray<Member> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .member(let name): try members.add(Member(name))
    case .rename(let old, let new): try members.apply(.name(new), to: old, at: stamp)
    }
  }
}

/// Permits every change of every principal.
private struct Permissive: JournalPolicy {
  func mayRead(_ principal: Principal) -> Bool { true }
  func mayWrite(_ principal: Principal) -> Bool { true }
  func grants(_ scope: UndoScope, to principal: Principal) -> Bool { true }
  func permit(
    _ principal: Principal, _ changes: [Roll.Change], of record: Record<Roll>, in state: Roll, arrival: Int64
  ) async throws -> Permission { .permitted }
}

@Suite("A change that gives an element another id, from a device or a file", .timeLimit(.minutes(10)))
struct ChangedIdentityTests {
  private static func payload(_ change: Roll.Change) throws -> Data { try JournalCoding.encode([change]) }
  private static let renaming = Roll.Change.rename("Ann", to: "Bob")

  private static func server(_ journal: any ServerJournal) -> JournalServer<Roll> {
    var options = JournalServer<Roll>.Options(secret: ServedStock.secret)
    (options.pushTime, options.policyTime) = (.seconds(86_400), .seconds(86_400))
    return JournalServer(journal, policy: Permissive(), options: options)
  }

  private static func push(_ drafts: [SyncDraft], to server: JournalServer<Roll>) async throws -> Page {
    let answer = try await server.answer(Asker().request(.push(Asker.submissions(drafts))), from: .ann, arrival: 1)
    guard case .page(let page) = answer else { throw Unexpected(answer: "\(answer)") }
    return page
  }

  @Test("is refused by a server with the reason, again after its restart, and the server goes on")
  func server() async throws {
    let journal = MemoryJournal()
    let initial = Entry.Draft(kind: .initial, id: EntryID(200, 1), time: 0, payload: try JournalCoding.encode(Roll()))
    _ = try await journal.append([initial], after: try await journal.head())
    try await journal.serve(ServedStock.lineage, schema: 1)
    let changes: [Roll.Change] = [.member("Ann"), .member("Cid"), Self.renaming, .rename("Ann", to: "Cid"), .member("Eve")]
    let drafts = try changes.enumerated().map { number, change in
      SyncDraft(id: EntryID(1, Int64(number + 1)), time: 0, content: .changes(try Self.payload(change)))
    }
    for _ in 0..<2 {
      let page = try await Self.push(drafts, to: Self.server(journal))
      #expect(
        page.lines.map(\.verdict) == [.accepted(2), .accepted(3), .refused(.refused, at: 4), .refused(.refused, at: 5), .accepted(6)])
      for number in [3, 4] as [Int64] {
        #expect(page.reasons[EntryID(1, number)] == "The change would give Member 'Ann' another id: remove it and add the other.")
      }
    }
  }

  @Test("in an imported journal is reported with its revision, and can be skipped")
  func imported() async throws {
    let source = MemoryJournal()
    var writer = TestWriter()
    let initial = writer.draft(String(decoding: try JournalCoding.encode(Roll()), as: UTF8.self), kind: .initial)
    let drafts = try [.member("Ann"), Self.renaming, .member("Eve")].map { change in
      writer.draft(String(decoding: try Self.payload(change), as: UTF8.self))
    }
    _ = try await source.append([initial] + drafts, after: try await source.head())
    var bytes = Data()
    _ = try await source.export { bytes += $0 }
    let journal = MemoryJournal()
    _ = try await journal.import(bytes)
    let error = await #expect(throws: JournalError.self) { try await Store.open(Roll(), in: journal) }
    #expect(error?.code == .refusedAtReplay && error?.revision == 3)
    #expect(error?.description.contains("another id") == true, "\(String(describing: error))")
    var options = StoreOptions()
    options.refusedAtReplay = .skip
    let store = try await Store.open(Roll(), in: journal, options: options)
    #expect(store.state.members.map(\.id) == ["Ann", "Eve"])
    await store.close()
  }
}
