import Alter
import Testing
import _AlterTerminal

@testable import TodoCore

@Suite("The look of the live view") struct WatchViewTests {
  private let today = Day("2026-11-21")
  private let state: AppState

  init() throws { state = try list("(A) Pay rent @home due:2026-11-20", "x Buy milk", String(repeating: "long ", count: 20)) }

  private func lines(_ state: AppState, _ keys: Key..., columns: Int = 60, rows: Int = 7, style: TextStyle = .plain) -> [String] {
    var model = WatchModel()
    model.follow(state)
    for key in keys { _ = model.press(key, in: state, today: today) }
    return WatchView.lines(state, model, size: .init(columns: columns, rows: rows), today: today, style: style)
  }

  @Test("is a title, the items, and what the keys do, in 60 columns") func sixty() {
    #expect(
      lines(state, .down) == [
        "todo: 2 open, 1 done, 1 overdue",
        "  1 [ ] (A) 2026-11-20 Pay rent @home",
        "> 2 [x]                Buy milk                             ",
        "  3 [ ]                long long long long long long long l…",
        "", "", "space done  e edit  a add  d remove  u undo  ? help  q quit",
      ])
  }

  @Test("shows the line that is being edited, with the cursor, and what is typed never runs out of it") func editing() {
    #expect(lines(state, .down, .character("e"), .left).last == "Edit: Buy mil|k")
    let long = lines(state, .end, .character("e"), columns: 30)
    #expect(long.last == "Edit: " + String(String(repeating: "long ", count: 20).suffix(22)) + "|")
    #expect(lines(state, .character("a"), .character("N")).last == "Add: N|")
  }

  @Test("is the help, when asked for") func help() {
    let shown = lines(state, .character("?"), rows: 12)
    #expect(shown[1].contains("move") && shown.contains { $0.contains("quit") } && shown.last == "Any key: back to the list")
  }

  @Test("of nothing says how to begin") func empty() {
    #expect(lines(AppState())[1] == "Nothing to do. Press a to add an item.")
  }

  @Test("keeps the cursor in sight, however long the list and however low the terminal") func scrolling() throws {
    let long = try AppState().alter((1...100).map { .add(.item(TodoItem(id: id($0), text: "Item \($0)"))) })
    for rows in 3...12 {
      var model = WatchModel()
      model.follow(long)
      for number in 1...100 {
        let shown = WatchView.lines(long, model, size: .init(columns: 60, rows: rows), today: today)
        #expect(shown.count == rows)
        #expect(shown.filter { $0.hasPrefix(">") }.map { $0.split(separator: " ")[1] } == ["\(number)"], "\(rows) rows, item \(number)")
        _ = model.press(.down, in: long, today: today)
      }
    }
  }

  @Test("fits into any terminal: no line too wide, none too many", arguments: [0, 1, 2, 3, 10, 60, 200]) func size(columns: Int) throws {
    let wide = try state.alter(.add(.item(TodoItem(id: id(4), text: String(repeating: "日本", count: 50)))))
    for rows in 0...8 {
      for keys: [Key] in [[], [.end], [.character("?")], [.end, .character("e")], [.character("z")]] {
        var model = WatchModel()
        model.follow(wide)
        for key in keys { _ = model.press(key, in: wide, today: today) }
        let shown = WatchView.lines(wide, model, size: .init(columns: columns, rows: rows), today: today)
        #expect(shown.count <= rows)
        // A prompt needs a few columns.
        if columns >= 10 { #expect(shown.allSatisfy { Columns.count($0) <= columns }, "\(keys) \(columns)×\(rows): \(shown)") }
      }
    }
  }

  @Test("marks the chosen, the done and the late with colours, where there are any") func colours() {
    let shown = lines(state, .down, style: .ansi)
    #expect(shown[1].hasPrefix("\u{1B}[31m") && shown[2].hasPrefix("\u{1B}[7m> 2") && shown[0].hasPrefix("\u{1B}[1m"))
    #expect(lines(state, .character("e"), .left, style: .ansi).last?.hasSuffix("@hom\u{1B}[7me\u{1B}[0m") == true)
  }

  @Test("shows nothing that acts on the terminal") func harmless() throws {
    let evil = try AppState().alter(.add(.item(TodoItem(id: id(1), text: "\u{1B}[2Jgone\u{7}"))))
    for keys: [Key] in [[], [.enter], [.enter, .left]] {
      var model = WatchModel()
      model.follow(evil)
      for key in keys { _ = model.press(key, in: evil, today: today) }
      let shown = WatchView.lines(evil, model, size: .init(columns: 60, rows: 5), today: today)
      #expect(shown.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 0x20 } }, "\(shown)")
    }
  }
}
