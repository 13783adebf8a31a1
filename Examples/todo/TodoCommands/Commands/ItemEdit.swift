import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A command that changes items by their ids, all in one batch.
struct ItemEdit {
  /// The plan for one item.
  enum Plan {
    /// Leave it unchanged, for this reason.
    case leave(why: String)
    /// Make these changes, and print a message that begins as in `Done 1`.
    case make([AppState.Change], saying: String)
  }

  let location: StoreLocation
  let output: OutputOptions
  /// The command's name in JSON.
  let action: String

  /// Changes the items and reports them after the changes are on disk.
  ///
  /// The numbers refer to the list at the start of this command. They are converted to ids first, so that a concurrent change of another
  /// process can't shift them to other items.
  ///
  /// - Parameters:
  ///   - names: The names of the items.
  ///   - plan: The plan for an item, given its number and the list.
  func callAsFunction(_ names: [String], _ plan: (TodoItem, Int, AppState) throws -> Plan) async throws {
    let empty = CommandError(ItemName.Problem.noNumber(names.first ?? "", count: 0))
    try await Session.change(location, orThrow: empty) { store in
      let state = store.state
      var ids: [UUID] = []
      for name in names {
        let id = try ItemName.find(name, in: state)
        if !ids.contains(id) { ids.append(id) }
      }
      try await change(ids, in: store, at: state, plan)
    }
  }

  /// Changes the items with the given ids.
  func change(_ ids: [UUID], in store: Store<AppState>, at state: AppState, _ plan: (TodoItem, Int, AppState) throws -> Plan) async throws {
    var changes: [AppState.Change] = []
    var reports: [(id: UUID, isChanged: Bool, message: String)] = []
    for id in ids {
      guard let item = state.items[id: id], let place = state.items.index(of: id) else { continue }
      switch try plan(item, place + 1, state) {
      case .leave(let why): reports.append((id, false, "\(place + 1) \(why): \(item.text.printable)"))
      case .make(let more, let message):
        changes += more
        let text = store.state.items[id: id]?.text ?? item.text
        reports.append((id, true, "\(message): \(text.printable)"))
      }
    }
    let revision = changes.isEmpty ? nil : try await store.settle(store.change(changes))
    guard output.json else {
      // A message without a change has no verdict to wait for.
      return try Console.print(
        reports.map { $0.isChanged && revision == nil && !changes.isEmpty ? "\($0.message) (not yet confirmed)" : $0.message })
    }
    let today = Clock.today()
    let rows = [state, store.state].map { state in
      Dictionary(TodoList(state, today: today).rows.map { ($0.item.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
    try Console.printJSON(
      reports.compactMap { report in
        (rows[1][report.id] ?? rows[0][report.id]).map { ActionOutput(action, $0, revision: report.isChanged ? revision : nil) }
      })
  }
}
