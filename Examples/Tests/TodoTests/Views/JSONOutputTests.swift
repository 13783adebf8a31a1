import Alter
import Testing
import TodoCore

@Suite("What --json prints") struct JSONOutputTests {
  private func json(_ value: some Encodable) throws -> String { String(decoding: try JournalCoding.encode(value), as: UTF8.self) }

  @Test("of an item has every key, null for what it doesn't have") func item() throws {
    let state = try list("(A) Pay rent @home due:2026-11-20", "x 2026-11-19 2026-11-01 Done").alter(.tag("+p", .add(id(1))))
    let rows = TodoList(state, today: Day("2026-11-21")).rows
    #expect(
      try json(ItemOutput(rows[0])) == #"""
        {"altered":null,"completed":false,"created":null,"due":"2026-11-20","finished":null,"id":"00000000-0000-4000-8000-000000000001",\#
        "number":1,"overdue":true,"priority":"A","tags":["@home","+p"],"text":"Pay rent @home"}
        """#)
    #expect(
      try json(ActionOutput("done", rows[1], revision: 7)) == #"""
        {"action":"done","changed":true,"item":{"altered":null,"completed":true,"created":"2026-11-01","due":null,"finished":"2026-11-19",\#
        "id":"00000000-0000-4000-8000-000000000002","number":2,"overdue":false,"priority":null,"tags":[],"text":"Done"},"revision":7}
        """#)
    #expect(try json(ActionOutput("done", rows[1], revision: nil)).hasSuffix(#","revision":null}"#))
    #expect(try json(ActionOutput("done", rows[1], revision: nil)).hasPrefix(#"{"action":"done","changed":false,"#))
  }

  @Test("of an entry of the log has the changes in their stored form, and where an import came from") func record() throws {
    let changes = Record<AppState>(
      revision: 3, id: EntryID(origin: Origin(id(9)), sequence: 2), time: 1_500_000, kind: .changes([.item(id(1), .completed(true))]))
    #expect(
      try json(RecordOutput(changes, what: "completed ‘x’", isUndone: true)) == #"""
        {"changes":[{"item":{"change":{"completed":true},"id":"00000000-0000-4000-8000-000000000001"}}],"kind":"changes","metadata":null,\#
        "revision":3,"time":"1970-01-01T00:00:01.5Z","undone":true,"what":"completed ‘x’"}
        """#)
    let initial = Record<AppState>(
      revision: 1, id: EntryID(origin: Origin(id(9)), sequence: 1), time: 0, kind: .initial(AppState()),
      cause: Cause(metadata: ["imported": "state.json"]))
    #expect(
      try json(RecordOutput(initial, what: "began", isUndone: false)) == #"""
        {"changes":null,"kind":"initial","metadata":{"imported":"state.json"},"revision":1,"time":"1970-01-01T00:00:00Z",\#
        "undone":false,"what":"began"}
        """#)
  }

  @Test("of a note, an undo and an import is one object each") func others() throws {
    #expect(
      try json(NoteOutput(1, Note(id: id(1), text: "n")))
        == #"{"id":"00000000-0000-4000-8000-000000000001","number":1,"text":"n","written":null}"#)
    #expect(try json(UndoOutput("undo", of: 3, revision: 5, what: "w")) == #"{"action":"undo","of":3,"revision":5,"what":"w"}"#)
    #expect(
      try json(ImportOutput(items: 4, leftOut: 1, revision: 2))
        == #"{"action":"import","items":4,"leftOut":1,"present":0,"revision":2}"#)
  }
}
