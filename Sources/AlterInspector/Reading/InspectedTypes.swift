import AlterCore
import AlterJournal
import AlterStore

/// The operations that need an app's own types, as closures over the type of its state.
struct InspectedTypes: Sendable {
  /// The name of the state's type.
  let name: String
  /// The names of the conditions for bisecting, sorted.
  let conditions: [String]
  /// Returns the state at a revision, and the size of its JSON in bytes.
  let state: @Sendable (Revision) async throws -> (value: JSONValue, size: Int)
  /// Returns the entries that the state refuses; see `JournalFold`.
  let suppressed: @Sendable () async throws -> Suppressed?
  /// Returns the revision at which a condition changes, by halving or by checking every entry, and its value at the start of the range.
  let bisect: @Sendable (_ condition: String, ClosedRange<Revision>, _ scan: Bool) async throws -> (turned: Revision?, was: Bool)
  /// Verifies the journal, its entries as changes of the state, and its snapshots.
  let verify: @Sendable () async throws(JournalError) -> Head
  /// Returns the reason for which the types can't read an entry; nil if they can.
  let entryProblem: @Sendable (Entry) -> String?
  /// Returns the reason for which the types can't read a snapshot that this build would use, or the state at the floor; nil if they can.
  let snapshotProblem: @Sendable (Snapshot) -> String?

  /// Returns the decoded changes of an entry or a draft for its text; empty if they cannot be decoded, or are too large for that.
  let changes: @Sendable (Entry.Draft) -> [Any]

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
      func holds(at revision: Revision) async throws -> Bool { condition(try await Store<State>.state(at: revision, in: journal)) }
      let was = try await holds(at: range.lowerBound)
      guard scan else { return (try await Store<State>.bisect(in: range, of: journal, where: condition), was) }
      // A scan reads the entry before its range. Those up to the floor are not there: their states are compared one by one.
      var first = range.lowerBound
      if let floor = try await journal.floor()?.revision {
        while first <= floor.next, first < range.upperBound {
          first = first.next
          if try await holds(at: first) != was { return (first, was) }
        }
        if first <= floor.next { return (nil, was) }
      }
      return (try await Store<State>.scan(in: first...range.upperBound, of: journal, where: condition), was)
    }
    changes = { entry in
      // An entry of another schema may decode as another change. The models' own migrations keep its meaning.
      let schema = State.schema
      let isPresent = entry.schema <= schema.version && schema.readsAsIs(entry.schema)
      guard entry.kind == .changes, isPresent, entry.payload.count <= 1 << 16 else { return [] }
      return (try? JournalCoding.decode([State.Change].self, from: entry.payload, schema: entry.schema, current: schema.version)) ?? []
    }
    verify = { () async throws(JournalError) in try await Store<State>.verify(journal) }
    (entryProblem, snapshotProblem) = Store<State>.readingProblems(in: journal.name)
  }
}
