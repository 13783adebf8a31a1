import AlterCore
package import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The most recently requested states, at most 8.
struct StateCache: Sendable {
  private var kept: [(revision: Int64, value: JSONValue, size: Int)] = []

  /// The maximum total size of their JSON, in bytes. One state is always kept, even if it is larger.
  private static let limit = 16 << 20

  mutating func find(_ revision: Int64) -> JSONValue? {
    guard let index = kept.firstIndex(where: { $0.revision == revision }) else { return nil }
    let found = kept.remove(at: index)
    kept.append(found)
    return found.value
  }

  mutating func keep(_ value: JSONValue, at revision: Int64, size: Int) {
    kept.removeAll { $0.revision == revision }
    kept.append((revision, value, size))
    while kept.count > 1, kept.count > 8 || kept.reduce(0, { $0 + $1.size }) > Self.limit { kept.removeFirst() }
  }
}

// The states.
extension Inspection {
  /// A state of the journal, or the nearest known one.
  struct KnownState {
    /// The revision of the state.
    var at: Int64
    /// Whether that is the requested revision.
    var isExact: Bool
    /// The state without hidden values.
    var value: JSONValue
  }

  /// Returns a part of the state at a revision.
  ///
  /// - Parameters:
  ///   - revision: The revision, from 1 or from the floor to the head; nil for the head.
  ///   - path: The part, as a JSON Pointer; '' for the whole state.
  ///   - offset: The index of the first returned child.
  ///   - limit: The maximum number of returned children, at most 1000.
  /// - Throws: `JournalError`; ``InspectionError`` `notFound` if there is no value at the path.
  package func state(at revision: Int64? = nil, path: String = "", offset: Int = 0, limit: Int = 200) async throws -> StateAnswer {
    let (asked, known) = try await knownState(at: revision)
    guard let node = StateTree(root: known.value).node(at: path, offset: offset, limit: max(0, min(limit, 1_000))) else {
      let problem =
        StateTree.steps(of: path) == nil
        ? "The path is not a JSON Pointer: begin it with '/'." : "Show the part that encloses it for the paths that exist."
      throw InspectionError(.notFound, "The state at revision \(known.at) has nothing at '\(path)'. \(problem)")
    }
    return StateAnswer(at: known.at, asked: asked, exact: known.isExact, node: node)
  }

  /// Returns the whole state at a revision, without hidden values.
  ///
  /// - Parameter revision: The revision, from 1 to the head; nil for the head.
  /// - Returns: The state, its revision, and whether that is the requested revision.
  /// - Throws: `JournalError` if the journal cannot be read.
  package func wholeState(at revision: Int64? = nil) async throws -> (value: JSONValue, at: Int64, isExact: Bool) {
    let known = try await knownState(at: revision).known
    return (known.value, known.at, known.isExact)
  }

  /// Searches the keys and values of a state for a text, without case, for at most about a second.
  ///
  /// - Parameters:
  ///   - revision: The revision, from 1 to the head; nil for the head.
  ///   - text: The text.
  ///   - limit: The maximum number of places to find.
  /// - Throws: `JournalError` if the journal cannot be read.
  package func searchState(at revision: Int64? = nil, for text: String, limit: Int = 100) async throws -> StateFound {
    let known = try await knownState(at: revision).known
    let deadline = ContinuousClock.now + .seconds(1)
    let (found, isComplete) = StateTree(root: known.value).search(text, limit: limit) { ContinuousClock.now > deadline || Task.isCancelled }
    return StateFound(at: known.at, exact: known.isExact, found: found, isComplete: isComplete)
  }

  /// Compares two states.
  ///
  /// - Parameters:
  ///   - from: The revision of the older state.
  ///   - to: The revision of the newer state; nil for the head.
  ///   - limit: The maximum number of differences.
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(n) for states of size n, and O(n log n) for arrays whose elements have ids.
  package func difference(from: Int64, to: Int64? = nil, limit: Int = 500) async throws -> DifferenceAnswer {
    let old = try await knownState(at: from).known
    let new = try await knownState(at: to).known
    let comparison = StateComparison(old.value, new.value, limit: limit)
    return DifferenceAnswer(
      from: old.at, to: new.at, exact: old.isExact && new.isExact, differences: comparison.differences, isComplete: comparison.isComplete)
  }

  private func knownState(at revision: Int64?) async throws -> (asked: Int64, known: KnownState) {
    let head = try await keeper.start().revision
    let asked = revision ?? head.number
    guard asked >= 1, asked <= head.number else { throw JournalError.noSuchRevision(journal.name, Revision(asked), head: head) }
    // Time travel ends at the floor: the state there is kept, and no earlier one.
    let floor = Revision(keeper.floor)
    if Revision(asked) < floor { throw JournalError.belowFloor(journal.name, at: Revision(asked), floor: floor) }
    guard let types else { return (asked, try await nearest(before: asked)) }
    if let value = states.withLock({ $0.find(asked) }) { return (asked, KnownState(at: asked, isExact: true, value: value)) }
    let (value, size) = try await types.state(Revision(asked))
    let shown = hiding.apply(to: value)
    states.withLock { $0.keep(shown, at: asked, size: size) }
    return (asked, KnownState(at: asked, isExact: true, value: shown))
  }

  /// Without types, the inspection knows only the states that the journal itself holds. Returns the nearest of those.
  private func nearest(before asked: Int64) async throws -> KnownState {
    let floor = keeper.floor
    var kept = try await nearestSnapshot(before: asked, above: floor)
    // A reset after the snapshot is nearer: the index must have read all entries in between.
    try await keeper.cover((kept?.base.revision.number ?? floor) + 1)
    var best = kept?.base.revision.number ?? (floor > 0 ? 0 : 1)
    if let reset = try await keeper.look({ index in index.states.last { $0 <= asked } }), reset > best { (best, kept) = (reset, nil) }
    if best == 0 {
      guard let snapshot = try await journal.snapshot(at: Revision(floor)) else {
        throw JournalError.damaged(journal.name, at: Revision(floor), "the state at its floor is missing")
      }
      (best, kept) = (floor, snapshot)
    }
    if let kept {
      var isExact = best == asked
      if isExact, kept.base != kept.head { isExact = try await !hasUndo(best.saturatingAdding(1), through: kept.head.revision.number) }
      return KnownState(at: best, isExact: isExact, value: hiding.apply(to: try parsed(kept.payload, at: best)))
    }
    guard let entry = try await journal.entries(after: Revision(best - 1), limit: 1).first, entry.kind == .initial || entry.kind == .reset
    else { throw JournalError.damaged(journal.name, at: Revision(best), "the entry should contain a whole state") }
    return KnownState(at: best, isExact: best == asked, value: hiding.apply(to: try parsed(entry.payload, at: best)))
  }

  /// The payload of a snapshot is the state at its base, with the undos up to its head applied.
  private func nearestSnapshot(before asked: Int64, above floor: Int64) async throws -> Snapshot? {
    var newest = try await keeper.start().revision
    while newest > .zero {
      let places = try await journal.snapshots(upTo: newest, limit: 64)
      for place in places where place.base.number <= asked && place.base.number > floor {
        if let snapshot = try? await journal.snapshot(at: place.revision), snapshot.isSound { return snapshot }
      }
      guard let oldest = places.last else { break }
      newest = oldest.revision.previous
    }
    return nil
  }

  private func parsed(_ payload: Data, at revision: Int64) throws -> JSONValue {
    do { return try JSONValue(parsing: payload) } catch {
      throw JournalError.damaged(journal.name, at: Revision(revision), "the stored state is not JSON")
    }
  }

  private func hasUndo(_ first: Int64, through last: Int64) async throws -> Bool {
    var found = false
    try await journal.eachPage(first, through: last) { page in
      found = found || page.entries.contains { $0.kind == .undo || $0.kind == .redo }
    }
    return found
  }
}
