import Alter
import Foundation
import Testing
import TodoCore

@Suite("An app's old JSON") struct OldStateTests {
  /// UTC, for these tests.
  private let localDay: (Date) -> Day? = { Day(String(($0.ISO8601Format()).prefix(10))) }

  private func read(_ json: String, into state: AppState = AppState()) throws -> (state: AppState, result: OldState.Import) {
    var next = 100
    let result = try OldState(json: Data(json.utf8)).changes(
      into: state,
      newID: {
        next += 1
        return id(next)
      }, localDay: localDay)
    return (try state.alter(result.changes), result)
  }

  @Test("becomes a list: items with their ids, days and tags, notes, and tags with their items") func full() throws {
    let (state, result) = try read(
      """
      {"items":[
        {"id":"\(id(1))","text":"Pay rent due:2026-01-01","completed":false,"due":"2026-12-01","priority":"A",
         "creationDate":"2026-11-01T10:00:00Z","alterDate":815961600.5,"unknown":{"a":[]}},
        {"id":"\(id(2))","title":"Two\\nlines","completed":true,"finished":"2026-11-20","tags":["at work","+p"]}],
       "entries":[{"id":"\(id(3))","text":"began","date":"2026-11-01T10:00:00Z"}],
       "tags":[{"name":"home","items":["\(id(1))",{"id":"\(id(2))","text":"Two lines"},"\(id(77))"]}],
       "version":3}
      """)
    #expect(result.items == 2 && result.present == 0)
    #expect(state.items.map(\.id) == [id(1), id(2)])
    #expect(state.items.map(\.text) == ["Pay rent", "Two lines"])
    #expect(state.items.map(\.due) == [Day("2026-12-01"), nil])
    #expect(state.items.map(\.completed) == [false, true])
    #expect(state.items[0].priority?.description == "A")
    #expect(state.items.map(\.created) == [Day("2026-11-01"), nil])
    #expect(state.items[1].finished == Day("2026-11-20"))
    #expect(state.items[0].altered == Date(timeIntervalSinceReferenceDate: 815_961_600.5))
    #expect(state.tags.map(\.id) == ["@at-work", "+p", "@home"])
    #expect(state.tags[id: "@home"]?.items == [id(1), id(2)])
    #expect(state.entries.map(\.text) == ["began"])
  }

  @Test("is read with whatever it lacks, and dates as Swift's coders write them")
  func lenient() throws {
    let (state, _) = try read(
      """
      {"items":[{"text":"a"},{"text":"b","due":null,"completed":null},{"text":"c","due":815961600},{"text":"d","dueDate":{"date":{"_0":"2026-12-01T09:30:00.25Z"}}},
      {"text":"e","due":{"unknown":{}}},{"text":"f","due":"2026-12-01T09:30:00+02:00"}]}
      """)
    #expect(state.items.map(\.id) == (101...106).map(id))
    #expect(state.items.map(\.due) == [nil, nil, Day("2026-11-10"), Day("2026-12-01"), nil, Day("2026-12-01")])
  }

  @Test("that is read a second time changes nothing: what is there already stays as it is") func twice() throws {
    let json =
      #"{"items":[{"id":"\#(id(1))","text":"old"}],"entries":[{"id":"\#(id(2))","text":"n"}],"tags":[{"id":"@t","items":["\#(id(1))"]}]}"#
    let first = try read(json).state.alter(.item(id(1), .text("new")))
    let (again, result) = try read(json, into: first)
    #expect(again == first && result.items == 0 && result.present == 1 && result.changes == [])
  }

  @Test("is what `todo export --json` writes, too") func export() throws {
    let state = try list("(A) 2026-11-01 Pay rent @home due:2026-12-01", "x 2026-11-20 2026-11-01 Done").alter(
      .tag("+p", .add(id(1))), .add(.entry(Note(id: id(3), text: "n"))))
    #expect(try read(String(decoding: JournalCoding.encode(state), as: UTF8.self)).state == state)
  }

  @Test("keeps the texts of such an export: empty ones, several due days, a lone carriage return") func exactTexts() throws {
    let state = try list("due:2026-12-01", "(A) ", "a due:2026-01-01 due:2026-02-02", "one\rtwo").alter(.item(id(3), .due(nil)))
    #expect(state.items.map(\.text) == ["", "", "a due:2026-01-01", "one\rtwo"])
    #expect(try read(String(decoding: JournalCoding.encode(state), as: UTF8.self)).state == state)
  }

  @Test("has days as times of change, too, which begin in UTC") func dayOfChange() throws {
    let state = try read(#"{"items":[{"text":"a","altered":"2026-12-01"}]}"#).state
    #expect(state.items[0].altered == (try? Date("2026-12-01T00:00:00Z", strategy: .iso8601)))
  }

  private static func outside(_ key: String) -> String {
    "items[0].\(key): a number is a date in seconds since 2001, and this one is not in the years 1 to 9999"
  }

  @Test(
    "that makes no sense is refused as a whole, with the place",
    arguments: [
      ("{", "line 1, column 2: it ends too early"), ("[]", "the file is not an object"), ("{}", "items is missing"),
      (#"{"items":{}}"#, "items is not a list"), (#"{"items":null}"#, "items is null, not a list"),
      (#"{"items":[1]}"#, "items[0] is not an object"),
      (#"{"items":[{}]}"#, "items[0].text is missing"), (#"{"items":[{"text":"a"},{"text":1}]}"#, "items[1].text is not a text"),
      (#"{"items":[{"text":" \n"}]}"#, "items[0].text: there is nothing in it"),
      (#"{"items":[{"text":"a due:2026-02-30"}]}"#, "items[0].text: there is no such day as in ‘due:2026-02-30’"),
      (#"{"items":[{"text":"a","id":"7"}]}"#, "items[0].id: ‘7’ is not a UUID"),
      (#"{"items":[{"text":"a","completed":"yes"}]}"#, "items[0].completed is not true or false"),
      (#"{"items":[{"text":"a","due":"soon"}]}"#, "items[0].due: ‘soon’ is not a date; write it as 2026-12-01, or 2026-12-01T09:30:00Z"),
      (#"{"items":[{"text":"a","due":true}]}"#, "items[0].due is not a number"),
      (#"{"items":[{"text":"a","due":1764547200000}]}"#, outside("due")),
      (#"{"items":[{"text":"a","created":1e300}]}"#, outside("created")),
      (#"{"items":[{"text":"a","altered":-1e300}]}"#, outside("altered")),
      (
        #"{"items":[{"text":"a","altered":"NaN"}]}"#,
        "items[0].altered: ‘NaN’ is not a date; write it as 2026-12-01, or 2026-12-01T09:30:00Z"
      ),
      (
        #"{"items":[{"text":"a","due":"12026-01-01T00:00:00Z"}]}"#,
        "items[0].due: ‘12026-01-01T00:00:00Z’ is not a date; write it as 2026-12-01, or 2026-12-01T09:30:00Z"
      ),
      (#"{"items":[{"text":"a","priority":"high"}]}"#, "items[0].priority: a priority is a letter from A to Z, not this text"),
      (#"{"items":[],"tags":[{"name":" "}]}"#, "tags[0].name: a tag needs a name"),
      (#"{"items":[],"entries":[{}]}"#, "entries[0].text is missing"),
    ])
  func malformed(json: String, message: String) throws {
    let error = try #require(throws: OldState.Problem.self) { try OldState(json: Data(json.utf8)) }
    #expect(error.description == message)
  }

  @Test("with one id twice is refused") func duplicate() throws {
    let json = #"{"items":[{"id":"\#(id(1))","text":"a"},{"text":"b"},{"id":"\#(id(1))","text":"c"}]}"#
    let error = try #require(throws: OldState.Problem.self) { try OldState(json: Data(json.utf8)) }
    #expect(error.description == "items[2].id is also the id of items[0]")
  }

  @Test("begins with a brace, behind blanks and a byte order mark") func beginning() {
    for text in ["{", " \r\n\t{}", "\u{FEFF} {"] { #expect(OldState.mayBegin(with: Array(text.utf8))) }
    for text in ["", "x {", "[", "  "] { #expect(!OldState.mayBegin(with: Array(text.utf8))) }
  }
}
