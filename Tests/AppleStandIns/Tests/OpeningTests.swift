import AlterCollections
import AlterCore
import AlterJournal
import AlterStore
import AlterSwiftUI
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct OpeningTests {
  @Test func `a store is opened once for the life of the view, however often its parent is rendered`() async {
    let opener = Opener()
    let screen = Screen { RootView { try await opener.open() } }
    for _ in 0..<100 { screen.render() }
    await opener.begun(1)
    #expect(screen.texts == [])
    opener.answer(.success(Store(Shelf(books: [Book(id: 1, title: "Emma")]))))
    await screen.nextChange()
    for _ in 0..<100 { screen.render() }
    #expect(screen.texts == ["Emma"])
    #expect(opener.count == 1)
    screen.close()
  }

  @Test func `a failure shows its error and the next step, and a button opens again`() async {
    let opener = Opener()
    let screen = Screen { RootView { try await opener.open() } }
    await opener.begun(1)
    opener.answer(.failure(locked))
    await screen.nextChange()
    #expect(screen.texts == ["Can't open", locked.description, "Try again"])
    screen.press("Try again")
    #expect(screen.texts == [])
    await opener.begun(2)
    opener.answer(.success(Store(Shelf(books: [Book(id: 1, title: "Emma")]))))
    await screen.nextChange()
    #expect(screen.texts == ["Emma"])
    #expect(opener.count == 2)
    screen.close()
  }

  @Test func `several attempts for one failure open one store`() async {
    let opener = Opener()
    let screen = Screen { ImpatientView(opener: opener) { try await opener.open() } }
    await opener.begun(1)
    opener.answer(.failure(locked))
    await screen.nextChange()
    screen.press("Twice")
    await opener.begun(2)
    opener.answer(.success(Store(Shelf(books: [Book(id: 1, title: "Emma")]))))
    await screen.nextChange()
    #expect(screen.texts == ["Emma"])
    for _ in 0..<100 { await Task.yield() }
    #expect(opener.count == 2)
    // A timer of the failure's view that fires too late.
    opener.retry?()
    #expect(screen.texts == ["Emma"])
    for _ in 0..<100 { await Task.yield() }
    #expect(opener.count == 2)
    screen.close()
  }

  @Test func `a view that disappears during the opening opens nothing again when it returns`() async {
    let (opener, switched) = (Opener(), Switched())
    let screen = Screen { HidingView(switched: switched) { try await opener.open() } }
    await opener.begun(1)
    switched.isShown = false
    screen.settle()
    switched.isShown = true
    screen.settle()
    for _ in 0..<100 { await Task.yield() }
    #expect(opener.count == 2, "Another identity has a state of its own.")
    opener.answer(.success(Store(Shelf())))
    opener.answer(.success(Store(Shelf(books: [Book(id: 1, title: "Emma")]))))
    while screen.texts != ["Emma"] { await screen.nextChange() }
    screen.close()
  }

  @Test func `a store whose view is closed during the opening is released`() async {
    let opener = Opener()
    var screen: Screen? = Screen { RootView { try await opener.open() } }
    await opener.begun(1)
    screen?.close()
    screen = nil
    weak var opened: Store<Shelf>?
    do {
      let store = Store(Shelf())
      opened = store
      opener.answer(.success(store))
    }
    while opened != nil { await Task.yield() }
  }

  @Test func `an app can word the phases itself`() async {
    let opener = Opener()
    let screen = Screen { CarefulRootView { try await opener.open() } }
    #expect(screen.texts == ["Opening your books …"])
    await opener.begun(1)
    opener.answer(.failure(JournalError(.newerSchema, journal: "books", message: "has the schema 3")))
    await screen.nextChange()
    #expect(screen.texts == ["Your books were saved by a newer version. Please update this app."])
    screen.close()
  }

  private let locked = JournalError(.locked, journal: "books", message: "is locked. Close the other app, and try again.")
}

@MainActor
@Suite struct PreviewTests {
  @Test func `a preview shows a store that can't save`() {
    let failure = JournalError(.failed, journal: "books", message: "has failed.")
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), status: .failed(failure))
    #expect(Screen { SavingView(store: store) }.texts == ["Can't save any more", failure.description])
    let screen = Screen { ListView(store: store) }
    screen.turn("Done", on: true)
    #expect(screen.alert?.message == ChangeError<Refusal>.failed(failure).description)
    #expect(store.state.items.map(\.completed) == [false])
  }

  @Test func `a preview shows a store that waits, or is closed`() {
    let wait = StoreWait(reason: JournalError(.unavailable, journal: "books", message: "is out of reach."), since: 0)
    let waiting = Store<AppState>.preview(AppState(), status: .waiting(wait))
    #expect(waiting.status == .waiting(wait))
    #expect(throws: Never.self) { try waiting.change(.note("x")) }
    let closed = Store<AppState>.preview(AppState(), status: .closed)
    #expect(closed.status == .closed)
    #expect(throws: ChangeError<Refusal>.self) { try closed.change(.note("x")) }
  }
}

@MainActor @Observable private final class Switched {
  var isShown = true
}

private struct HidingView: View {
  let switched: Switched
  let open: @MainActor () async throws -> Store<Shelf>

  var body: some View {
    if switched.isShown { RootView(open: open) }
  }
}

private struct ImpatientView: View {
  let opener: Opener
  let open: @MainActor () async throws -> Store<Shelf>

  var body: some View {
    OpeningView {
      try await open()
    } content: { store in
      ShelfView(store: store)
    } loading: {
      ProgressView()
    } failure: { _, retry in
      let _ = opener.retry = retry
      Button("Twice") {
        retry()
        retry()
      }
    }
  }
}

/// Opens stores when the test says so.
@MainActor private final class Opener {
  var retry: (@MainActor () -> Void)?
  private(set) var count = 0
  private var waiting: [CheckedContinuation<Store<Shelf>, any Error>] = []

  func open() async throws -> Store<Shelf> {
    count += 1
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  func begun(_ count: Int) async {
    while self.count < count { await Task.yield() }
  }

  func answer(_ result: Result<Store<Shelf>, any Error>) { waiting.removeFirst().resume(with: result) }
}
