import AlterJournal

extension Record where State: Journaled {
  /// Describes the record in one line, in the stored form's names: `.card(id: 1, change: .isDone(true))` for the change `.card(1, .isDone(true))`, or
  /// 'undo of 8b1d2c60#1' with the ids of the reverted records.
  ///
  /// ```swift
  /// for record in try await store.entries(in: 1...store.revision) { print(record.revision, record.summary()) }
  /// ```
  ///
  /// The text is for people: the inspector shows the same one for changes that no migration has upgraded. It may change between versions, so do not parse it. It contains
  /// stored values, with the characters escaped that would act on a terminal.
  ///
  /// - Parameter limit: The length in UTF-8 bytes after which the description of changes and states is truncated with '…'; 200 by default, at least 0.
  /// - Complexity: O(size of the record).
  public func summary(limit: Int = 200) -> String {
    func json(_ value: some Encodable) -> JSONValue? { (try? JournalCoding.encode(value)).flatMap { try? JSONValue(parsing: $0) } }
    func text(_ state: State) -> String { json(state).map { ChangeText.value($0, limit: limit) } ?? "(not encodable)" }
    func list(_ ids: [EntryID]) -> String { ids.map(\.description).joined(separator: ", ") }
    switch kind {
    case .initial(let state): return "initial \(text(state))"
    case .reset(let state): return "reset \(text(state))"
    case .changes(let changes) where changes.isEmpty: return "(no changes: a migration may have dropped them)"
    case .changes(let changes): return json(changes).map { ChangeText.changes($0, of: changes, limit: limit) } ?? "(not encodable)"
    case .undo(let targets): return "undo of \(list(targets))"
    case .redo(let targets): return "redo of \(list(targets))"
    }
  }
}
