import Alter
import Testing
import _AlterTerminal

@testable import TodoCore

@Suite("The live view of a synced list") struct WatchSyncTests {
  private let state: AppState
  private let refused: RefusedChange<AppState>

  init() throws {
    state = try TodoTests.list("Pay rent", "Buy bread", "Call home")
    refused = RefusedChange(Self.record(9, by: "bob", .remove(.item(id(1)))), code: "denied", reason: "Only ann removes items.")
  }

  private static func record(_ revision: Int64, by user: String, _ changes: AppState.Change...) -> Record<AppState> {
    Record(
      revision: Revision(revision), id: EntryID(origin: Origin(id(50)), sequence: revision), time: revision,
      scope: UndoScope(rawValue: user), kind: .changes(changes))
  }

  private func panel(
    _ connection: Connection = .live, _ unconfirmed: [Record<AppState>] = [], _ refusals: [RefusedChange<AppState>]? = nil
  ) -> SyncPanel {
    SyncPanel(
      user: "bob", connection: connection, state: state, unconfirmed: unconfirmed.map { UnconfirmedChange($0) },
      refusals: refusals ?? [refused],
      records: [
        Self.record(2, by: "", .item(id(2), .completed(true))), Self.record(3, by: "ann", .item(id(3), .text("Call home"))),
        Self.record(4, by: "bob", .item(id(1), .text("Pay rent"))),
      ], after: state)
  }

  private func lines(_ panel: SyncPanel?, _ keys: Key..., columns: Int = 80, rows: Int = 9, style: TextStyle = .plain) -> [String] {
    var model = WatchModel()
    model.follow(state)
    for key in keys { _ = model.press(key, in: state, sync: panel, today: nil) }
    return WatchView.lines(
      state, model, sync: panel, size: .init(columns: columns, rows: rows), today: nil, time: { "t\($0)" }, style: style)
  }

  @Test("says the connection, marks the items by symbols with their legend, and names other authors") func list() {
    let shown = lines(panel(.offline(.network, since: 7), [Self.record(5, by: "bob", .item(id(2), .completed(true)))]))
    #expect(
      shown.prefix(5) == [
        "todo: 3 open, 0 done", "Sync: offline since t7, 1 unconfirmed (~), 1 refused (!, R shows): the server c…",
        "> 1 [ ] ! Pay rent" + String(repeating: " ", count: 62), "  2 [ ] ~ Buy bread", "  3 [ ]   Call home  (by ann)",
      ])
    #expect(lines(panel(.live, [], []))[1] == "Sync: connected, nothing unconfirmed")
  }

  @Test("of a list that is not synced has no sync, and no keys for it") func local() {
    #expect(!lines(nil).joined().contains("ync"))
    #expect(lines(nil, .character("h")).last == "Press ? for help.")
    #expect(!lines(nil, .character("?"), rows: 20).joined().contains("refused"))
    #expect(lines(panel(), .character("?"), rows: 20).joined().contains("refused changes"))
  }

  @Test("shows a refused change with its reason, and makes it again or dismisses it") func refusals() {
    let shown = lines(panel(), .character("R"), columns: 60)
    #expect(
      Array(shown[2...4]) == [
        "Refused changes, which have no effect on the list:", "> removed ‘Pay rent’", "    Only ann removes items. [denied]",
      ])
    #expect(shown.last == "r make it again  d dismiss it  j k move  Esc back")
    var model = WatchModel()
    #expect(model.press(.character("R"), in: state, sync: panel(), today: nil) == nil)
    #expect(model.press(.character("r"), in: state, sync: panel(), today: nil) == .retry(refused.record.id))
    #expect(model.press(.character("d"), in: state, sync: panel(), today: nil) == .dismiss(refused.record.id))
    model.follow(panel(.live, [], []))
    #expect(model.mode == .refused(refused.record.id) && model.message == "No change is refused any more. Press Esc to go back.")
    #expect(model.press(.character("d"), in: state, sync: panel(.live, [], []), today: nil) == nil)
    #expect(model.press(.escape, in: state, sync: panel(.live, [], []), today: nil) == nil && model.mode == .browsing)
    #expect(model.press(.character("R"), in: state, sync: panel(.live, [], []), today: nil) == nil)
    #expect(model.mode == .browsing && model.message == "No change is refused.")
  }

  @Test("when the chosen refused change is settled, a key is about no other one until one is chosen") func settled() {
    let others = (11...13).map {
      RefusedChange(Self.record($0, by: "bob", .remove(.item(id(2)))), code: "denied", reason: nil)
    }
    var model = WatchModel()
    for key: Key in [.character("R"), .down] { _ = model.press(key, in: state, sync: panel(.live, [], others), today: nil) }
    #expect(model.mode == .refused(others[1].record.id))
    model.follow(panel(.live, [], [others[1], others[2]]))
    #expect(model.mode == .refused(others[1].record.id))
    model.follow(panel(.live, [], [others[2]]))
    for key in "dr" { #expect(model.press(.character(key), in: state, sync: panel(.live, [], [others[2]]), today: nil) == nil) }
    #expect(model.message.hasPrefix("That change is settled."))
    #expect(model.press(.down, in: state, sync: panel(.live, [], [others[2]]), today: nil) == nil)
    #expect(model.mode == .refused(others[2].record.id))
    #expect(model.press(.character("d"), in: state, sync: panel(.live, [], [others[2]]), today: nil) == .dismiss(others[2].record.id))
    #expect(model.press(.escape, in: state, sync: panel(.live, [], [others[2]]), today: nil) == nil && model.mode == .browsing)
  }

  @Test("the history says who, when, what, and what is not certain") func history() {
    let shown = lines(panel(.live, [Self.record(5, by: "bob", .item(id(2), .completed(true)))]), .character("h"))
    #expect(
      Array(shown[2...5]) == [
        "t5  you: completed ‘Buy bread’  (not yet confirmed)", "t4  you: renamed ‘Pay rent’ to ‘Pay rent’",
        "t3  ann: renamed ‘Call home’ to ‘Call home’", "t2  earlier: completed ‘Buy bread’",
      ])
    #expect(lines(panel(), .character("h"), .down, .end, .up)[2].hasPrefix("t3"))
    #expect(lines(panel(), .character("h"), .character("q"))[2].hasPrefix("> 1"))
  }

  @Test("each connection has words of its own, and none is said by colour alone") func words() {
    let all: [Connection] = [
      .live, .connecting, .elsewhere, .offline(.network, since: 1), .offline(.busy, since: 1), .offline(.rejected, since: 1),
      .offline(.paused, since: 1), .notAServer, .waiting, .signedOut, .forbidden, .outdated, .restarted, .broken,
    ]
    let texts = all.map { $0.text { "t\($0)" } }
    #expect(Set(texts).count == all.count)
    for connection in all {
      let line = lines(panel(connection), columns: 300)[1]
      #expect(line.hasPrefix("Sync: \(connection.headline { "t\($0)" })") && line.contains(connection.advice ?? "Sync"))
    }
    let shown = lines(panel(.live, [Self.record(5, by: "bob", .item(id(2), .completed(true)))]), columns: 100, style: .ansi)
    #expect(shown[1].contains("1 unconfirmed (~), 1 refused (!") && shown[3].contains("~ Buy bread"))
  }

  @Test("fits into any terminal", arguments: [0, 1, 10, 40, 200]) func size(columns: Int) {
    let sync = panel(.offline(.network, since: 7), [Self.record(5, by: "bob", .item(id(2), .completed(true)))])
    for rows in 0...9 {
      for keys: [Key] in [[], [.character("R")], [.character("h")], [.character("?")]] {
        var model = WatchModel()
        model.follow(state)
        for key in keys { _ = model.press(key, in: state, sync: sync, today: nil) }
        let shown = WatchView.lines(state, model, sync: sync, size: .init(columns: columns, rows: rows), today: nil)
        #expect(
          shown.count <= rows && (columns < 10 || shown.allSatisfy { Columns.count($0) <= columns }), "\(keys) \(columns)×\(rows): \(shown)"
        )
      }
    }
  }
}
