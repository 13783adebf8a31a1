import Alter
import Testing
import TodoCore
import TodoViewModels

@Suite("The line of the sync") struct SyncLineTests {
  @Test("names the connection with the next step, and the changes that are not confirmed") func connection() {
    let live = SyncLine(.live)
    #expect(live.text == "Connected" && live.advice == nil && live.isLive && !live.hasRefusals)
    let offline = SyncLine(.offline(.network, since: 1_000_000), unconfirmed: 2)
    #expect(offline.text == "Offline, 2 changes not confirmed" && !offline.isLive)
    #expect(offline.advice == "The server can't be reached; changes are kept on this device")
  }

  @Test("has the reason of each refused change") func refusals() {
    func refused(_ number: Int64, code: String, reason: String?) -> RefusedChange<AppState> {
      let entry = EntryID(origin: Origin(id(7)), sequence: number)
      let record = Record<AppState>(revision: 0, id: entry, time: 0, scope: "ann", kind: .changes([.remove(.item(id(1)))]))
      return RefusedChange(record, code: code, reason: reason)
    }
    let line = SyncLine(
      .live, unconfirmed: 1,
      refusals: [refused(1, code: "denied", reason: "Only ann removes items."), refused(2, code: "lost", reason: nil)])
    #expect(line.text == "Connected, 1 change not confirmed, 2 changes refused" && line.hasRefusals)
    #expect(line.advice == "Only ann removes items.\nthe server has lost it")
  }
}
