public import AlterCore
public import AlterJournal

// Queries of a journal's history. They change nothing and perform no effects.
extension Store {
  /// Returns the confirmed entries of a range of revisions.
  ///
  /// - Parameter range: Revisions from 1 to ``revision``.
  /// - Returns: The entries in order. A revision of a synced journal has none if the server has refused the change there.
  /// - Throws: ``/AlterJournal/JournalError`` `noSuchRevision` if the range reaches beyond the head; `damaged` names the entry. A store in
  ///   memory keeps only the entries of its undo window, and throws `noSuchRevision` for older ones.
  /// - Complexity: O(entries in the range).
  public func entries(in range: ClosedRange<Revision>) async throws(JournalError) -> [Record<State>] {
    if let backend { return try await backend.entries(in: range) }
    let history = core.withLock { $0.replica.history }
    let first = history.base == 1 ? 1 : history.base.next
    if let upstream, range.lowerBound > .zero, range.lowerBound < first, range.upperBound <= history.revision {
      return try await upstream.entries(in: range)
    }
    for bound in [range.lowerBound, range.upperBound] where bound < first || bound > history.revision {
      throw .notKept(journalName, bound, "the entries", first, history.revision)
    }
    // The first entry is shown as the state there, which a floor at 1 is.
    if isSynced { try await checkFloor(at: max(range.lowerBound.previous, 1)) }
    var records = Array(
      history.records[history.records.place(after: range.lowerBound.previous)..<history.records.place(after: range.upperBound)])
    if range.contains(1), let initial = history.state(at: 1) {
      let id = EntryID(origin: .none, sequence: 0)
      records.insert(Record(revision: 1, id: id, time: 0, kind: .initial(initial)), at: 0)
    }
    return records
  }

  /// Finds a revision at which a condition changed, from false to true or from true to false.
  ///
  /// ```swift
  /// let broken = try await store.bisect(in: 1...store.revision) { $0.items.contains { $0.due < $0.created } }
  /// ```
  ///
  /// If it changed more than once, the result is one of these revisions; ``scan(in:where:)`` finds the first.
  ///
  /// - Parameters:
  ///   - range: The revisions to search.
  ///   - condition: A pure function of the state.
  /// - Returns: A revision at which the condition has another value than at the revision before; nil if it has the same value at both ends
  ///   of the range.
  /// - Throws: ``/AlterJournal/JournalError``, as ``state(at:)`` does.
  /// - Complexity: O(log(length of the range)) states; each costs the nearest snapshot and the entries from there.
  public func bisect(in range: ClosedRange<Revision>, where condition: (State) -> Bool) async throws(JournalError) -> Revision? {
    try await AlterStore.bisect(range, condition) { revision async throws(JournalError) in try await state(at: revision) }
  }

  /// Finds the first revision at which a condition differs from its value at the start of the range.
  ///
  /// - Parameters:
  ///   - range: The revisions to search.
  ///   - condition: A pure function of the state.
  /// - Returns: The first revision at which the condition differs from its value at the start of the range; nil if there is none.
  /// - Throws: ``/AlterJournal/JournalError``, as ``state(at:)`` does.
  /// - Complexity: O(the nearest snapshot + entries in the range). In memory, O(length of the range × entries in the undo window).
  public func scan(in range: ClosedRange<Revision>, where condition: (State) -> Bool) async throws(JournalError) -> Revision? {
    if let backend { return try await backend.scan(range, condition, refused: options.refusedAtReplay) }
    let first = condition(try await state(at: range.lowerBound))
    var revision = range.lowerBound
    while revision < range.upperBound {
      revision = revision.next
      if condition(try await state(at: revision)) != first { return revision }
    }
    return nil
  }
}

extension Store where State: Journaled {
  /// Returns the entries of a range of revisions of a journal, without opening a store on it. Nothing is written.
  ///
  /// - Parameters:
  ///   - range: Revisions from 1 to the journal's head.
  ///   - journal: The journal to read.
  /// - Throws: ``/AlterJournal/JournalError``, as ``entries(in:)-(ClosedRange<Revision>)`` does.
  public static func entries(in range: ClosedRange<Revision>, of journal: any Journal) async throws(JournalError) -> [Record<State>] {
    try await Backend<State>(journal: journal, coding: .json).entries(in: range)
  }

  /// Finds a revision of a journal at which a condition changed, without opening a store on it.
  ///
  /// - Parameters:
  ///   - range: The revisions to search.
  ///   - journal: The journal to read.
  ///   - refused: The treatment of an entry that this version of the app refuses.
  ///   - condition: A pure function of the state.
  /// - Returns: A revision at which the condition has another value than at the revision before; nil if it has the same value at both ends.
  /// - Throws: ``/AlterJournal/JournalError``.
  /// - Complexity: O(log(length of the range)) states.
  @inlinable
  public static func bisect(
    in range: ClosedRange<Revision>, of journal: any Journal, refusedAtReplay refused: RefusedAtReplay = .fail,
    where condition: (State) -> Bool
  ) async throws(JournalError) -> Revision? {
    try await bisect(in: range, of: journal, refusedAtReplay: refused, folding: FoldLoop(), where: condition)
  }

  @usableFromInline
  static func bisect(
    in range: ClosedRange<Revision>, of journal: any Journal, refusedAtReplay refused: RefusedAtReplay, folding loop: FoldLoop<State>,
    where condition: (State) -> Bool
  ) async throws(JournalError) -> Revision? {
    let backend = Backend<State>(journal: journal, coding: .json(by: loop))
    return try await AlterStore.bisect(range, condition) { revision async throws(JournalError) in
      try await backend.state(at: revision, refused: refused)
    }
  }

  /// Finds the first revision of a journal at which a condition differs from its value at the start of the range, without opening a store
  /// on it.
  ///
  /// - Parameters:
  ///   - range: The revisions to search.
  ///   - journal: The journal to read.
  ///   - refused: The treatment of an entry that this version of the app refuses, at the start of the range. Later ones are skipped.
  ///   - condition: A pure function of the state.
  /// - Returns: The first revision at which the condition differs from its value at the start of the range; nil if there is none.
  /// - Throws: ``/AlterJournal/JournalError``.
  /// - Complexity: O(the nearest snapshot + entries in the range).
  @inlinable
  public static func scan(
    in range: ClosedRange<Revision>, of journal: any Journal, refusedAtReplay refused: RefusedAtReplay = .fail,
    where condition: (State) -> Bool
  ) async throws(JournalError) -> Revision? {
    try await scan(in: range, of: journal, refusedAtReplay: refused, folding: FoldLoop(), where: condition)
  }

  @usableFromInline
  static func scan(
    in range: ClosedRange<Revision>, of journal: any Journal, refusedAtReplay refused: RefusedAtReplay, folding loop: FoldLoop<State>,
    where condition: (State) -> Bool
  ) async throws(JournalError) -> Revision? {
    try await Backend<State>(journal: journal, coding: .json(by: loop)).scan(range, condition, refused: refused)
  }
}

/// Halves the range until its ends are neighbours between which the condition differs.
private func bisect<State>(
  _ range: ClosedRange<Revision>, _ condition: (State) -> Bool, _ state: (Revision) async throws(JournalError) -> State
) async throws(JournalError) -> Revision? {
  var (low, high) = (range.lowerBound, range.upperBound)
  let first = condition(try await state(low))
  guard condition(try await state(high)) != first else { return nil }
  while high - low > 1 {
    let middle = low + (high - low) / 2
    if condition(try await state(middle)) == first { low = middle } else { high = middle }
  }
  return high
}

extension Backend {
  func entries(in range: ClosedRange<Revision>) async throws(JournalError) -> [Record<State>] {
    var records: [Record<State>] = []
    let start = try await head(before: range)
    try await journal.readVerified(after: start, through: range.upperBound) { entry throws(JournalError) in
      if let record = try coding.record(entry, journal.name) { records.append(record) }
    }
    return records
  }

  /// The head before a range; nil at the journal's beginning.
  private func head(before range: ClosedRange<Revision>) async throws(JournalError) -> Head? {
    let end = try await journal.head()
    for bound in [range.lowerBound, range.upperBound] where bound < 1 || bound > end.revision {
      throw .noSuchRevision(journal.name, bound, head: end.revision)
    }
    let before = range.lowerBound.previous
    guard before > .zero else { return nil }
    guard let head = try await journal.head(at: before, of: end.journal) else {
      throw .damaged(journal.name, at: before, "the entry is missing")
    }
    return head
  }

  func scan(
    _ range: ClosedRange<Revision>, _ condition: (State) -> Bool, refused: RefusedAtReplay
  ) async throws(JournalError) -> Revision? {
    let end = try await journal.head().revision
    for bound in [range.lowerBound, range.upperBound] where bound < 1 || bound > end {
      throw .noSuchRevision(journal.name, bound, head: end)
    }
    let window = StoreOptions().undoWindow
    var folded = try await fold(FoldRequest(last: range.lowerBound, window: window, refused: refused))
    let first = condition(folded.history.state)
    var isFound = false
    func isOther(_ state: State) -> Bool {
      isFound = condition(state) != first
      return isFound
    }
    reading: while folded.head.revision < range.upperBound {
      folded.history.fast.end = range.upperBound
      var upcoming = await stretch(read(after: folded.head, through: range.upperBound), through: range.upperBound)
      while let stretch = try upcoming?.get() {
        async let following = self.stretch(stretch.next, through: range.upperBound)
        await Task.yield()
        for part in stretch.records {
          var rest = part[...]
          while !rest.isEmpty {
            rest = rest[coding.loop.scan(&folded.history, rest, isOther)...]
            if isFound { return folded.history.revision }
            guard let record = rest.popFirst() else { break }
            var isBeyond = false
            switch try await append(record, to: &folded.history) {
            case .applied: break
            // A later entry may undo it. Opening and `verify` report refused entries.
            case .suppressed: break
            case .reachesBeyond:
              folded = try await fold(FoldRequest(last: record.revision, window: window, refused: refused))
              isBeyond = true
            }
            if isOther(folded.history.state) { return record.revision }
            // The journal was folded again up to this revision: read on from here.
            if isBeyond { continue reading }
          }
        }
        folded.head = stretch.head
        folded.history.skip(to: stretch.head.revision)
        upcoming = await following
      }
    }
    return nil
  }
}
