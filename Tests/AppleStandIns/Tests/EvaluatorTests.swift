import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct EvaluatorTests {
  @Test func `a body is evaluated again when a state changes, and only that body`() {
    let screen = Screen { Parent() }
    #expect(screen.texts == ["Parent", "0", "Add", "Rename"])
    screen.press("Add")
    #expect(screen.texts == ["Parent", "1", "Add", "Rename"])
    #expect(screen.bodies(of: Parent.self) == 1)
    #expect(screen.bodies(of: Counter.self) == 2)
  }

  @Test func `a view keeps its state when its parent is rendered again`() {
    let screen = Screen { Parent() }
    screen.press("Add")
    screen.press("Rename")
    #expect(screen.texts == ["Renamed", "1", "Add", "Rename"])
    screen.render()
    #expect(screen.texts == ["Renamed", "1", "Add", "Rename"])
  }

  @Test func `a view that disappears loses its state and its task`() async {
    let switches = Switches()
    let screen = Screen { Switched(switches: switches) }
    screen.press("Add")
    #expect(screen.texts == ["1", "Add"])
    switches.isShown = false
    #expect(screen.texts == ["nothing"])
    await switches.cancelled()
    switches.isShown = true
    #expect(screen.texts == ["0", "Add"])
    #expect(switches.log == ["appear", "disappear", "appear"])
    screen.close()
  }

  @Test func `only a property that the body has read evaluates it again`() {
    let model = Model()
    let screen = Screen { Title(model: model) }
    model.unread = 1
    #expect(screen.texts == ["a"])
    #expect(screen.bodies(of: Title.self) == 1)
    model.title = "b"
    #expect(screen.texts == ["b"])
    #expect(screen.bodies(of: Title.self) == 2)
  }

  @Test func `a row whose fields are equal is not evaluated again`() {
    let model = Model()
    model.items = (0..<100).map { Item(id: $0, text: "\($0)") }
    let screen = Screen { Rows(model: model) }
    #expect(screen.bodies(of: Row.self) == 100)
    screen.resetCounts()
    model.items[7].text = "seven"
    #expect(screen.texts[7] == "seven")
    #expect(screen.bodies(of: Row.self) == 1)
    screen.move(IndexSet(integer: 7), to: 0)
    #expect(screen.texts.first == "seven")
    screen.delete(IndexSet(integer: 0))
    #expect(model.items.count == 99)
    #expect(screen.texts.first == "0")
    #expect(screen.bodies(of: Row.self) == 1)
  }

  @Test func `controls write through their bindings`() {
    let screen = Screen { Controls() }
    #expect(!screen.isOn("On"))
    screen.turn("On", on: true)
    #expect(screen.isOn("On"))
    screen.enter("milk", into: "Text")
    #expect(screen.field("Text") == "milk")
    screen.choose(2, in: "Size")
    screen.step("Count", by: 1)
    #expect(screen.texts.last == "true milk 2 1")
  }

  @Test func `a change of a value runs its action once, and the first one only on request`() {
    let model = Model()
    let screen = Screen { Watcher(model: model) }
    #expect(model.log == ["first a"])
    model.title = "b"
    screen.settle()
    screen.render()
    #expect(model.log.sorted() == ["a to b", "first a", "first b"])
  }

  @Test func `the environment reaches the views below, and its change evaluates those that read it`() {
    let screen = Screen { Themed() }
    #expect(screen.texts == ["plain", "light", "Switch"])
    screen.press("Switch")
    #expect(screen.texts == ["plain", "dark", "Switch"])
    #expect(screen.bodies(of: ThemeReader.self) == 2 + 1)
    #expect(screen.bodies(of: Between.self) == 1)
  }

  @Test func `an alert shows its data, and a button dismisses it`() {
    let screen = Screen { Alerting() }
    #expect(screen.alert == nil)
    screen.press("Fail")
    #expect(screen.alert == ShownAlert(title: "Failed", message: "because 1", buttons: ["Count", "Cancel"]))
    screen.pressInAlert("Count")
    #expect(screen.alert == nil)
    screen.press("Fail")
    #expect(screen.alert?.message == "because 102")
  }

  @Test func `a link shows the destination of its value, and the screen below keeps its state`() {
    let screen = Screen { Pages() }
    screen.press("Add")
    #expect(screen.texts == ["1", "Add", "One", "About"] && screen.title == "Pages")
    screen.follow("One")
    #expect(screen.texts == ["Page 1", "Next"] && screen.title == "1")
    screen.follow("Next")
    #expect(screen.texts == ["Page 2", "Next"])
    screen.back()
    screen.back()
    #expect(screen.texts == ["1", "Add", "One", "About"] && screen.title == "Pages")
    screen.follow("About")
    #expect(screen.texts == ["About this app"])
    screen.back()
    #expect(screen.title == "Pages")
  }

  @Test func `a path that the app keeps changes the stack, and follows its links`() {
    let screen = Screen { Tour() }
    #expect(screen.texts == ["Start", "1", "All"])
    screen.follow("1")
    #expect(screen.texts == ["at 1", "Home"])
    screen.press("Home")
    screen.press("All")
    #expect(screen.texts == ["at 3", "Home"])
    screen.back()
    #expect(screen.texts == ["at 2", "Home"])
    screen.press("Home")
    #expect(screen.texts == ["Start", "1", "All"])
  }

  @Test func `an undo manager redoes what it has undone`() {
    let model = Model()
    let manager = UndoManager()
    @MainActor func set(_ title: String) {
      let old = model.title
      manager.registerUndo(withTarget: model) { _ in set(old) }
      model.title = title
    }
    set("b")
    manager.undo()
    #expect(model.title == "a" && manager.canRedo && !manager.canUndo)
    manager.redo()
    #expect(model.title == "b" && manager.canUndo && !manager.canRedo)
  }

  @Test func `a list moves as SwiftUI documents it`() {
    var letters = ["a", "b", "c", "d"]
    letters.move(fromOffsets: [0], toOffset: 2)
    #expect(letters == ["b", "a", "c", "d"])
    letters.move(fromOffsets: [1, 3], toOffset: 0)
    #expect(letters == ["a", "d", "b", "c"])
    letters.remove(atOffsets: [0, 3])
    #expect(letters == ["d", "b"])
  }
}

// The views

private struct Counter: View {
  @State private var count = 0
  var body: some View {
    Text("\(count)")
    Button("Add") { count += 1 }
  }
}

private struct Parent: View {
  @State private var name = "Parent"
  var body: some View {
    VStack {
      Text(name)
      Counter()
      Button("Rename") { name = "Renamed" }
    }
  }
}

@MainActor @Observable private final class Switches {
  var isShown = true
  @ObservationIgnored var log: [String] = []
  @ObservationIgnored private let cancellations = AsyncStream<Void>.makeStream()

  /// Ends when the task of the view is cancelled.
  func run() async {
    let endless = AsyncStream<Void>.makeStream()
    for await _ in endless.stream {}
    cancellations.continuation.yield()
  }

  func cancelled() async {
    for await _ in cancellations.stream { return }
  }
}

private struct Switched: View {
  let switches: Switches
  var body: some View {
    if switches.isShown {
      Counter()
        .onAppear { switches.log.append("appear") }
        .onDisappear { switches.log.append("disappear") }
        .task { await switches.run() }
    } else {
      Text("nothing")
    }
  }
}

private struct Item: Identifiable, Equatable {
  let id: Int
  var text: String
}

@MainActor @Observable private final class Model {
  var title = "a"
  var unread = 0
  var items: [Item] = []
  @ObservationIgnored var log: [String] = []
}

private struct Title: View {
  let model: Model
  var body: some View { Text(model.title) }
}

private struct Row: View {
  let item: Item
  let model: Model
  var body: some View { Text(item.text) }
}

private struct Rows: View {
  let model: Model
  var body: some View {
    List {
      ForEach(model.items) { Row(item: $0, model: model) }
        .onMove { model.items.move(fromOffsets: $0, toOffset: $1) }
        .onDelete { model.items.remove(atOffsets: $0) }
    }
  }
}

private struct Controls: View {
  @State private var isOn = false
  @State private var text = ""
  @State private var size = 1
  @State private var count = 0
  var body: some View {
    Form {
      Toggle("On", isOn: $isOn)
      TextField("Text", text: $text)
      Picker("Size", selection: $size) {
        Text("small").tag(1)
        Text("large").tag(2)
      }
      Stepper("Count", value: $count, in: 0...2)
      Text("\(isOn) \(text) \(size) \(count)")
    }
  }
}

private struct Watcher: View {
  @Bindable var model: Model
  var body: some View {
    Text(model.title)
      .onChange(of: model.title) { old, new in model.log.append("\(old) to \(new)") }
      .onChange(of: model.title, initial: true) { model.log.append("first \(model.title)") }
  }
}

extension EnvironmentValues {
  fileprivate var theme: String {
    get { self[ThemeKey.self] }
    set { self[ThemeKey.self] = newValue }
  }
}

private enum ThemeKey: EnvironmentKey { static let defaultValue = "plain" }

private struct ThemeReader: View {
  @Environment(\.theme) private var theme
  var body: some View { Text(theme) }
}

private struct Between: View {
  var body: some View { ThemeReader() }
}

private struct Themed: View {
  @State private var theme = "light"
  var body: some View {
    ThemeReader()
    Between().environment(\.theme, theme)
    Button("Switch") { theme = "dark" }
  }
}

private struct Pages: View {
  var body: some View {
    NavigationStack {
      List {
        Counter()
        NavigationLink("One", value: 1)
        NavigationLink {
          Text("About this app")
        } label: {
          Text("About")
        }
      }
      .navigationTitle("Pages")
      .navigationDestination(for: Int.self) { page in
        Text("Page \(page)")
          .navigationTitle("\(page)")
        NavigationLink("Next", value: page + 1)
      }
    }
  }
}

private struct Tour: View {
  @State private var path: [Int] = []

  var body: some View {
    NavigationStack(path: $path) {
      VStack {
        Text("Start")
        NavigationLink("1", value: 1)
        Button("All") { path = [1, 2, 3] }
      }
      .navigationDestination(for: Int.self) { stop in
        Text("at \(stop)")
        Button("Home") { path = [] }
      }
    }
  }
}

private struct Alerting: View {
  @State private var count = 0
  @State private var isFailed = false
  var body: some View {
    Button("Fail") { fail() }
      .alert("Failed", isPresented: $isFailed, presenting: count) { _ in
        Button("Count") { count += 100 }
        Button("Cancel", role: .cancel) {}
      } message: {
        Text("because \($0)")
      }
  }

  private func fail() {
    count += 1
    isFailed = true
  }
}
