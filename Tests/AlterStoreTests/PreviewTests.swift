import Alter
import AlterTesting
import Testing

@Suite("A preview of an undo")
struct PreviewTests {
  private func open(_ journal: any Journal) async throws -> Store<Board> {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return try await Store.open(Board(), in: journal, options: options)
  }

  @Test("tells what the undo then takes back, and where it leads, without doing it", arguments: [true, false])
  func preview(isInMemory: Bool) async throws {
    let store = isInMemory ? Store(Board()) : try await open(MemoryJournal())
    try await store.change(.put("a", 1)).durable()
    try await store.change(.add("a", 2)).durable()
    let preview = try store.previewUndo()
    #expect(preview.state.values == ["a": 1])
    #expect(store.state.values == ["a": 3] && store.revision == 3)
    let undone = try await store.undo()
    #expect(preview.records.map(\.id) == undone.records.map(\.id))
    #expect(store.state == preview.state)

    let again = try store.previewRedo()
    #expect(again.state.values == ["a": 3])
    #expect(again.records.map(\.revision) == [3])
    let redone = try await store.redo()
    #expect(again.records.map(\.id) == redone.records.map(\.id) && store.state == again.state)
    await store.close()
  }

  @Test("knows what is not in the journal yet")
  func pending() async throws {
    let store = try await open(MemoryJournal())
    let commit = try store.change(.put("a", 1))
    #expect(try store.previewUndo().records.map(\.id) == [commit.id])
    await store.close()
  }

  @Test("is refused as the undo would be")
  func refused() async throws {
    let journal = MemoryJournal()
    let store = try await open(journal)
    #expect(throws: UndoError.nothingToUndo) { try store.previewUndo() }
    #expect(throws: UndoError.nothingToRedo) { try store.previewRedo() }
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.scope = "somebody"
    let other = try await Store.open(Board(), in: journal, options: options)
    try await other.change(.put("a", 1)).durable()
    await other.close()
    let late = try await open(journal)
    try await late.change(.add("a", 1)).durable()
    let again = try await Store.open(Board(), in: journal, options: options)
    #expect(throws: UndoError.wouldSuppress([3])) { try again.previewUndo() }
    await again.close()
    #expect(throws: UndoError.closed) { try again.previewUndo() }
    await late.close()
    await store.close()
  }
}
