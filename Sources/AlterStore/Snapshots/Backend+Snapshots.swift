import AlterCore
import AlterJournal

extension Backend {
  /// The number of snapshots to list at once.
  private static var page: Int { 16 }

  /// The starting point of a fold.
  struct Start: Sendable {
    let snapshot: Snapshot
    let state: State
    /// The first entries after the snapshot's base.
    let beginning: Result<Stretch, JournalError>?
  }

  /// The result of reading a snapshot.
  private enum Reading {
    case start(Start)
    /// Another store has removed the snapshot, because it has kept a newer one, or a compaction has moved the floor beyond its base.
    case gone
    /// The journal has another snapshot at this revision than it has listed, because another store has kept its own one meanwhile.
    case replaced
    /// The snapshot cannot be used: the reason, and whether that is permanent.
    case useless(String, isForGood: Bool)
    /// The journal can't read the snapshot. It may be able to later, unless the snapshot is damaged.
    case unreadable(JournalError)
  }

  /// Returns the newest usable snapshot whose head and base are not after given revisions; nil if there is none.
  ///
  /// - Parameters:
  ///   - revision: The last permitted head.
  ///   - base: The last permitted base.
  ///   - last: The end of the fold.
  ///   - request: Whether snapshots that can never be used again may be removed.
  ///   - problems: Receives the reasons for which snapshots cannot be used.
  func start(
    upTo revision: Revision, base: Revision, last: Revision, for request: FoldRequest, problems: inout [StoreProblem]
  ) async throws(JournalError) -> Start? {
    let mayRemove = request.removesUseless
    var newest = revision
    var isSchemaReported = false
    // The snapshots that were tried, so that none is read or reported twice after another store has removed one.
    var tried: Set<Snapshot.Place> = []
    // Those that were listed, and not found. One that is listed again has a damaged row.
    var replaced: Set<Snapshot.Place> = []
    search: while newest > 1, base > 1 {
      let places = try await journal.snapshots(upTo: newest, limit: Self.page)
      guard let oldest = places.last else { return nil }
      for place in places where place.base <= base && tried.insert(place).inserted {
        if coding.reads(place) {
          switch await read(place, through: last) {
          case .start(let start): return start
          case .gone: continue search
          case .replaced:
            guard !replaced.insert(place).inserted else {
              tried.remove(place)
              continue search
            }
            problems.append(.snapshotIgnored(place.revision, reason: Self.unsound))
            if mayRemove { try? await journal.removeSnapshot(at: place.revision) }
          case .useless(let reason, let isForGood):
            problems.append(.snapshotIgnored(place.revision, reason: reason))
            if isForGood, mayRemove { try? await journal.removeSnapshot(at: place.revision) }
          case .unreadable(let error):
            problems.append(.snapshotIgnored(place.revision, reason: "It can't be read. \(error)"))
            if error.code == .damaged, mayRemove { try? await journal.removeSnapshot(at: place.revision) }
          }
        } else {
          if !isSchemaReported {
            problems.append(
              .snapshotIgnored(
                place.revision,
                reason: place.schema == coding.schema
                  ? "Another build of the app has made it, whose state has another stored form."
                  : "It has schema \(place.schema), but this version of the app writes schema \(coding.schema)."))
          }
          isSchemaReported = true
        }
      }
      newest = oldest.revision.previous
    }
    return nil
  }

  private static var unsound: String { "Its checksum does not match its content." }

  /// Reads a snapshot, and at the same time the first entries after its base.
  private func read(_ place: Snapshot.Place, through last: Revision) async -> Reading {
    do throws(JournalError) {
      guard let snapshot = try await journal.snapshot(at: place.revision) else { return .gone }
      guard snapshot.place == place else { return .replaced }
      let isUnsound = Reading.useless(Self.unsound, isForGood: true)
      let isLarge = snapshot.payload.count >= 1 << 16
      guard isLarge || snapshot.isSound, snapshot.base.revision <= snapshot.head.revision else { return isUnsound }
      for end in snapshot.base == snapshot.head ? [snapshot.head] : [snapshot.head, snapshot.base] {
        guard try await isOfThisHistory(end) else {
          return .useless("It belongs to another history than the journal's entries.", isForGood: true)
        }
      }
      async let beginning = stretch(read(after: snapshot.base, through: last), through: last)
      // Check and decode a large snapshot outside of Swift's few threads, both at once: a damaged one is decoded in vain.
      async let isSound = isLarge ? LongWork.dispatched.run { snapshot.isSound } : true
      await Task.yield()
      do {
        let payload = snapshot.payload
        let state =
          isLarge
          ? try await LongWork.dispatched.run { Result { try coding.decode(payload, place.schema) } }.get()
          : try coding.decode(payload, place.schema)
        guard await isSound else { return isUnsound }
        return .start(Start(snapshot: snapshot, state: state, beginning: await beginning))
      } catch {
        guard await isSound else { return isUnsound }
        // The version of the app that made it may be able to read it.
        let isForGood = place.schema == coding.schema
        return .useless("\(State.self) can't read it: \(JournalCoding.explain(error)).", isForGood: isForGood)
      }
    } catch {
      return error.code == .noSuchRevision ? .gone : .unreadable(error)
    }
  }

  private func isOfThisHistory(_ head: Head) async throws(JournalError) -> Bool {
    guard head.revision >= 1 else { return false }
    return try await journal.head(at: head.revision, of: head.journal) == head
  }

  /// Returns the start at the journal's floor; nil for a journal that begins with revision 1.
  ///
  /// - Throws: `noSuchRevision` if the fold ends below the floor, `newerSchema`, `undecodable` or `damaged` if the state there cannot be read.
  func floorStart(through last: Revision) async throws(JournalError) -> Start? {
    while let floor = try await journal.floor() {
      do throws(JournalError) {
        return try await start(at: floor, through: last)
      } catch {
        // Another process may have begun the mirror again meanwhile.
        guard error.code == .damaged, try await journal.floor() != floor else { throw error }
      }
    }
    return nil
  }

  private func start(at floor: Head, through last: Revision) async throws(JournalError) -> Start {
    guard last >= floor.revision else { throw .belowFloor(journal.name, at: last, floor: floor.revision) }
    guard let place = try await journal.snapshots(upTo: floor.revision, limit: 1).first, place.revision == floor.revision else {
      throw .damaged(journal.name, at: floor.revision, "the state at its floor is missing")
    }
    // The state there may have another stored form: the entries that led to it are gone.
    guard coding.readsSnapshots(place.schema) else {
      guard place.schema <= coding.schema else {
        throw .newerSchema(journal.name, at: floor.revision, found: place.schema, known: coding.schema)
      }
      throw JournalError(
        .undecodable, journal: journal.name, revision: floor.revision,
        message: """
          begins with a state of schema \(place.schema), and this version of the app reads states of schema \(coding.schema) alone. Nothing was \
          changed. Migrate states, too: see `StateSchema`.
          """)
    }
    switch await read(place, through: last) {
    case .start(let start): return start
    case .gone, .replaced: throw .damaged(journal.name, at: floor.revision, "the state at its floor is missing")
    case .useless(let reason, _): throw .damaged(journal.name, at: floor.revision, "the state at its floor cannot be used. \(reason)")
    case .unreadable(let error):
      // No entries lead to this state. An outage must stay one, which the caller waits for: a damaged journal ends a store.
      guard error.code == .damaged else { throw error }
      throw .damaged(journal.name, at: floor.revision, "the state at its floor cannot be used. It can't be read. \(error)")
    }
  }

  /// The result of making a snapshot.
  enum Making {
    /// The snapshot is kept. The value is the size of its payload in bytes.
    case kept(bytes: Int)
    /// No snapshot is due any more, or it would be too large.
    case nothing
    /// The snapshot could not be made.
    case failed(any Error)
    /// Another store has kept a newer snapshot, at a revision that this store has also reached.
    case another(Snapshot.Place)
  }

  /// Makes and keeps a snapshot of the state at `base`, unless it is too large for the bytes written and read since the last one.
  ///
  /// A snapshot is only a cache. If it cannot be written, no error is reported, and the store tries again when the next one is due.
  ///
  /// - Parameters:
  ///   - base: The state to keep.
  ///   - head: The revision up to which the rule has counted.
  ///   - window: The undo window of folds that need earlier passing snapshots, because the base of this one does not lie a window before its
  ///     head; 0 for none.
  ///   - rule: Receives the result.
  ///   - longWork: The threads on which the state is encoded.
  func keep(_ base: History<State>.Base, at head: Head, sparing window: Int = 0, rule: inout SnapshotRule, _ longWork: LongWork) async
    -> Making
  {
    guard base.revision > 1, rule.revision == head.revision else { return .nothing }
    do {
      // Another store may have been first.
      let known = rule.last.revision
      let newest = try await journal.snapshots(upTo: head.revision, limit: Self.page)
      if let usable = newest.first(where: coding.reads) {
        rule.see(usable)
        if usable.revision > known { return .another(usable) }
      }
      // Two versions of an app may use the journal. The older one never replaces a snapshot of the newer one at the same revision.
      if let same = newest.first, same.revision == head.revision, (same.schema, same.form) > (coding.schema, coding.form) {
        rule.skip()
        return .nothing
      }
      guard rule.isDue else { return .nothing }
      guard let baseHead = try await journal.head(at: base.revision, of: head.journal) else { return .nothing }
      let payload = try await longWork.run { Result { try coding.encode(base.state()) } }.get()
      guard rule.permits(size: Int64(payload.count)) else {
        rule.postpone(size: Int64(payload.count))
        return .nothing
      }
      let snapshot = Snapshot(
        head: head, base: baseHead, schema: coding.schema, form: coding.form, written: rule.written, payload: payload)
      try await journal.keep(snapshot)
      rule.see(snapshot.place)
      // The snapshot is kept. What could not be removed is removed after the next one.
      try? await removePassing(among: newest, before: head, sparing: window)
      try? await removeOutdated(among: newest, at: head)
      return .kept(bytes: payload.count)
    } catch {
      rule.skip()
      return .failed(error)
    }
  }

  /// Removes the passing snapshots that a newer one replaces.
  ///
  /// A store that is about to read one of them finds the newer one instead.
  private func removePassing(among newest: [Snapshot.Place], before head: Head, sparing window: Int) async throws(JournalError) {
    let own = newest.filter { $0.schema == coding.schema && coding.reads($0) && $0.revision < head.revision }
    let spared = window > 0 ? SnapshotRule.spared(among: own, for: window, before: head.revision) : []
    for place in SnapshotRule.passing(among: own, isAll: newest.count < Self.page) where !spared.contains(place.revision) {
      try await journal.removeSnapshot(at: place.revision)
    }
  }

  /// Removes the snapshots of older schemas that no version of the app can use any more.
  ///
  /// An older version of the app may use its snapshots until the journal has an entry that it can't read.
  private func removeOutdated(among newest: [Snapshot.Place], at head: Head) async throws(JournalError) {
    func isOutdated(_ place: Snapshot.Place) -> Bool { place.schema < coding.schema && !coding.readsSnapshots(place.schema) }
    guard newest.contains(where: isOutdated), let end = try await journal.entries(after: head.revision.previous, limit: 1).first else {
      return
    }
    var places = newest
    while let oldest = places.last {
      for place in places where isOutdated(place) && place.schema < end.schema { try await journal.removeSnapshot(at: place.revision) }
      places = try await journal.snapshots(upTo: oldest.revision.previous, limit: 64)
    }
  }

  /// Removes the snapshots of this schema and stored form at some revisions. Those that cannot be removed stay.
  func removeSnapshots(in revisions: ClosedRange<Revision>) async {
    var newest = revisions.upperBound
    while newest >= max(revisions.lowerBound, 1), let places = try? await journal.snapshots(upTo: newest, limit: Self.page),
      let oldest = places.last
    {
      for place in places where revisions.contains(place.revision) && place.schema == coding.schema && coding.reads(place) {
        try? await journal.removeSnapshot(at: place.revision)
      }
      newest = oldest.revision.previous
    }
  }

  /// Compares another store's snapshot with the state that this store's entries lead to.
  ///
  /// - Returns: The difference as a problem; nil if the states agree, or the snapshot cannot be read.
  func compare(_ place: Snapshot.Place, with base: History<State>.Base, _ longWork: LongWork) async -> StoreProblem? {
    guard let snapshot = try? await journal.snapshot(at: place.revision), snapshot.isSound, snapshot.place == place else { return nil }
    let isEqual = await longWork.run {
      let state = base.state()
      // Comparing the bytes suffices most often. Equal states that contain sets may have different bytes.
      if (try? coding.encode(state)) == snapshot.payload { return true }
      guard let kept = try? coding.decode(snapshot.payload, snapshot.schema) else { return true }
      return StateComparison.areEqual(state, kept)
    }
    return isEqual
      ? nil
      : .nondeterministic(
        place.base,
        reason: "Another process has made a snapshot at revision \(place.revision), and its state differs from the state of this process.")
  }
}
