import Alter
import AlterSQLite
import AlterTesting
import Foundation
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!

/// A state whose journal only a newer version of the app can read.
private struct NewerState: Journaled, Hashable, Codable {
  enum Change: Hashable, Codable { case fly }
  static let schema = StateSchema(version: 2)
  private(set) var flights = 0
  mutating func apply(_ change: Change, at stamp: Stamp) { flights += 1 }
}

@Suite("The widget and the commands, beside other processes") struct OtherProcessTests {
  private let list: ListFile
  private var commands: ListCommands { ListCommands(at: list.place, reading: list.readingPlace, today: { today }) }

  init() throws { list = try ListFile() }

  private func widget() async -> WidgetScreen { await WidgetScreen.read(list.readingPlace, today: today) }

  @Test("A widget without a file asks to open the app, makes no file, and shows the list once it is there") func missing() async throws {
    let before = await widget()
    #expect(before.advice == "Open the app to see your list." && before.mayRecover && before.rows.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: list.path))
    try await list.write(["One"])
    #expect(await widget().rows.map(\.text) == ["One"])
  }

  @Test("A list of a newer version asks to update the app, and stays as it is") func newer() async throws {
    let newer = try await Store.open(NewerState(), in: list.place)
    try await newer.change(.fly).durable()
    await newer.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: list.path))
    let widget = await widget()
    #expect(widget.advice == "Update the app to see your list." && !widget.mayRecover)
    await expectText("A newer version of this app has saved the list. Update this app.") { _ = try await commands.add("One") }
    #expect(try Data(contentsOf: URL(fileURLWithPath: list.path)) == before)
  }

  @Test("A file that is not a list is reported, and stays as it is") func notAList() async throws {
    let bytes = Data("not a list, but some other text that is longer than a header of a database".utf8)
    try bytes.write(to: URL(fileURLWithPath: list.path))
    let widget = await widget()
    #expect(widget.advice != nil && !widget.mayRecover)
    await expectText("The file of the list is damaged. Restore it from a backup. The app has not changed it.") {
      try await commands.add("One")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: list.path)) == bytes)
  }

  @Test("A widget reads a list that another process is writing; a command gives up, and its change is not made later") func locked()
    async throws
  {
    try await list.write(["One"])
    // Handles of another durability share nothing, as in another process.
    let holder = try await SQLiteJournal(at: list.path, durability: .relaxed)
    let turn = try await holder.takeTurn()
    #expect(await widget().rows.map(\.text) == ["One"])
    let hasty = JournalPlace { [path = list.path] () async throws(JournalError) in
      try await SQLiteJournal(at: path, lockTimeout: .milliseconds(1))
    }
    let commands = ListCommands(at: hasty, reading: list.readingPlace, patience: .milliseconds(1), today: { today })
    await expectText("Another app is using the list. Close it, and try again.") { _ = try await commands.add("Two") }
    await expectText("Another app is using the list. Close it, and try again.") { try await commands.complete(id(1)) }
    #expect(try await commands.open().map(\.text) == ["One"])
    turn.end()
    await holder.close()
    #expect(try await list.state().items.map(\.text) == ["One"])
    #expect(try await list.state().items.map(\.completed) == [false])
  }

  @Test("A command whose change can't be written in time says so, and the change is not made later") func outage() async throws {
    try await list.write(["One"])
    let commands = commands(failing: Array(repeating: .fail(unavailable), count: 10_000))
    // A retry that is in progress at the deadline makes the outcome unknown.
    await #expect(throws: ListCommands.Problem.self) { try await commands.add("Two") }
    await #expect(throws: ListCommands.Problem.self) { try await commands.complete(id(1)) }
    #expect(try await list.state().items.map(\.text) == ["One"])
    #expect(try await list.state().items.map(\.completed) == [false])
  }

  @Test("A command whose answer was lost never says that the change was not made") func lostAnswer() async throws {
    try await list.write(["One"])
    let commands = commands(failing: [.loseAnswer] + Array(repeating: .fail(unavailable), count: 10_000))
    // A retry may learn the outcome in time.
    do { try await commands.add("Two") } catch { #expect(error as? ListCommands.Problem == .unknown) }
    #expect(try await list.state().items.map(\.text) == ["One", "Two"])
  }

  private let unavailable = JournalError(.unavailable, journal: "todo", message: "is not there at the moment.")

  private func commands(failing appends: [SimulatedJournal.Fault]) -> ListCommands {
    let place = JournalPlace { [path = list.path] () async throws(JournalError) in
      SimulatedJournal(try await SQLiteJournal(at: path), appends: appends)
    }
    return ListCommands(at: place, reading: list.readingPlace, patience: .milliseconds(1), today: { today })
  }

  @Test("The choice of an item before the first start of the app is empty, and creates no list") func noListYet() async throws {
    #expect(try await commands.open().isEmpty)
    #expect(try await commands.items([id(1)]).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: list.path))
    try await commands.add("One")
    #expect(try await commands.open().map(\.text) == ["One"])
  }

  @Test("The app shows the changes of commands, and a command works on the app's") func besideTheApp() async throws {
    let app = try await Store.open(AppState(), in: list.place)
    try await app.change(.add(.item(TodoItem(id: id(1), text: "One")))).durable()
    let added = try await commands.add("Two")
    try await commands.complete(id(1))
    for await items in app.values(of: \.items) where items.count == 2 && items.first?.completed == true { break }
    #expect(app.state.items.map(\.text) == ["One", "Two"])
    try await app.change(.remove(.item(added.id))).durable()
    await expectText("The list does not contain this item any more.") { try await commands.complete(added.id) }
    #expect(try await commands.items([added.id, id(1)]).map(\.id) == [id(1)])
    await app.close()
  }

  @Test("Two processes move items at once: both moves count, and a removed item returns to its place by an undo") func moves() async throws
  {
    try await list.write(["A", "B", "C", "D"])
    let (one, other) = (try await Store.open(AppState(), in: list.place), try await Store.open(AppState(), in: list.place))
    async let first: Void = one.change(one.state.changes(moving: id(1), to: .last)).durable()
    async let second: Void = other.change(other.state.changes(moving: id(3), to: .first)).durable()
    _ = try await (first, second)
    let texts = try await list.state().items.map(\.text)
    #expect(texts == ["C", "B", "D", "A"])
    for store in [one, other] { for await items in store.values(of: \.items) where items.map(\.text) == texts { break } }
    try await one.change(.remove(.item(id(4)))).durable()
    _ = try await one.undo()
    #expect(one.state.items.map(\.text) == texts)
    for store in [one, other] { await store.close() }
  }

  @Test("Errors have a text without ids and names of files") func texts() {
    #expect(text(of: ChangeError<Refusal>.refused(.missing("note", id(1)))) == "The list does not contain this note any more.")
    #expect(text(of: CommitError<Refusal>.dropped(.missing("item", id(1)))) == "The list does not contain this item any more.")
    #expect(text(of: Refusal.custom("No.")) == "No.")
    #expect(text(of: ItemText.Problem.empty) == "Type a text.")
    #expect(text(of: UndoError.nothingToUndo) == "There is nothing to undo.")
    for code in JournalError.Code.allCases {
      let error = JournalError(code, journal: "todo", message: "has a problem at /secret.")
      let texts = [
        text(of: error), text(of: ChangeError<Refusal>.failed(error)), text(of: CommitError<Refusal>.failed(error)),
        text(of: UndoError.failed(error)),
      ]
      #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("/secret") && !$0.contains("todo") })
      let statuses = [text(of: StoreStatus.failed(error)), text(of: StoreStatus.waiting(StoreWait(reason: error, since: 0)))]
      #expect(statuses.allSatisfy { $0?.contains("saved") == true && $0?.contains("/secret") == false })
      #expect(text(of: StoreProblem.failed(error)) == nil)
    }
    let full = JournalError(.full, journal: "/secret/todo.alter", message: "is full.")
    #expect(
      text(of: StoreStatus.waiting(StoreWait(reason: full, since: 0)))
        == "Your changes are not saved yet. The disk is full. Delete something, and try again.")
    #expect(text(of: StoreStatus.failed(full)) == "Changes are no longer saved. The disk is full. Delete something, and try again.")
    #expect(text(of: StoreStatus.open) == nil)
    #expect(text(of: StoreStatus.closed) == "The list is closed. Open the app again.")
  }

  private func expectText(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("no error", sourceLocation: sourceLocation)
    } catch {
      #expect(text(of: error) == expected, "\(error)", sourceLocation: sourceLocation)
    }
  }
}
