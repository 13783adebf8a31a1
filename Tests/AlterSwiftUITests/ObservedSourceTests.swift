import AlterCore
import AlterStore
import Observation
import Testing

@testable import AlterSwiftUI

@MainActor
@Suite("An observed value of a view") struct ObservedSourceTests {
  private let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")))

  @Test("is one object for the life of the view, however often its parent is rendered") func oneObject() {
    let holder = ObservedHolder<AppState, Int>()
    let calls = Lock(0)
    func render() -> ObservedSource<AppState, Int> {
      ObservedSource(store) { state in
        calls.withLock { $0 += 1 }
        return state.items.count
      }
    }
    let first = render()
    #expect(calls.withLock { $0 } == 0, "Nothing is computed before the body reads the value.")
    let object = first.observed(in: holder)
    for _ in 0..<100 { #expect(render().value(in: holder) == 2 && render().observed(in: holder) === object) }
    // No task runs during this test, so each call is one of the initialiser of an object.
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("is one object through renders of the parent and changes of the state in any order, and shows the newest state")
  func rendersAndChanges() async throws {
    let holder = ObservedHolder<AppState, Int>()
    let object = ObservedSource(store, \.items.count).observed(in: holder)
    for number in 3...1_000 {
      if number.isMultiple(of: 10) { try store.change(.add(TodoItem(id: number, text: "\(number)"))) }
      #expect(ObservedSource(store, \.items.count).observed(in: holder) === object)
      if number.isMultiple(of: 7) { await Task.yield() }
    }
    while ObservedSource(store, \.items.count).value(in: holder) != 102 { await Task.yield() }
  }

  @Test("evaluates the body again when the value differs, and for nothing that the body has not read") func read() async throws {
    let holder = ObservedHolder<AppState, Int>()
    let source = ObservedSource(store, \.items.count)
    let evaluations = Lock(0)
    withObservationTracking {
      _ = source.value(in: holder)
    } onChange: {
      evaluations.withLock { $0 += 1 }
    }
    try store.change(.note("x"))
    // The body has not read the refusal.
    source.observed(in: holder).send(.add(TodoItem(id: 1, text: "tea")))
    for _ in 0..<100 { await Task.yield() }
    #expect(evaluations.withLock { $0 } == 0)
    try store.change(.add(TodoItem(id: 3, text: "coffee")))
    while evaluations.withLock({ $0 }) == 0 { await Task.yield() }
    while source.value(in: holder) != 3 { await Task.yield() }
  }

  @Test("ends with the view, and releases the store") func lifetime() async {
    weak var released: Store<AppState>?
    var holder: ObservedHolder<AppState, Int>?
    do {
      let store = Store(AppState())
      let made = ObservedHolder<AppState, Int>()
      (released, holder) = (store, made)
      #expect(ObservedSource(store, \.items.count).value(in: made) == 0)
    }
    #expect(released != nil && holder != nil)
    holder = nil
    while released != nil { await Task.yield() }
  }

  @Test("follows another store from the next render on") func otherStore() {
    let holder = ObservedHolder<AppState, Int>()
    let first = ObservedSource(store, \.items.count).observed(in: holder)
    let source = ObservedSource(Store(AppState()), \.items.count)
    #expect(source.value(in: holder) == 0)
    #expect(source.observed(in: holder) !== first)
  }

  @Test("applies the function of another id, and keeps the object for the same one") func otherID() {
    let holder = ObservedHolder<AppState, TodoItem?>()
    func render(_ id: Int) -> ObservedSource<AppState, TodoItem?> {
      ObservedSource(store, id: id) { state in state.items.first { $0.id == id } }
    }
    #expect(render(1).value(in: holder)?.text == "milk")
    let first = render(1).observed(in: holder)
    #expect(render(1).observed(in: holder) === first)
    #expect(render(2).value(in: holder)?.text == "tea")
    #expect(render(2).observed(in: holder) !== first)
    #expect(render(3).value(in: holder) == nil)
  }

  @Test("is not replaced by an action of an earlier evaluation, which changes its own element") func earlierElement() async throws {
    let detail = Detail(store, id: 1)
    let holder = ObservedHolder<AppState, TodoItem?>()
    func render(_ id: Int) -> ObservedSource<AppState, TodoItem?> {
      ObservedSource(store, id: id) { state in state.items.first { $0.id == id } }
    }
    let (first, second) = (render(1), render(2))
    _ = first.value(in: holder)
    let shown = second.observed(in: holder)
    // The action for the first element, as a task that began with it, or a field that loses its focus, calls it.
    first.observed(in: holder).send(.item(1, .text("oat milk")))
    #expect(store.state.items.map(\.text) == ["oat milk", "tea"])
    #expect(first.value(in: holder)?.text == "oat milk" && second.value(in: holder)?.text == "tea")
    first.observed(in: holder).send(.item(1, .text("")))
    #expect(shown.refusal != nil && second.observed(in: holder) === shown)
    try store.change(.item(2, .text("green tea")))
    while second.value(in: holder)?.text != "green tea" { await Task.yield() }
    // The same with a view around it.
    let rename = detail.rename
    detail.render(id: 2)
    rename("rice milk")
    #expect(store.state.items[0].text == "rice milk" && detail.item?.text == "green tea")
  }

  @Test("is not replaced by an action of an earlier evaluation, which changes its own store") func earlierStore() async throws {
    let holder = ObservedHolder<AppState, [String]>()
    let other = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "coffee")))
    let (first, second) = (ObservedSource(store) { $0.items.map(\.text) }, ObservedSource(other) { $0.items.map(\.text) })
    _ = first.value(in: holder)
    let shown = second.observed(in: holder)
    first.observed(in: holder).send(.item(1, .text("oat milk")))
    #expect(store.state.items.map(\.text) == ["oat milk", "tea"] && other.state.items.map(\.text) == ["coffee"])
    #expect(first.value(in: holder) == ["oat milk", "tea"])
    try other.change(.item(1, .text("espresso")))
    while second.value(in: holder) != ["espresso"] { await Task.yield() }
    #expect(second.observed(in: holder) === shown)
  }
}
