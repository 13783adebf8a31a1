import Alter
import AlterSQLite
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!

@Suite("The app beside other processes") struct OtherProcessTests {
  @Test("shows an item that a command adds in another process, and the command finds the app's") func command() async throws {
    let sandbox = try Sandbox()
    let app = try await Store.open(AppState(), in: .file(sandbox.store))
    try await app.change(.add(.item(TodoItem(id: id(1), text: "Pay rent")))).durable()
    let outcome = try sandbox.todo("add", "Call mum")
    #expect(outcome.status == 0, "\(outcome)")
    // Each screen of the app follows its value in this way.
    for await screen in app.values(of: { ListScreen($0, today: today) }) where screen.rows.map(\.text) == ["Pay rent", "Call mum"] { break }
    let completed = try sandbox.todo("done", "1")
    #expect(completed.status == 0, "\(completed)")
    for await screen in app.values(of: { ListScreen($0, today: today) }) where screen.title == "1 to do" { break }
    #expect(app.state.items[id: id(1)]?.completed == true)
    await app.close()
  }
}
