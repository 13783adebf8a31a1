import Alter
import Testing
import TodoCore
import _AlterTerminal

@Suite("The view of a list") struct TodoListTests {
  @Test("is aligned, and what no item has takes no room") func lines() throws {
    let plain = try list("One", "x Two")
    #expect(TodoList(plain).lines().map { $0.replacing(/0000\S+/, with: "id") } == ["1  id  [ ]  One", "2  id  [x]  Two"])
    let full = try list("(A) One", "x Two due:2026-12-01").alter(.tag("@home", .add(id(2))), .tag("+p", .add(id(2))))
    #expect(
      TodoList(full).lines().map { $0.replacing(/0000\S+/, with: "id") } == [
        "1  id  [ ]  (A)              One", "2  id  [x]       2026-12-01  Two @home +p",
      ])
  }

  @Test("aligns the numbers on the right") func numbers() throws {
    let state = try AppState().alter((1...10).map { .add(.item(TodoItem(id: id($0), text: "Item \($0)"))) })
    #expect(TodoList(state).lines()[8].hasPrefix(" 9  "))
    #expect(TodoList(state).lines()[9].hasPrefix("10  "))
  }

  @Test("is empty for an empty list") func empty() { #expect(TodoList(AppState()).lines() == []) }

  @Test("shows a sign for what would act on a terminal, and leaves everything else") func printable() {
    #expect("\u{1B}[31m\r\n\t\u{0}\u{7F}".printable == "␛[31m␍␊␉␀␡")
    #expect("\u{9B}\u{2028}\u{202E}\u{2066}".printable == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect("Grüße 👩‍🚒 שלום e\u{301}".printable == "Grüße 👩‍🚒 שלום e\u{301}")
    #expect("\u{200E}\u{200F}\u{61C}\u{202A}\u{2069}".printable == String(repeating: "\u{FFFD}", count: 5))
    #expect("a\nb\u{1B}".printableLines == "a\nb␛")
    #expect("\"\u{202E}\u{9B}\u{7F}\"\n".printableJSON == "\"\\u202e\\u009b\\u007f\"\n")
  }
}
