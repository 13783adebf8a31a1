import AlterCore
import AlterJournal

extension Backend {
  /// Where a fold begins.
  struct Start: Sendable {
    let snapshot: Snapshot
    let state: State
    /// The first entries after its base.
    let beginning: Result<Stretch, JournalError>?
  }

  /// What came of reading a snapshot.
  private enum Reading {
    case start(Start)
    /// Why it doesn't serve, and whether it never will.
    case useless(String, isForGood: Bool)
  }

  /// The newest snapshot that serves, up to a revision and with its base up to another.
  ///
  /// - Parameters:
  ///   - revision: The last head.
  ///   - base: The last base.
  ///   - last: Where the fold is to end.
  ///   - request: Whether those that never serve again may be removed.
  ///   - problems: Takes what is wrong with those that don't serve.
  func start(
    upTo revision: Revision, base: Revision, last: Revision, for request: FoldRequest, problems: inout [StoreProblem]
  ) async throws(JournalError) -> Start? {
    let mayRemove = request.removesUseless
    var newest = revision
    var isSchemaReported = false
    while newest > 1, base > 1 {
      let places = try await journal.snapshots(upTo: newest, limit: 16)
      guard let oldest = places.last else { return nil }
      for place in places where place.base <= base {
        if place.schema == coding.schema {
          switch await read(place, through: last) {
          case .start(let start): return start
          case .useless(let reason, let isForGood):
            problems.append(.snapshotIgnored(place.revision, reason: reason))
            if isForGood, mayRemove { try? await journal.removeSnapshot(at: place.revision) }
          }
        } else {
          if !isSchemaReported {
            problems.append(
              .snapshotIgnored(place.revision, reason: "It is of schema \(place.schema), and this version makes schema \(coding.schema)."))
          }
          isSchemaReported = true
          if place.schema < coding.schema, mayRemove { try? await journal.removeSnapshot(at: place.revision) }
        }
      }
      newest = oldest.revision.previous
    }
    return nil
  }

  /// Reads a snapshot, and meanwhile the first entries after its base; or says why it doesn't serve.
  private func read(_ place: Snapshot.Place, through last: Revision) async -> Reading {
    do throws(JournalError) {
      guard let snapshot = try await journal.snapshot(at: place.revision) else { return .useless("It is gone.", isForGood: false) }
      guard snapshot.isSound, snapshot.place == place, snapshot.base.revision <= snapshot.head.revision else {
        return .useless("Its checksum does not match its content.", isForGood: true)
      }
      guard try await isOfThisHistory(snapshot.head), try await isOfThisHistory(snapshot.base) else {
        return .useless("It is of another history than the journal's entries.", isForGood: true)
      }
      async let beginning = stretch(read(after: snapshot.base, through: last), through: last)
      await Task.yield()
      do {
        // A large one is decoded apart from Swift's few threads.
        let payload = snapshot.payload
        let state =
          payload.count < 1 << 16
          ? try coding.decode(payload) : try await LongWork.dispatched.run { Result { try coding.decode(payload) } }.get()
        return .start(Start(snapshot: snapshot, state: state, beginning: await beginning))
      } catch {
        return .useless("\(State.self) can't read it: \(JournalCoding.explain(error)).", isForGood: true)
      }
    } catch {
      return .useless("It can't be read. \(error)", isForGood: error.code == .damaged)
    }
  }

  private func isOfThisHistory(_ head: Head) async throws(JournalError) -> Bool {
    guard head.revision >= 1 else { return false }
    let entry = try await journal.entries(after: head.revision.previous, limit: 1).first
    return entry?.revision == head.revision && entry?.checksum == head.checksum
  }

  /// What came of making a snapshot.
  enum Making {
    /// It is kept, or none could be kept now.
    case done
    /// Another store was first with one that this store's entries lead to, too.
    case another(Snapshot.Place)
  }

  /// Makes and keeps a snapshot of what the rule has counted, unless it is too large as yet.
  ///
  /// It is a cache: that it can't be written is nobody's trouble, and another is tried when the next one is due.
  ///
  /// - Parameters:
  ///   - base: The state to be kept.
  ///   - head: Where the rule has counted up to.
  ///   - rule: Takes what came of it.
  ///   - longWork: Where the state is encoded.
  func keep(_ base: History<State>.Base, at head: Head, rule: inout SnapshotRule, _ longWork: LongWork) async -> Making {
    let written = rule.written
    guard base.revision > 1, rule.revision == head.revision else { return .done }
    do {
      // Another store may have been first.
      let known = rule.last.revision
      if let newest = try await journal.snapshots(upTo: head.revision, limit: 1).first, newest.schema == coding.schema {
        rule.see(newest)
        if newest.revision > known { return .another(newest) }
      }
      guard rule.isDue else { return .done }
      guard let entry = try await journal.entries(after: base.revision.previous, limit: 1).first, entry.revision == base.revision else {
        return .done
      }
      let payload = try await longWork.run { Result { try coding.encode(base.state()) } }.get()
      guard written - rule.last.written >= Int64(payload.count) else {
        rule.postpone(size: Int64(payload.count), at: written)
        return .done
      }
      let snapshot = Snapshot(
        head: head, base: Head(journal: head.journal, revision: base.revision, checksum: entry.checksum), schema: coding.schema,
        written: written, payload: payload)
      try await journal.keep(snapshot)
      rule.see(snapshot.place)
    } catch {
      rule.skip()
    }
    return .done
  }

  /// Compares another store's snapshot with the state that this store's entries lead to.
  ///
  /// - Returns: What is wrong; nil when they agree, or the snapshot can't be read.
  func compare(_ place: Snapshot.Place, with base: History<State>.Base, _ longWork: LongWork) async -> StoreProblem? {
    guard let snapshot = try? await journal.snapshot(at: place.revision), snapshot.isSound, snapshot.place == place else { return nil }
    let isEqual = await longWork.run {
      let state = base.state()
      // The bytes decide most often; states that hold sets may have others.
      if (try? coding.encode(state)) == snapshot.payload { return true }
      guard let kept = try? coding.decode(snapshot.payload) else { return true }
      return StateComparison.areEqual(state, kept)
    }
    return isEqual
      ? nil
      : .nondeterministic(
        place.base,
        reason: "Another process has made a snapshot at revision \(place.revision), and its state is not the one that this process has.")
  }
}
