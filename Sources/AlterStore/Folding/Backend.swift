import AlterCore
import AlterJournal

/// A journal and the coding of a state in it.
struct Backend<State: Alterable>: Sendable {
  let journal: any Journal
  let coding: RecordCoding<State>

  /// The result of folding a journal up to a revision.
  struct Folded: Sendable {
    /// The kept records and states.
    var history: History<State>
    /// The head after the last folded entry.
    var head: Head
    /// The refused records and the requested steps.
    var report = Replica<State>.Report()
    /// The newest snapshot that was used, and the count of entries and bytes since.
    var rule: SnapshotRule
    /// The snapshots that could not be used, as problems to report.
    var problems: [StoreProblem] = []
  }

  /// The parameters of a fold.
  struct FoldRequest: Sendable {
    /// The last revision to fold; nil for the present head.
    var last: Revision?
    /// The undo window: a number of entries.
    var window: Int
    /// The undo window if the fold starts at the journal's beginning and reads more entries than that: it has read the window anyway, and no
    /// snapshot would shorten a later reading.
    var windowFromBeginning = 0
    /// Whether only the state is needed, because no undo will follow.
    var isForReading = false
    /// Collect the steps after this revision; nil for none.
    var stepsAfter: Revision?
    /// Whether to remove snapshots that can never be used again. If false, nothing is written.
    var removesUseless = false
    /// The treatment of an entry that the state refuses although no undo explains it.
    var refused = RefusedAtReplay.fail
  }

  /// Folds the journal up to a revision, from the newest usable snapshot.
  ///
  /// If a compaction moves the floor meanwhile, the fold begins again from there.
  ///
  /// - Throws: ``JournalError``; `damaged`, `newerSchema` and `undecodable` name the revision; `noSuchRevision` if the last revision to fold lies
  ///   below the floor.
  /// - Complexity: O(the snapshot + entries since its base).
  func fold(_ request: FoldRequest) async throws(JournalError) -> Folded {
    var known: Head?
    while true {
      do throws(JournalError) { return try await foldOnce(request) } catch {
        guard error.code == .noSuchRevision, let floor = try await journal.floor(), floor != known else { throw error }
        if let last = request.last, last < floor.revision { throw .belowFloor(journal.name, at: last, floor: floor.revision) }
        known = floor
      }
    }
  }

  /// Folds the journal, unless a compaction moves the floor meanwhile. The attempts, in order:
  ///
  /// ```
  ///   from a snapshot whose base lies a window before the end ──▶ done
  ///     │ none    └── an undo reaches beyond: from one twice as far back, with every record; repeatedly
  ///     ▼
  ///   from the floor, with every record ──▶ done; an undo that reaches beyond it is damage
  ///     │ none
  ///     ▼
  ///   from revision 1, with the records of the window ──▶ done
  ///               └── an undo reaches beyond: with every record
  /// ```
  private func foldOnce(_ request: FoldRequest) async throws(JournalError) -> Folded {
    var request = request
    let end = try await journal.head()
    let last = min(request.last ?? end.revision, end.revision)
    var problems: [StoreProblem] = []
    // An undo reaches back a window, so the base must lie before the window. If steps are requested, the head must not lie after the first
    // one.
    var base = request.isForReading ? last : last + -min(request.window, Int.max / 2)
    var newest = min(last, request.stepsAfter ?? last)
    var window = request.window
    while let start = try await start(upTo: newest, base: base, last: last, for: request, problems: &problems) {
      if var folded = try await fold(request, through: last, from: start, keeping: window) {
        if !request.isForReading, folded.history.lacksSkipped(of: request.window) {
          // The window counts records, and refusals have none: start further back.
          base = last + -2 * (last - start.snapshot.base.revision)
          continue
        }
        folded.history.narrow(to: request.window)
        folded.problems = problems
        return folded
      }
      // An undo reverts an entry from before the base, or from before the window: start twice as far back, and keep every record.
      let head = start.snapshot.head.revision
      newest = min(head.previous, last + -2 * (last - head))
      window = .max
    }
    if let start = try await floorStart(through: last) {
      guard var folded = try await fold(request, through: last, from: start, keeping: .max) else {
        throw .damaged(journal.name, at: start.snapshot.head.revision, "an undo reverts an entry from before the floor")
      }
      folded.history.narrow(to: request.window)
      folded.problems = problems
      return folded
    }
    if last - 1 > request.windowFromBeginning { request.window = max(request.window, request.windowFromBeginning) }
    if window < .max, var folded = try await fold(request, through: last, from: nil, keeping: request.window) {
      folded.problems = problems
      return folded
    }
    // Rare: an undo reverts an entry from before the window. Keep every record during the fold, and narrow the history at the end.
    guard var folded = try await fold(request, through: last, from: nil, keeping: .max) else {
      throw .noSuchRevision(journal.name, last, head: end.revision)
    }
    folded.history.narrow(to: request.window)
    folded.problems = problems
    return folded
  }

  /// Folds from a snapshot, or from the beginning.
  ///
  /// - Returns: nil if an undo reverts an entry from before the start, or from before the kept records.
  private func fold(_ request: FoldRequest, through last: Revision, from start: Start?, keeping window: Int) async throws(JournalError)
    -> Folded?
  {
    var history: History<State>?
    /// Few states are kept before the window that the history will have.
    let fastEnd = request.isForReading ? last : last + -request.window + -History<State>.spacing
    var before: [Record<State>] = []
    var report = Replica<State>.Report()
    var rule = SnapshotRule(spacing: .max)
    if let start { rule.start(from: start.snapshot.place) }
    if let start, start.snapshot.base == start.snapshot.head {
      history = History(base: start.state, at: start.snapshot.base.revision, records: [], window: window)
    }
    var upcoming = if let start { start.beginning } else { await stretch(read(after: nil, through: last), through: last) }
    var head: Head?
    while let stretch = try upcoming?.get() {
      head = stretch.head
      // A pipeline: fold one stretch, decode the next one, and read the one after it, all at once.
      async let following = self.stretch(stretch.next, through: last)
      // The child task may start on another thread only after this task has yielded once.
      await Task.yield()
      let entries = stretch.entries
      // By index: a loop over the entries would copy each one.
      for place in entries.indices { rule.count(entries[place].revision, entries[place].size, as: entries[place].id) }
      let end = start?.snapshot.head.revision ?? .zero
      for part in stretch.records {
        var records = part[...]
        if history == nil, start != nil {
          // The records up to the snapshot's head are folded together, under the marks there.
          let place = records.firstIndex { $0.revision > end } ?? records.endIndex
          before += records[..<place]
          records = records[place...]
        }
        // Refusals have no record: a part, or a damaged journal, may consist of them.
        guard let first = records.first else { continue }
        if history == nil {
          if let start {
            history = self.history(from: start, with: &before, window: window, refused: &report.refusals)
          } else {
            history = try History(first: first, window: window, in: journal.name)
            records.removeFirst()
          }
        }
        history?.fast.end = fastEnd
        guard try await fold(records, of: request, into: &history!, report: &report) else { return nil }
      }
      if history == nil, let start, stretch.head.revision >= end {
        history = self.history(from: start, with: &before, window: window, refused: &report.refusals)
      }
      history?.skip(to: stretch.head.revision)
      upcoming = await following
    }
    guard let head else { throw .noSuchRevision(journal.name, max(last, 1), head: .zero) }
    guard var history else {
      throw .damaged(journal.name, at: 1, "a journal begins with its initial state, but all its entries are refusals")
    }
    if request.refused == .fail, let (revision, failure) = history.stillRefused(report.refusals).first {
      throw .refusedAtReplay(journal.name, at: revision, reason: "\(failure)")
    }
    history.forgetReleased()
    return Folded(history: history, head: head, report: report, rule: rule)
  }

  /// Creates the history at a snapshot's head, from the records up to there.
  private func history(
    from start: Start, with before: inout [Record<State>], window: Int, refused: inout [History<State>.Refused]
  ) -> History<State> {
    defer { before = [] }
    return History(base: start.state, at: start.snapshot.base.revision, records: before, window: window, unexplained: &refused)
  }

  /// Folds in records.
  ///
  /// - Returns: Whether no undo among them reverts an entry that is not kept.
  func fold(
    _ records: ArraySlice<Record<State>>, of request: FoldRequest, into history: inout History<State>, report: inout Replica<State>.Report
  ) async throws(JournalError) -> Bool {
    var rest = records
    // Steps are reported one by one.
    let upTo = request.stepsAfter.map { known in rest.firstIndex { $0.revision > known } ?? rest.endIndex } ?? rest.endIndex
    while !rest.isEmpty {
      if rest.startIndex < upTo { rest = rest[coding.loop.run(&history, rest[..<upTo])...] }
      guard let record = rest.popFirst() else { break }
      var outcome = history.append(record)
      if case .reachesBeyond(let ids) = outcome { outcome = try await append(record, to: &history, naming: ids) }
      switch outcome {
      case .applied: break
      case .suppressed(let failure): report.refusals.append((record.revision, failure))
      case .reachesBeyond: return false
      }
      if let known = request.stepsAfter, record.revision > known { report.steps.append((record, history.state)) }
    }
    return true
  }

  /// Folds in a record. Targets of an undo that the journal does not have are ignored.
  func append(_ record: Record<State>, to history: inout History<State>) async throws(JournalError) -> History<State>.Effect {
    let outcome = history.append(record)
    guard case .reachesBeyond(let ids) = outcome else { return outcome }
    return try await append(record, to: &history, naming: ids)
  }

  /// Folds in a record that names ids which the history does not have. Those that the journal does not have either are ignored.
  private func append(
    _ record: Record<State>, to history: inout History<State>, naming ids: Set<EntryID>
  ) async throws(JournalError) -> History<State>.Effect {
    let missing = try await absent(ids, after: record.revision.previous, before: record.revision)
    return missing == ids ? history.append(record, ignoring: missing) : .reachesBeyond(ids)
  }

  /// Returns the ids of which the journal has no entry before a revision.
  ///
  /// - Parameters:
  ///   - ids: The ids that undos and redos name.
  ///   - start: The revision after which these undos and redos come.
  ///   - revision: The revision before which the entries must be.
  /// - Throws: `noSuchRevision` if a compaction has moved the floor beyond the start meanwhile: an entry may then have gone together with the
  ///   undo that names it. No undo above the floor names an entry below it.
  /// - Complexity: O(number of ids) look-ups.
  func absent(
    _ ids: Set<EntryID>, after start: Revision, before revision: Revision
  ) async throws(JournalError) -> Set<EntryID> {
    var absent: Set<EntryID> = []
    for id in ids {
      if let entry = try await journal.entry(id), entry.revision < revision { continue }
      absent.insert(id)
    }
    if !absent.isEmpty, let floor = try await journal.floor(), floor.revision > start {
      throw .belowFloor(journal.name, at: start.next, floor: floor.revision)
    }
    return absent
  }

  /// Verified entries, and the head after the last one.
  struct Page: Sendable {
    let entries: ArraySlice<Entry>
    let head: Head
  }

  /// Entries with their records, in parts, and the next page, if there is one.
  struct Stretch: Sendable {
    let entries: ArraySlice<Entry>
    let records: [[Record<State>]]
    let head: Head
    let next: Result<Page, JournalError>?
  }

  /// Reads the entries after a position: at most 500, so that even a short tail consists of several pages.
  func read(after position: Head?, through last: Revision) async -> Result<Page, JournalError> {
    var entries: ArraySlice<Entry> = []
    do throws(JournalError) {
      let end = min(last, (position?.revision ?? .zero) + 500)
      let (head, _) = try await journal.readVerifiedPages(after: position, through: end, bytes: CatchUp<State>.pageBytes) {
        page throws(JournalError) in if entries.isEmpty { entries = page } else { entries += page }
      }
      return .success(Page(entries: entries, head: head))
    } catch {
      return .failure(error)
    }
  }

  /// Decodes a page while it reads the next one.
  ///
  /// - Returns: nil if there is no page.
  func stretch(_ page: Result<Page, JournalError>?, through last: Revision) async -> Result<Stretch, JournalError>? {
    do throws(JournalError) {
      guard let page = try page?.get() else { return nil }
      async let next = page.head.revision < last ? read(after: page.head, through: last) : nil
      let records = try await coding.records(page.entries, in: journal.name)
      return .success(Stretch(entries: page.entries, records: records, head: page.head, next: await next))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the state at a revision, under the undos up to that revision.
  func state(at revision: Revision, refused: RefusedAtReplay) async throws(JournalError) -> State {
    let head = try await journal.head().revision
    guard revision >= 1, revision <= head else { throw .noSuchRevision(journal.name, revision, head: head) }
    return try await fold(FoldRequest(last: revision, window: StoreOptions().undoWindow, isForReading: true, refused: refused)).history
      .state
  }
}
