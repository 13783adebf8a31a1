import AlterCore
import AlterStore
import AlterSwiftUI
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct ObservedValueTests {
  @Test func `one object is made for the life of a view, however often its parent is rendered`() {
    let calls = Calls()
    let objects = Objects()
    let store = Store(AppState())
    let screen = Screen { Summary(store: store, calls: calls, objects: objects) }
    for _ in 0..<100 { screen.render() }
    // No task runs during this test, so each call is one of the initialiser of an object.
    #expect(calls.value == 1)
    #expect(objects.made.count == 1)
    #expect(screen.bodies(of: Summary.self) == 101)
  }

  @Test func `renders of the parent and changes of the state in any order keep one object, which shows the newest state`() async throws {
    let objects = Objects()
    let store = Store(AppState())
    let screen = Screen { Summary(store: store, calls: Calls(), objects: objects) }
    for number in 1...1_000 {
      if number.isMultiple(of: 10) { try store.change(.add(TodoItem(id: number, text: "\(number)"))) }
      screen.render()
      if number.isMultiple(of: 7) { await Task.yield() }
    }
    while screen.texts != ["100 items"] { await screen.nextChange() }
    #expect(objects.made.count == 1)
    screen.close()
  }

  @Test func `a view that disappears releases its object and its store, and the screen lives on`() async {
    let shown = Shown()
    weak var store: Store<AppState>?
    do {
      let made = Store(AppState())
      (store, shown.store) = (made, made)
    }
    let screen = Screen { Optionally(shown: shown) }
    #expect(screen.texts == ["Above", "Add", "0 items"] && store != nil)
    shown.store = nil
    #expect(screen.texts == ["Above"])
    while store != nil { await Task.yield() }
    screen.close()
  }

  @Test func `State with an observed value makes an object at each render of the parent`() {
    let calls = Calls()
    let store = Store(AppState())
    let screen = Screen { SummaryInState(store: store, calls: calls) }
    for _ in 0..<100 { screen.render() }
    #expect(calls.value == 101)
  }

  @Test func `a body is evaluated again only when the value differs`() async throws {
    let store = Store(AppState())
    let screen = Screen { Summary(store: store, calls: Calls(), objects: Objects()) }
    #expect(screen.texts == ["0 items"])
    try store.change(.note("x"))
    try store.change(.add(TodoItem(id: 1, text: "milk")))
    await screen.nextChange()
    #expect(screen.texts == ["1 items"])
    #expect(screen.bodies(of: Summary.self) == 2)
  }

  @Test func `another store is followed from the next render on`() {
    let (selection, objects) = (Selection(), Objects())
    let screen = Screen { Summary(store: selection.store, calls: Calls(), objects: objects) }
    #expect(screen.texts == ["0 items"])
    selection.store = .preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    screen.render()
    #expect(screen.texts == ["1 items"])
    #expect(objects.made.count == 2)
  }

  @Test func `another id applies the new function, and the same one keeps the object`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")))
    let (selection, objects) = (Selection(), Objects())
    let screen = Screen { Detail(store: store, id: selection.id, objects: objects) }
    #expect(screen.texts == ["milk"])
    screen.render()
    #expect(objects.made.count == 1)
    selection.id = 2
    screen.render()
    #expect(screen.texts == ["tea"])
    #expect(objects.made.count == 2)
  }

  @Test func `an action of an earlier evaluation changes neither the object of the view nor the element that it follows`() async throws {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")))
    let (selection, actions) = (Selection(), Actions())
    let screen = Screen { Renaming(store: store, id: selection.id, actions: actions) }
    selection.id = 2
    screen.render()
    #expect(screen.texts == ["tea"])
    // The action for the first element, as a task that began with it, or a field that loses its focus, calls it.
    actions.all[0]("oat milk")
    #expect(store.state.items.map(\.text) == ["oat milk", "tea"])
    #expect(actions.values[0]() == "oat milk" && actions.values[1]() == "tea")
    actions.all[0]("")
    #expect(screen.alert?.title == "Not possible")
    try store.change(.item(2, .text("green tea")))
    while screen.texts != ["green tea"] { await screen.nextChange() }
    screen.close()
  }

  @Test func `an action of an earlier evaluation changes the store that it was made for`() async throws {
    let (selection, objects, actions) = (Selection(), Objects(), Actions())
    let first = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    selection.store = first
    let screen = Screen { Renaming(store: selection.store, id: 1, actions: actions, objects: objects) }
    let second = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "tea")))
    selection.store = second
    screen.render()
    actions.all[0]("oat milk")
    #expect(first.state.items.map(\.text) == ["oat milk"])
    try second.change(.item(1, .text("green tea")))
    while screen.texts != ["green tea"] { await screen.nextChange() }
    #expect(objects.made.count == 2)
    screen.close()
  }

  @Test func `a view that has disappeared keeps no store alive`() async {
    var store: Store<AppState>? = Store(AppState())
    weak let weakStore = store
    var screen: Screen? = Screen { [store] in
      if let store { AnyView(ListView(store: store)) } else { AnyView(EmptyView()) }
    }
    store = nil
    #expect(weakStore != nil)
    screen?.close()
    screen = nil
    while weakStore != nil { await Task.yield() }
  }

  @Test func `a change of one row in 10000 evaluates one row`() {
    let store = Store(AppState((0..<10_000).map { TodoItem(id: $0, text: "\($0)") }))
    let screen = Screen { Rows(store: store) }
    #expect(screen.bodies(of: Row.self) == 10_000)
    screen.resetCounts()
    screen.press("Rename 500")
    #expect(screen.texts[500] == "Renamed")
    #expect(screen.bodies(of: Row.self) == 1)
    #expect(screen.bodies(of: Rows.self) == 1)
  }
}

@MainActor
@Suite struct RefusalTests {
  @Test func `a refusal is an alert that a person can dismiss`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { Adding(store: store) }
    #expect(screen.alert == nil)
    screen.press("Add")
    #expect(screen.alert == ShownAlert(title: "Not possible", message: "There is already a task '1'.", buttons: ["OK"]))
    screen.pressInAlert("OK")
    #expect(screen.alert == nil)
    #expect(screen.texts == ["Add", "1 items"])
    // The next refusal is shown again.
    screen.press("Add")
    #expect(screen.alert?.title == "Not possible")
  }

  @Test func `an alert shows the first refusal until it is dismissed`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { TwoRefusals(store: store) }
    screen.press("Add")
    #expect(screen.alert?.message == "There is already a task '1'.")
    screen.press("Rename")
    // SwiftUI ignores other data of an alert that is shown.
    #expect(screen.alert?.message == "There is already a task '1'.")
    screen.pressInAlert("OK")
    #expect(screen.alert == nil)
    screen.press("Rename")
    #expect(screen.alert?.message == "There is no task '7'.")
  }

  @Test func `an accepted change withdraws the alert`() throws {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { Adding(store: store) }
    screen.press("Add")
    #expect(screen.alert != nil)
    try store.change(.remove(1))
    screen.press("Add")
    #expect(screen.alert == nil)
    #expect(screen.texts == ["Add", "1 items"])
  }

  @Test func `an error of the store has its own message, and a screen can word both`() async {
    let store = Store(AppState())
    let screen = Screen { Adding(store: store) }
    let worded = Screen { Worded(store: store) }
    await store.close()
    screen.press("Add")
    worded.press("Add")
    #expect(screen.alert?.message == ChangeError<Refusal>.closed.description)
    #expect(worded.alert?.message == "Please try again later.")
  }
}

@MainActor
@Suite struct ControlTests {
  @Test func `a field makes one change when the editing ends`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let before = store.revision
    let screen = Screen { ListView(store: store) }
    screen.enter("m", into: "Title")
    screen.enter("oat milk", into: "Title")
    #expect(store.revision == before && screen.field("Title") == "oat milk")
    screen.submit("Title")
    #expect(store.revision == before + 1 && store.state.items.first?.text == "oat milk")
    // Return and the loss of the focus are one end.
    screen.leave("Title")
    #expect(store.revision == before + 1)
    screen.enter("rice milk", into: "Title")
    screen.leave("Title")
    #expect(store.revision == before + 2 && store.state.items.first?.text == "rice milk")
  }

  @Test func `typed text stays when the state changes, and is sent when the view disappears`() async throws {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { ListView(store: store) }
    screen.enter("oat milk", into: "Title")
    try store.change(.item(1, .text("cream")))
    await screen.nextChange()
    #expect(screen.field("Title") == "oat milk")
    screen.close()
    #expect(store.state.items.first?.text == "oat milk")
  }

  @Test func `a toggle sends its change`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { ListView(store: store) }
    #expect(screen.title == "1 to do")
    screen.turn("Done", on: true)
    #expect(store.state.items.first?.completed == true)
    #expect(screen.title == "All done")
  }

  @Test func `steppers, toggles and pickers make one change for each step`() {
    let store = Store(Recipe())
    let screen = Screen { RecipeView(store: store) }
    let before = store.revision
    screen.step("Portions", by: 1)
    screen.turn("Vegetarian", on: true)
    screen.choose(Recipe.Course.dessert, in: "Course")
    #expect(store.state == Recipe(portions: 3, isVegetarian: true, course: .dessert) && store.revision == before + 3)
    #expect(screen.texts.last == "3 portions")
  }

  @Test func `a filter that a screen keeps to itself applies at once`() {
    let store = Store<AppState>.preview(
      AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")), .item(1, .completed(true)))
    let screen = Screen { FilteredView(store: store) }
    #expect(screen.texts == ["Completed items, too", "tea"])
    screen.turn("Completed items, too", on: true)
    #expect(screen.texts == ["Completed items, too", "milk", "tea"])
  }

  @Test func `a detail follows the selected item`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")))
    let selection = Selection()
    let screen = Screen { ItemView(store: store, id: selection.id) }
    #expect(screen.texts == ["milk"])
    selection.id = 2
    screen.render()
    #expect(screen.texts == ["tea"])
    selection.id = 3
    screen.render()
    #expect(screen.texts == ["Deleted"])
  }

  @Test func `a binding to a part of the value sends a change`() {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { First(store: store) }
    #expect(!screen.isOn("First"))
    screen.turn("First", on: true)
    #expect(screen.isOn("First") && store.state.items.first?.completed == true)
  }
}

// The views

@MainActor private final class Objects {
  /// All objects that the views have used. They are kept, so that none has the address of another.
  private(set) var made: [AnyObject] = []

  func note(_ object: AnyObject) {
    if !made.contains(where: { $0 === object }) { made.append(object) }
  }
}

/// The actions of each evaluation of a body.
@MainActor private final class Actions {
  var all: [(String) -> Void] = []
  var values: [() -> String?] = []
}

private struct Renaming: View {
  let id: Int
  let actions: Actions
  let objects: Objects?
  @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

  init(store: Store<AppState>, id: Int, actions: Actions, objects: Objects? = nil) {
    (self.id, self.actions, self.objects) = (id, actions, objects)
    _item = ObservedValue(store, id: id) { state in state.items.first { $0.id == id } }
  }

  var body: some View {
    let _ = actions.all.append { $item.send(.item(id, .text($0))) }
    let _ = actions.values.append { item?.text }
    let _ = objects?.note($item)
    Text(item?.text ?? "").refusalAlert("Not possible", of: $item)
  }
}

@MainActor private final class Selection {
  var id = 1
  var store = Store(AppState())
}

private struct Summary: View {
  let objects: Objects
  @ObservedValue<AppState, Int> private var count: Int

  init(store: Store<AppState>, calls: Calls, objects: Objects) {
    self.objects = objects
    _count = ObservedValue(store) { state in
      calls.count()
      return state.items.count
    }
  }

  var body: some View {
    let _ = objects.note($count)
    Text("\(count) items")
  }
}

@MainActor @Observable private final class Shown {
  var store: Store<AppState>?
}

private struct Optionally: View {
  let shown: Shown

  var body: some View {
    Text("Above")
    if let store = shown.store { Adding(store: store) }
  }
}

private struct SummaryInState: View {
  @State private var count: Observed<AppState, Int>

  init(store: Store<AppState>, calls: Calls) {
    _count = State(
      initialValue: store.observed { state in
        calls.count()
        return state.items.count
      })
  }

  var body: some View { Text("\(count.value) items") }
}

private struct Detail: View {
  let objects: Objects
  @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

  init(store: Store<AppState>, id: Int, objects: Objects) {
    self.objects = objects
    _item = ObservedValue(store, id: id) { $0.items.first { $0.id == id } }
  }

  var body: some View {
    let _ = objects.note($item)
    Text(item?.text ?? "")
  }
}

private struct Rows: View {
  @ObservedValue<AppState, [TodoItem]> private var items: [TodoItem]

  init(store: Store<AppState>) { _items = ObservedValue(store, \.items) }

  var body: some View {
    List(items) { Row(item: $0) }
    Button("Rename 500") { $items.send(.item(500, .text("Renamed"))) }
  }
}

private struct Row: View {
  let item: TodoItem
  var body: some View { Text(item.text) }
}

private struct Adding: View {
  @ObservedValue<AppState, Int> private var count: Int

  init(store: Store<AppState>) { _count = ObservedValue(store, \.items.count) }

  var body: some View {
    Button("Add") { $count.send(.add(TodoItem(id: 1, text: "tea"))) }
      .refusalAlert("Not possible", of: $count)
    Text("\(count) items")
  }
}

private struct TwoRefusals: View {
  @ObservedValue<AppState, Int> private var count: Int

  init(store: Store<AppState>) { _count = ObservedValue(store, \.items.count) }

  var body: some View {
    Button("Add") { $count.send(.add(TodoItem(id: 1, text: "tea"))) }
    Button("Rename") { $count.send(.item(7, .text("tea"))) }
      .refusalAlert("Not possible", of: $count)
  }
}

private struct Worded: View {
  @ObservedValue<AppState, Int> private var count: Int

  init(store: Store<AppState>) { _count = ObservedValue(store, \.items.count) }

  var body: some View {
    Button("Add") { $count.send(.add(TodoItem(id: 1, text: "tea"))) }
      .refusalAlert("Not possible", of: $count) { error in
        if case .refused(let refusal) = error { Text("\(refusal)") } else { Text("Please try again later.") }
      }
  }
}

private struct First: View {
  @ObservedValue<AppState, TodoItem> private var first: TodoItem

  init(store: Store<AppState>) { _first = ObservedValue(store) { $0.items[0] } }

  var body: some View { Toggle("First", isOn: $first.binding(\.completed) { .item(1, .completed($0)) }) }
}
