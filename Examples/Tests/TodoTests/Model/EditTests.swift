import Alter
import Testing
import TodoCore

@Suite("An edit of an item") struct EditTests {
  private func item(_ text: String) throws -> TodoItem { TodoItem(id: id(1), try line(text)) }

  /// The item after it was written to a file and read again.
  private func reread(_ item: TodoItem) throws -> TodoLine { try line(item.fields.rendered) }

  @Test("that takes the day away takes every due: word, so that none comes back with a file") func dueNone() throws {
    let twice = try item("Pay due:2026-01-01 rent due:2026-02-02")
    #expect(twice.due == Day("2026-02-02") && twice.text == "Pay due:2026-01-01 rent")
    let freed = try twice.alter(twice.changes(due: nil))
    #expect(freed.text == "Pay rent" && freed.due == nil)
    #expect(try reread(freed).due == nil)
    let other = try twice.alter(twice.changes(due: Day("2026-03-03")))
    #expect(try reread(other).due == Day("2026-03-03"))
    // A word that only resembles a due day stays.
    let plain = try item("see due:tomorrow xdue:2026-01-01")
    #expect(try plain.changes(due: nil) == [.due(nil)])
  }

  @Test("of the text takes a due: in it as the day, and keeps the day without one") func rename() throws {
    let rent = try item("Pay rent due:2026-02-02")
    #expect(try rent.changes(text: "Pay it") == [.text("Pay it")])
    #expect(try rent.changes(text: "Pay due:2026-03-03 it") == [.text("Pay it"), .due(Day("2026-03-03"))])
    #expect(try rent.changes(text: "x marks the spot") == [.text("x marks the spot")])
    #expect(throws: TodoLine.Malformed.impossibleDue("due:2026-02-30")) { try rent.changes(text: "Pay due:2026-02-30") }
  }

  @Test("that untags takes the tag out of the text and off the item") func untag() throws {
    let state = try list("@home Pay @home rent +flat", "Other @home").alter(.tag("@shop", .add(id(1))))
    let item = try #require(state.items[id: id(1)])
    func untagged(_ names: Set<String>) throws -> AppState { try state.alter(item.changes(untagging: names, in: state)) }
    #expect(try untagged(["@home"]).items[0].text == "Pay rent +flat")
    #expect(try untagged(["@shop"]).tags[id: "@shop"]?.items == [])
    #expect(try untagged(["@home"]).items[1].text == "Other @home")
    #expect(try item.changes(untagging: ["+other"], in: state) == [])
  }
}
