import AlterCore
public import AlterJournal

extension Store where State: Journaled {
  /// Verifies a whole journal: the chain of checksums, the file or database, the decoding of every entry, and that every snapshot is the
  /// state that the entries lead to.
  ///
  /// - Parameter journal: The journal to read. Nothing is written.
  /// - Returns: The verified head.
  /// - Throws: ``/AlterJournal/JournalError``: `damaged`, `newerSchema`, `undecodable` or `refusedAtReplay` with the revision. A wrong
  ///   snapshot is `damaged`, too, although no entry is lost: the message says so.
  /// - Complexity: O(bytes of the journal and of its snapshots).
  @discardableResult
  @inlinable
  public static func verify(_ journal: any Journal) async throws(JournalError) -> Head { try await verify(journal, folding: FoldLoop()) }

  @usableFromInline
  static func verify(_ journal: any Journal, folding loop: FoldLoop<State>) async throws(JournalError) -> Head {
    let backend = Backend<State>(journal: journal, coding: .json(by: loop))
    let head = try await journal.verify()
    if head.revision > .zero {
      try await journal.whileFloorStays { floor throws(JournalError) in
        try await backend.verifySnapshots(through: floor.map { $0.revision > head.revision ? $0 : head } ?? head)
      }
    }
    return head
  }
}

extension Store where State: Journaled {
  /// Returns functions that find the reason for which this type can't read an entry, or a snapshot that it would use; nil if it can.
  package static func readingProblems(in journal: String) -> (
    entry: @Sendable (Entry) -> String?, snapshot: @Sendable (Snapshot) -> String?
  ) {
    let coding = RecordCoding<State>.json
    return (
      { entry in
        do throws(JournalError) {
          _ = try coding.record(entry, journal)
          return nil
        } catch { return error.description }
      },
      { snapshot in
        guard coding.reads(snapshot.place) else { return nil }
        do {
          _ = try coding.decode(snapshot.payload, snapshot.schema)
          return nil
        } catch { return JournalCoding.explain(error) }
      }
    )
  }
}

extension Backend {
  /// Folds the journal from its beginning or its floor, and compares each snapshot with the folded state.
  func verifySnapshots(through end: Head) async throws(JournalError) {
    var places: [Snapshot.Place] = []
    var newest = end.revision
    while let oldest = places.last?.revision ?? Optional(newest.next), oldest > 1 {
      newest = oldest.previous
      let page = try await journal.snapshots(upTo: newest, limit: 1_000)
      if page.isEmpty { break }
      places += page
    }
    places = places.filter(coding.reads).reversed()
    let window = places.reduce(StoreOptions().undoWindow) { max($0, $1.revision - $1.base) }
    if try await compare(places, through: end, window: window) { return }
    _ = try await compare(places, through: end, window: .max)
  }

  /// Compares snapshots, in order, with the states that the entries lead to.
  ///
  /// - Returns: False if an undo reaches beyond the window, or the base of a snapshot that was kept meanwhile lies before it.
  private func compare(_ places: [Snapshot.Place], through end: Head, window: Int) async throws(JournalError) -> Bool {
    var history: History<State>?
    var position: Head?
    var report = Replica<State>.Report()
    if let start = try await floorStart(through: end.revision) {
      history = History(base: start.state, at: start.snapshot.base.revision, records: [], window: window)
      position = start.snapshot.head
    }
    for place in places.map(Optional.some) + [nil] {
      let last = place?.revision ?? end.revision
      var upcoming = position?.revision ?? .zero < last ? await stretch(read(after: position, through: last), through: last) : nil
      while let stretch = try upcoming?.get() {
        async let following = self.stretch(stretch.next, through: last)
        await Task.yield()
        for part in stretch.records {
          var records = part[...]
          if history == nil, let first = records.popFirst() { history = try History(first: first, window: window, in: journal.name) }
          history?.fast.end = end.revision
          guard !records.isEmpty else { continue }
          guard try await fold(records, of: FoldRequest(window: window), into: &history!, report: &report) else { return false }
        }
        history?.skip(to: stretch.head.revision)
        position = stretch.head
        upcoming = await following
      }
      guard let place, let history, let head = position else { continue }
      // Another store may have removed the snapshot since it was listed, or may have kept its own one, with another base or form.
      guard let snapshot = try await journal.snapshot(at: place.revision), coding.reads(snapshot.place) else { continue }
      guard snapshot.isSound, snapshot.head == head else { throw wrong(place, "its checksum, or that of its entry, does not match") }
      let start = snapshot.base.revision
      guard let base = history.base(at: start) else {
        guard start == place.base || window == .max else { return false }
        throw wrong(place, "its base, revision \(start), is invalid")
      }
      if let difference = difference(of: snapshot, from: base.state()) {
        // A refused entry may be the reason for the difference: report that instead.
        try checkRefused(report.refusals, in: history)
        throw wrong(place, difference)
      }
    }
    if let history { try checkRefused(report.refusals, in: history) }
    return true
  }

  private func checkRefused(_ refused: [History<State>.Refused], in history: History<State>) throws(JournalError) {
    guard let (revision, failure) = history.stillRefused(refused).first else { return }
    throw .refusedAtReplay(journal.name, at: revision, reason: "\(failure)")
  }

  /// Describes the difference between a snapshot and the state that it should contain; nil if there is none.
  private func difference(of snapshot: Snapshot, from state: State) -> String? {
    guard let kept = try? coding.decode(snapshot.payload, snapshot.schema) else { return "\(State.self) can't read it" }
    return StateComparison.areEqual(state, kept) ? nil : "it is not the state that the entries lead to"
  }

  private func wrong(_ place: Snapshot.Place, _ why: String) -> JournalError {
    JournalError(
      .damaged, journal: journal.name, revision: place.revision,
      message: """
        has a wrong snapshot at revision \(place.revision): \(why). The entries are unharmed, and nothing is lost. If `apply` has changed its meaning, \
        raise the schema; if the snapshot has an older schema, its migration does not lead to the same state as the changes: don't name that \
        version in `snapshotsFrom`; otherwise remove the snapshot: it is made again.
        """)
  }
}
