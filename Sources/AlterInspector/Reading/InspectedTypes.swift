import AlterCore
import AlterJournal
import AlterStore

/// What an app's own types add to what can be told of a journal: closures over its state's type.
struct InspectedTypes: Sendable {
  /// The state's type.
  let name: String
  /// The conditions that can be bisected by, in order.
  let conditions: [String]
  /// The state at a revision, and how many bytes its JSON has.
  let state: @Sendable (Revision) async throws -> (value: JSONValue, size: Int)
  /// The entries that the state refuses; see `JournalFold`.
  let suppressed: @Sendable () async throws -> Suppressed?
  /// Where a condition turned, by halving or by looking at every entry; and what it is at the start of the range.
  let bisect: @Sendable (_ condition: String, ClosedRange<Revision>, _ scan: Bool) async throws -> (turned: Revision?, was: Bool)
  /// Checks everything.
  let verify: @Sendable () async throws -> Head

  init<State: Journaled>(
    _ type: State.Type, in journal: any Journal, store: Store<State>?, conditions: [String: @Sendable (State) -> Bool]
  ) {
    name = "\(State.self)"
    self.conditions = conditions.keys.sorted()
    state = { revision in
      let state: State
      if let store { state = try await store.state(at: revision) } else { state = try await Store<State>.state(at: revision, in: journal) }
      let json = try JournalCoding.encode(state)
      return (try JSONValue(parsing: json), json.count)
    }
    let fold = JournalFold<State>(journal)
    suppressed = { try await fold.suppressed() }
    bisect = { name, range, scan in
      guard let condition = conditions[name] else { return (nil, false) }
      let was = condition(try await Store<State>.state(at: range.lowerBound, in: journal))
      let turned =
        scan
        ? try await Store<State>.scan(in: range, of: journal, where: condition)
        : try await Store<State>.bisect(in: range, of: journal, where: condition)
      return (turned, was)
    }
    verify = { try await Store<State>.verify(journal) }
  }
}
