import Alter
import AlterTesting
import Foundation
import Testing
import TodoCore

/// Checks the stored form of every change, byte for byte. Users' files contain these bytes, so never adapt a test that fails here.
@Suite("The stored form of a change") struct WireTests {
  static let whole = try? TodoItem(
    id: id(1), TodoLine(parsing: Array("x (B) 2026-11-21 2026-11-01 Pay rent due:2026-12-01".utf8)[...]),
    source: SourceLine(before: "\n", line: "x (B) …", ending: .carriageReturnNewline)
  ).alter(.text("Pay"), at: Stamp(time: 250_000, origin: .none, sequence: 1))
  static let one = "00000000-0000-4000-8000-000000000001"
  static let two = "00000000-0000-4000-8000-000000000002"
  static let full =
    #"{"altered":"1970-01-01T00:00:00.25Z","completed":true,"created":"2026-11-01","due":"2026-12-01","finished":"2026-11-21","id":"\#(one)","priority":"B","source":{"before":"\n","ending":"\r\n","line":"x (B) …"},"text":"Pay"}"#

  static let golden: [(AppState.Change, String)] = [
    (.item(id(1), .text("Grüße 🎉 \u{0}\t\"/\\")), #"{"item":{"change":{"text":"Grüße 🎉 \u0000\t\"/\\"},"id":"\#(one)"}}"#),
    (.item(id(1), .completed(true)), #"{"item":{"change":{"completed":true},"id":"\#(one)"}}"#),
    (.item(id(1), .priority(Priority("A"))), #"{"item":{"change":{"priority":"A"},"id":"\#(one)"}}"#),
    (.item(id(1), .due(Day("2026-12-01"))), #"{"item":{"change":{"due":"2026-12-01"},"id":"\#(one)"}}"#),
    (.entry(id(1), .text("x")), #"{"entry":{"change":{"text":"x"},"id":"\#(one)"}}"#),
    (.tag("@home", .add(id(1))), #"{"tag":{"change":{"add":"\#(one)"},"id":"@home"}}"#),
    (.trailer("\r\n"), #"{"trailer":"\r\n"}"#),
    (.cloud(.save(to: "x")), #"{"cloud":{"save":"x"}}"#), (.cloud(.saved(items: 2)), #"{"cloud":{"saved":2}}"#),
    (.add(.item(TodoItem(id: id(1), text: "Milk"))), #"{"add":{"item":{"completed":false,"id":"\#(one)","text":"Milk"}}}"#),
    (.update(.entry(Note(id: id(1), text: "Began"))), #"{"update":{"entry":{"id":"\#(one)","text":"Began"}}}"#),
    (.add(.tag(Tag(id: "@home", items: [id(1)]))), #"{"add":{"tag":{"id":"@home","items":["\#(one)"]}}}"#),
    (.remove(.item(id(1))), #"{"remove":{"item":"\#(one)"}}"#),
    (.move(id(1), to: 2), #"{"move":{"id":"\#(one)","to":2}}"#),
    (.replace(AppState()), #"{"replace":{"entries":[],"items":[],"tags":[],"trailer":""}}"#),
  ]

  @Test("is the same bytes for ever, and reads back equal", arguments: golden.indices) func sameBytes(index: Int) throws {
    let (change, json) = Self.golden[index]
    #expect(String(decoding: try JournalCoding.encode(change), as: UTF8.self) == json)
    #expect(try JournalCoding.decode(AppState.Change.self, from: Data(json.utf8)) == change)
    #expect(try storedFormDifference(of: change) == nil)
  }

  @Test("of an item has every field that it has") func item() throws {
    let item = try #require(Self.whole)
    #expect(String(decoding: try JournalCoding.encode(item), as: UTF8.self) == Self.full)
    #expect(try JournalCoding.decode(TodoItem.self, from: Data(Self.full.utf8)) == item)
    #expect(try storedFormDifference(of: item) == nil)
  }

  @Test(
    "that is unknown is an error that names the type, the case and the place",
    arguments: [
      (#"{"fly":1}"#, "AppState.Change has no case 'fly' (of a newer version, or removed without a migration?)", ""),
      (
        #"{"item":{"change":{"colour":"red"},"id":"\#(one)"}}"#,
        "TodoItem.Change has no case 'colour' (of a newer version, or removed without a migration?)",
        "item.change"
      ),
      (#"{"add":{"person":{}}}"#, "AppState.One has no case 'person' (of a newer version, or removed without a migration?)", "add"),
      (#"{"add":{"item":{},"tag":{}}}"#, "AppState.One is an object with one key, the name of the case, not one with 'item', 'tag'", "add"),
      (#"{}"#, "AppState.Change is an object with one key, the name of the case, not an empty one", ""),
      (#"{"item":{"change":{"due":"2026-02-30"},"id":"\#(one)"}}"#, "a day is written as 2026-12-01, not as this text", "item.change.due"),
      (
        #"{"item":{"change":{"priority":"a"},"id":"\#(one)"}}"#, "a priority is a letter from A to Z, not this text", "item.change.priority"
      ),
    ])
  func unknown(json: String, message: String, path: String) throws {
    let error = try #require(throws: DecodingError.self) { try JournalCoding.decode(AppState.Change.self, from: Data(json.utf8)) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.debugDescription == message)
    #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == path)
  }
}
