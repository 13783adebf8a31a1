import AlterTesting
import Testing
import TodoCore

@Suite("A line of todo.txt") struct TodoLineTests {
  @Test("has a mark, a priority, two dates, a text and a day by when it is due") func everything() throws {
    let fields = try line("x (A) 2026-11-21 2026-11-01 Pay rent +flat @home no:17 due:2026-12-01")
    #expect(fields.completed)
    #expect(fields.priority == Priority("A"))
    #expect(fields.finished == Day("2026-11-21"))
    #expect(fields.created == Day("2026-11-01"))
    #expect(fields.text == "Pay rent +flat @home no:17")
    #expect(fields.due == Day("2026-12-01"))
    #expect(fields.tags == ["+flat", "@home"])
  }

  @Test("takes one date for the creation of an open item, and for the completion of a completed one") func oneDate() throws {
    #expect(try line("2026-11-01 a").created == Day("2026-11-01"))
    #expect(try line("(C) 2026-11-01 a").created == Day("2026-11-01"))
    #expect(try line("x 2026-11-01 a").finished == Day("2026-11-01"))
    #expect(try line("x 2026-11-01 a").created == nil)
  }

  @Test(
    "is all text where it doesn't follow the form",
    arguments: [
      "X a", "xa", "x", "(a) b", "(AB) c", "(A)b", "(A)", " x a", " (A) b", "a (A) b", "2026-13-01 a", "2026-11-01", "2026-11-01\ta", "é",
      "x\ta",
      "due:tomorrow", "due:2026-12-1", "due:2026-12-011", "DUE:2026-02-30", "overdue:2026-02-30", "due: 2026-12-01", "\r", "a\rb", "\u{0}",
    ])
  func plain(text: String) throws {
    let fields = try line(text)
    #expect(fields.text == text)
    #expect(fields.rendered == text)
    #expect(!fields.completed && fields.priority == nil && fields.due == nil && fields.created == nil && fields.finished == nil)
  }

  @Test(
    "is due on the day of its last due word; its neighbours close up",
    arguments: [
      ("due:2026-12-01", "", "2026-12-01"), ("due:2026-12-01 a", "a", "2026-12-01"), ("a due:2026-12-01", "a", "2026-12-01"),
      ("a due:2026-12-01 b", "a b", "2026-12-01"), ("a  due:2026-12-01  b", "a   b", "2026-12-01"),
      ("a\tdue:2026-12-01", "a", "2026-12-01"),
      ("due:2026-12-01 a due:2026-12-02", "due:2026-12-01 a", "2026-12-02"), ("a due:2026-12-01 due:soon", "a due:soon", "2026-12-01"),
    ])
  func due(text: String, rest: String, day: String) throws {
    let fields = try line(text)
    #expect(fields.text == rest)
    #expect(fields.due == Day(day))
  }

  @Test(
    "is malformed with a due day that the calendar doesn't have",
    arguments: ["a due:2026-02-30", "due:2026-00-01 due:2026-01-01", "x due:9999-99-99 a"])
  func impossible(text: String) {
    #expect(throws: TodoLine.Malformed.self) { try line(text) }
  }

  @Test(
    "is malformed when it isn't UTF-8",
    arguments: [[0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
  func invalid(bytes: [UInt8]) {
    #expect(throws: TodoLine.Malformed.invalidUTF8) { try TodoLine(parsing: bytes[...]) }
  }

  @Test(
    "keeps a text apart that would be read as a field, by a space",
    arguments: [
      ("x marks the spot", " x marks the spot"), ("(A) b", " (A) b"), ("2026-11-01 a", " 2026-11-01 a"), ("plain", "plain"), ("", ""),
    ])
  func ambiguous(text: String, rendered: String) throws {
    #expect(TodoLine(text: text).rendered == rendered)
    #expect(try !line(rendered).completed)
    var completed = TodoLine(text: text)
    completed.completed = true
    let again = try line(completed.rendered)
    #expect(again.completed && again.priority == nil && again.finished == nil)
  }

  @Test("never says that an item was finished on the day it was created") func createdButNotFinished() throws {
    var fields = TodoLine(text: "a")
    fields.created = Day("2026-11-01")
    fields.completed = true
    #expect(fields.rendered == "x a")
  }
}
