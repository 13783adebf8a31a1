import Alter
import Testing

@testable import TodoCore

@Suite("The keys of the live view") struct WatchModelTests {
  private let today = Day("2026-11-21")
  private let state: AppState

  init() throws { state = try list("One", "x Two", "Three") }

  /// Presses keys in a view that has followed the list. Returns the view and the request of the last key.
  private func press(_ keys: Key..., in state: AppState? = nil) -> (model: WatchModel, request: WatchModel.Request?) {
    let state = state ?? self.state
    var model = WatchModel()
    model.follow(state)
    var request: WatchModel.Request?
    for key in keys { request = model.press(key, in: state, today: today, newID: { id(9) }) }
    return (model, request)
  }

  @Test("move the cursor, and never off the list") func moving() {
    let cases: [([Key], Int)] = [
      ([], 1), ([.down], 2), ([.character("j"), .character("j")], 3), ([.end, .down], 3), ([.up], 1),
      ([.character("G"), .character("k")], 2),
      ([.pageDown], 3), ([.pageDown, .pageUp], 1), ([.end, .home], 1), ([.character("G"), .character("g")], 1),
    ]
    for (keys, number) in cases {
      var model = WatchModel()
      model.follow(state)
      let requests = keys.map { model.press($0, in: state, today: today) }
      #expect(requests.allSatisfy { $0 == nil })
      #expect(model.cursor == id(number), "\(keys)")
    }
  }

  @Test("complete an item, or open it again") func completing() {
    for key in [Key.character(" "), .character("x")] {
      #expect(press(key).request == .change([.item(id(1), .completed(true)), .item(id(1), .finished(today))]))
      #expect(press(.down, key).request == .change([.item(id(2), .completed(false))]))
    }
  }

  @Test("remove, undo, redo, suspend, draw anew and quit") func others() {
    #expect(press(.down, .character("d")).request == .change([.remove(.item(id(2)))]))
    #expect(press(.character("u")).request == .undo)
    #expect(press(.character("r")).request == .redo)
    #expect(press(.control("z")).request == .suspend)
    #expect(press(.control("l")).request == .redraw)
    #expect(press(.character("q")).request == .quit)
  }

  @Test("quit by Ctrl-C whatever is going on") func control() {
    #expect(press(.control("c")).request == .quit)
    #expect(press(.character("e"), .control("c")).request == .quit)
    #expect(press(.character("?"), .control("c")).request == .quit)
  }

  @Test("edit a text: Enter keeps it, Esc leaves it") func editing() {
    let kept = press(.character("e"), .character("!"), .enter)
    #expect(kept.request == .change([.item(id(1), .text("One!"))]))
    #expect(kept.model.mode == .browsing)
    #expect(press(.character("e"), .character("q")).model.mode == .renaming(id(1), LineEditor("Oneq")))
    let left = press(.enter, .character("!"), .escape)
    #expect(left.request == nil && left.model.mode == .browsing)
    // Confirming the same text is not a change.
    #expect(press(.enter, .enter).request == nil)
  }

  @Test("keep an edit open that makes no sense, and say why") func badEdit() {
    let empty = press(.enter, .control("u"), .enter)
    #expect(empty.request == nil && empty.model.mode == .renaming(id(1), LineEditor("")))
    #expect(empty.model.message.hasPrefix("The text is empty."))
    var model = WatchModel()
    model.follow(state)
    let requests = ([Key.enter] + " due:2026-02-30".map(Key.character) + [.enter]).map { model.press($0, in: state, today: today) }
    #expect(requests.allSatisfy { $0 == nil })
    #expect(model.message == "there is no such day as in ‘due:2026-02-30’")
    #expect(model.mode == .renaming(id(1), LineEditor("One due:2026-02-30")))
  }

  @Test("add an item, written down today, and go to it") func adding() throws {
    let added = press(.character("a"), .character("N"), .character("o"), .enter)
    var fields = try line("No")
    fields.created = today
    #expect(added.request == .change([.add(.item(TodoItem(id: id(9), fields)))]))
    #expect(added.model.cursor == id(9))
    #expect(press(.character("a"), .enter).request == nil)
    #expect(press(.character("a"), .enter).model.mode == .browsing)
  }

  @Test("of an empty list say so, and do no harm") func empty() {
    for key in [Key.character("x"), .character("e"), .character("d"), .enter] {
      let (model, request) = press(key, in: AppState())
      #expect(request == nil && model.message == "There is no item here. Press a to add one.")
    }
    #expect(press(.down, .end, in: AppState()).model.place == 0)
  }

  @Test("that mean nothing point to the help; any key ends it") func help() {
    #expect(press(.character("z")).model.message == "Press ? for help.")
    #expect(press(.character("?")).model.mode == .help)
    let back = press(.character("?"), .character("q"))
    #expect(back.model.mode == .browsing && back.request == nil)
  }

  @Test("the cursor stays on its item, wherever others move it; when it is gone, at its place") func following() throws {
    var model = press(.down).model
    let moved = try state.alter(.remove(.item(id(1))))
    model.follow(moved)
    #expect(model.cursor == id(2) && model.place == 0)
    model.follow(try moved.alter(.remove(.item(id(2)))))
    #expect(model.cursor == id(3) && model.place == 0)
    model.follow(AppState())
    #expect(model.cursor == nil && model.place == 0)
  }

  @Test("an edit of an item that somebody else removes ends, and says so") func removedWhileEditing() throws {
    var model = press(.character("e")).model
    model.follow(try state.alter(.remove(.item(id(1)))))
    #expect(model.mode == .browsing && model.message == "Another process has removed the item.")
  }
}
