import AlterCore
package import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The states that were asked for last.
struct StateCache: Sendable {
  private var kept: [(revision: Int64, value: JSONValue, size: Int)] = []

  /// All of them together have no more bytes of JSON; one is always kept.
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
  /// A state, as far as it is known.
  struct KnownState {
    /// Whose it is.
    var at: Int64
    /// Whether that is the revision asked for.
    var isExact: Bool
    /// It, with what is in it hidden.
    var value: JSONValue
  }

  /// A part of the state at a revision.
  ///
  /// - Parameters:
  ///   - revision: 1 to the journal's end; nil for the end.
  ///   - path: Which part: a JSON Pointer, "" for all.
  ///   - offset: The first value in it that is told.
  ///   - limit: How many values in it are told at most.
  /// - Throws: `JournalError`; ``InspectionError`` `notFound` when there is nothing at that path.
  package func state(at revision: Int64? = nil, path: String = "", offset: Int = 0, limit: Int = 200) async throws -> StateAnswer {
    let (asked, known) = try await knownState(at: revision)
    guard let node = StateTree(root: known.value).node(at: path, offset: offset, limit: max(0, min(limit, 1_000))) else {
      let problem =
        StateTree.steps(of: path) == nil ? "It is no JSON Pointer: begin it with '/'." : "Look at the state above it for what there is."
      throw InspectionError(.notFound, "The state at revision \(known.at) has nothing at '\(path)'. \(problem)")
    }
    return StateAnswer(at: known.at, asked: asked, exact: known.isExact, node: node)
  }

  /// The whole state at a revision, with what is in it hidden.
  ///
  /// - Parameter revision: 1 to the journal's end; nil for the end.
  /// - Returns: The state, the revision that it is of, and whether that is the one asked for.
  /// - Throws: `JournalError`.
  package func wholeState(at revision: Int64? = nil) async throws -> (value: JSONValue, at: Int64, isExact: Bool) {
    let known = try await knownState(at: revision).known
    return (known.value, known.at, known.isExact)
  }

  /// Looks for a text in the keys and values of a state, ignoring case, for a bounded time.
  ///
  /// - Parameters:
  ///   - revision: 1 to the journal's end; nil for the end.
  ///   - text: What to look for.
  ///   - limit: How many places are enough.
  /// - Throws: `JournalError`.
  package func searchState(at revision: Int64? = nil, for text: String, limit: Int = 100) async throws -> StateFound {
    let known = try await knownState(at: revision).known
    let deadline = ContinuousClock.now + .seconds(1)
    let (found, isComplete) = StateTree(root: known.value).search(text, limit: limit) { ContinuousClock.now > deadline || Task.isCancelled }
    return StateFound(at: known.at, exact: known.isExact, found: found, isComplete: isComplete)
  }

  /// In what two states differ.
  ///
  /// - Parameters:
  ///   - from: The older one's revision.
  ///   - to: The newer one's; nil for the end.
  ///   - limit: How many differences are enough.
  /// - Throws: `JournalError`.
  /// - Complexity: O(size of the states).
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
    guard let types else { return (asked, try await nearest(before: asked)) }
    if let value = states.withLock({ $0.find(asked) }) { return (asked, KnownState(at: asked, isExact: true, value: value)) }
    let (value, size) = try await types.state(Revision(asked))
    let shown = hiding.apply(to: value)
    states.withLock { $0.keep(shown, at: asked, size: size) }
    return (asked, KnownState(at: asked, isExact: true, value: shown))
  }

  /// Without types a state is known where the journal holds one: the nearest of those.
  private func nearest(before asked: Int64) async throws -> KnownState {
    var best = try await keeper.look { index in
      index.states.last { $0 <= asked } ?? 1
    }
    var kept: Snapshot?
    // A snapshot stands at its base, by the undos up to its head.
    for place in try await journal.snapshots(upTo: Revision(asked) + 2_000, limit: 4)
    where place.base.number <= asked && place.base.number > best {
      guard let snapshot = try? await journal.snapshot(at: place.revision), snapshot.isSound else { continue }
      best = place.base.number
      kept = snapshot
      break
    }
    if let kept {
      var isExact = best == asked
      if isExact, kept.base != kept.head { isExact = try await !hasUndo(best.saturatingAdding(1), through: kept.head.revision.number) }
      return KnownState(at: best, isExact: isExact, value: hiding.apply(to: try parsed(kept.payload, at: best)))
    }
    guard let entry = try await journal.entries(after: Revision(best - 1), limit: 1).first, entry.kind == .initial || entry.kind == .reset
    else { throw JournalError.damaged(journal.name, at: Revision(best), "it should hold a whole state") }
    return KnownState(at: best, isExact: best == asked, value: hiding.apply(to: try parsed(entry.payload, at: best)))
  }

  private func parsed(_ payload: Data, at revision: Int64) throws -> JSONValue {
    do { return try JSONValue(parsing: payload) } catch {
      throw JournalError.damaged(journal.name, at: Revision(revision), "the state there is no JSON")
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
