import Alter
import Testing
import TodoCore

@Suite("What --json prints") struct JSONOutputTests {
  private func json(_ value: some Encodable) throws -> String { String(decoding: try JournalCoding.encode(value), as: UTF8.self) }

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
}
