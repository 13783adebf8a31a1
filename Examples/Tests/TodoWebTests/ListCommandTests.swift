import Alter
import Foundation
import Testing
import TodoCore

@Suite("A command from elsewhere")
struct ListCommandTests {
  private let today = Day("2026-11-21")
  private let ids = (1...3).map { UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)")! }

  private func list() throws -> AppState {
    try AppState().alter(
      zip(ids, ["Pay rent @home", "Buy bread", "(B) Fix the bicycle"]).map { id, line in
        .add(.item(try TodoItem(id: id, adding: Array(line.utf8)[...], today: today)))
      })
  }

  private func after(_ commands: ListCommand..., in state: AppState? = nil) throws -> AppState {
    let state = try state ?? list()
    return try state.alter(ListCommand.changes(commands, in: state, today: today))
  }

  @Test("adds a line as one types it, with its day, tags and priority")
  func add() throws {
    let id = UUID()
    let item = try #require(after(.add(id: id, line: "(A) Call the plumber due:tomorrow +flat @phone")).items[id: id])
    #expect(item.text == "Call the plumber +flat @phone" && item.due == Day("2026-11-22") && item.priority == Priority("A"))
    #expect(item.created == today)
  }

  @Test(
    "understands a day in every way the terminal does",
    arguments: [("due:fri", "2026-11-27"), ("due:+3d", "2026-11-24"), ("due:next-week", "2026-11-23"), ("due:2026-12-01", "2026-12-01")])
  func days(word: String, day: String) throws {
    let id = UUID()
    #expect(try after(.add(id: id, line: "x-ray \(word) please")).items[id: id]?.due == Day(day))
  }

  @Test("leaves a due: alone that is no day")
  func noDay() throws {
    let id = UUID()
    let item = try #require(after(.add(id: id, line: "Return the book due:soon")).items[id: id])
    #expect(item.text == "Return the book due:soon" && item.due == nil)
  }

  @Test("asked for again adds nothing, and leaves alone what was changed since")
  func again() throws {
    let id = UUID()
    let state = try after(.add(id: id, line: "Water the plants"), .rename(id, "Water the fern"))
    #expect(try ListCommand.changes([.add(id: id, line: "Water the plants")], in: state, today: today).isEmpty)
  }

  @Test("does what it says to an item")
  func edits() throws {
    #expect(try after(.complete(ids[0], true)).items[id: ids[0]]?.finished == today)
    #expect(try after(.complete(ids[0], true), .complete(ids[0], false)).items[id: ids[0]]?.completed == false)
    #expect(try after(.rename(ids[0], "Pay the rent due:fri")).items[id: ids[0]]?.due == Day("2026-11-27"))
    #expect(try after(.due(ids[1], "next week")).items[id: ids[1]]?.due == Day("2026-11-23"))
    #expect(try after(.due(ids[1], "fri"), .due(ids[1], nil)).items[id: ids[1]]?.due == nil)
    #expect(try after(.prioritize(ids[2], nil)).items[id: ids[2]]?.priority == nil)
    #expect(try after(.tag(ids[1], "market")).tags[id: "@market"]?.items == [ids[1]])
    #expect(try after(.untag(ids[0], "@home")).items[id: ids[0]]?.text == "Pay rent")
    #expect(try after(.remove(ids[1])).items.count == 2)
    #expect(try after(.complete(ids[0], true), .complete(ids[2], true), .clearCompleted).items.map(\.id) == [ids[1]])
    #expect(try after(.note(id: nil, text: "Key under the mat")).entries.map(\.text) == ["Key under the mat"])
  }

  @Test("makes no change where the list is already as it should be")
  func nothingToDo() throws {
    let state = try list()
    let commands: [ListCommand] = [
      .complete(ids[0], false), .rename(ids[0], "Pay rent @home"), .due(ids[0], nil), .prioritize(ids[0], nil), .tag(ids[0], "home"),
      .untag(ids[0], "@office"), .clearCompleted,
    ]
    #expect(try ListCommand.changes(commands, in: state, today: today).isEmpty)
  }

  @Test("says what is wrong with what can't be")
  func impossible() throws {
    let long = String(repeating: "a", count: ListCommand.longestText + 1)
    for (command, words) in [
      (ListCommand.add(id: nil, line: "  "), "The text is empty"), (.add(id: nil, line: "(A) due:fri"), "has no text"),
      (.add(id: nil, line: "a\nb"), "line break"),
      (.add(id: nil, line: long), "too long"), (.add(id: nil, line: "x due:2026-02-30"), "no such day"),
      (.rename(ids[0], ""), "The text is empty"),
      (.due(ids[0], "someday"), "is not a day"), (.tag(ids[0], "two words"), "single word"), (.tag(ids[0], long), "single word"),
      (.note(id: nil, text: " \n"), "The note is empty"),
    ] {
      do throws(ListCommand.Problem) {
        _ = try ListCommand.changes([command], in: list0(), today: today)
        Issue.record("\(command) was obeyed")
      } catch {
        guard case .impossible(let why) = error else {
          Issue.record("\(command): \(error)")
          continue
        }
        #expect(why.contains(words), "\(why)")
      }
    }
  }

  private func list0() -> AppState { (try? list()) ?? AppState() }

  @Test("about an item that is gone is refused, and so is the whole batch")
  func gone() throws {
    let state = try list()
    let gone = UUID()
    for command in [
      ListCommand.complete(gone, true), .rename(gone, "x y"), .due(gone, nil), .prioritize(gone, nil), .tag(gone, "a"), .untag(gone, "a"),
      .remove(gone),
    ] {
      #expect(throws: ListCommand.Problem.refused(.missing("item", gone))) {
        try ListCommand.changes([.complete(ids[0], true), command], in: state, today: today)
      }
    }
    #expect(ListCommand.Problem.refused(.missing("item", gone)).description.contains("it was removed elsewhere"))
  }

  @Test("is read strictly")
  func reading() throws {
    let id = ids[0].uuidString
    let good = """
      {"changes":[{"add":{"text":"a"}},{"add":{"text":"a","id":"\(id)"}},{"complete":{"id":"\(id)","done":true}},{"rename":{"id":"\(id)","text":"b"}},
      {"due":{"id":"\(id)","day":null}},{"priority":{"id":"\(id)","priority":"A"}},{"tag":{"id":"\(id)","tag":"c"}},
      {"untag":{"id":"\(id)","tag":"c"}},{"note":{"text":"d"}},{"remove":{"id":"\(id)"}},{"clearCompleted":{}}]}
      """
    #expect(
      try ListCommand.commands(JSONValue(parsing: Data(good.utf8))) == [
        .add(id: nil, line: "a"), .add(id: ids[0], line: "a"), .complete(ids[0], true), .rename(ids[0], "b"), .due(ids[0], nil),
        .prioritize(ids[0], Priority("A")), .tag(ids[0], "c"), .untag(ids[0], "c"), .note(id: nil, text: "d"), .remove(ids[0]),
        .clearCompleted,
      ])
    for (json, words) in [
      ("[]", "is an object"), ("{}", "needs the field 'changes'"), (#"{"changes":{}}"#, "an array"), (#"{"changes":[]}"#, "is empty"),
      (#"{"changes":[{"add":{"text":"a"}}],"more":1}"#, "no field ‘more’"), (#"{"changes":[1]}"#, "one field"),
      (#"{"changes":[{"explode":{}}]}"#, "no command ‘explode’"), (#"{"changes":[{"add":{}}]}"#, "needs the field 'text'"),
      (#"{"changes":[{"add":{"text":1}}]}"#, "is a text"), (#"{"changes":[{"add":{"text":"a","due":"fri"}}]}"#, "no field ‘due’"),
      (#"{"changes":[{"remove":{"id":"1"}}]}"#, "whole id"), (#"{"changes":[{"complete":{"id":"\#(id)","done":1}}]}"#, "true or false"),
      (#"{"changes":[{"priority":{"id":"\#(id)","priority":"a"}}]}"#, "from A to Z"),
      (#"{"changes":[{"due":{"id":"\#(id)","day":3}}]}"#, "a text, or null"), (#"{"changes":[{"clearCompleted":true}]}"#, "is an object"),
      ("{\"changes\":[\(Array(repeating: #"{"clearCompleted":{}}"#, count: 501).joined(separator: ","))]}", "at most 500"),
    ] {
      do {
        _ = try ListCommand.commands(JSONValue(parsing: Data(json.utf8)))
        Issue.record("\(json.prefix(80)) was read")
      } catch let error as MalformedRequest {
        #expect(error.description.contains(words), "\(error)")
      }
    }
  }
}
