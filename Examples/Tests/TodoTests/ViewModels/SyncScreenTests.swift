import Alter
import Foundation
import Testing
import TodoCore
import TodoViewModels

@Suite("The sync's screen") struct SyncScreenTests {
  private func record(_ number: Int64, _ changes: AppState.Change...) -> Record<AppState> {
    Record(revision: 0, id: EntryID(origin: Origin(id(7)), sequence: number), time: number, scope: "ann", kind: .changes(changes))
  }

  @Test(
    "names the connection, its time, its reason and the next step",
    arguments: [
      (Connection.live, "Connected", nil, true), (.connecting, "Connecting", nil, false),
      (.offline(.network, since: 1_000_000), "Offline", "The server can't be reached; changes are kept on this device.", false),
      (.outdated, "Outdated", "The list has changes of a newer version of this program; please update it.", false),
    ] as [(Connection, String, String?, Bool)])
  func connection(_ connection: Connection, title: String, advice: String?, isLive: Bool) throws {
    let screen = SyncScreen(connection, try list("Pay rent"))
    #expect(screen.connection == title && screen.advice == advice && screen.isLive == isLive)
    #expect(screen.since == (connection.since == nil ? nil : Date(timeIntervalSince1970: 1)))
    #expect(screen.unconfirmedTitle == nil && screen.refusedTitle == nil && screen.unconfirmed.isEmpty && screen.refused.isEmpty)
  }

  @Test("has the unconfirmed and the refused changes in words, each refusal with its reason") func changes() throws {
    let screen = SyncScreen(
      .live, try list("Pay rent", "Buy bread"),
      unconfirmed: [
        UnconfirmedChange(record(1, .item(id(1), .completed(true)))), UnconfirmedChange(record(2, .remove(.item(id(2)))), isHidden: true),
      ],
      refusals: [
        RefusedChange(record(3, .remove(.item(id(1)))), code: "denied", reason: "Only ann removes items."),
        RefusedChange(record(4, .remove(.item(id(2)))), code: "lost"),
      ])
    #expect(screen.unconfirmedTitle == "2 changes not confirmed" && screen.refusedTitle == "2 changes refused")
    #expect(screen.unconfirmed.map(\.title) == ["completed ‘Pay rent’", "removed ‘Buy bread’"])
    #expect(screen.unconfirmed.allSatisfy { $0.reason == nil })
    #expect(screen.refused.map(\.title) == ["removed ‘Pay rent’", "removed ‘Buy bread’"])
    #expect(screen.refused.map(\.reason) == ["Only ann removes items.", "the server has lost it"])
    #expect(screen.refused.map(\.id.sequence) == [3, 4])
  }

  @Test("a row that is settled meanwhile is left alone") func settled() async throws {
    let store = Store(try list("Pay rent"))
    try SyncScreen.retry(EntryID(origin: Origin(id(7)), sequence: 1), in: store)
    try await SyncScreen.dismiss(EntryID(origin: Origin(id(7)), sequence: 1), in: store)
    #expect(store.state == (try list("Pay rent")) && store.refusals.isEmpty)
  }
}
