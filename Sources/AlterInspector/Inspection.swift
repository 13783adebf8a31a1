import AlterCore
import AlterFeedback
public import AlterJournal
public import AlterStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Answers questions about a journal, live or at rest, now or at any point of its past. The commands print these answers, and the page
/// shows them.
///
/// ```swift
/// let inspection = Inspection(of: journal, as: AppState.self, hiding: Hiding(["email"]))
/// let newest = try await inspection.entries(before: nil, limit: 20)
/// let state = try await inspection.state(at: 1_042)
/// ```
///
/// With the type of the state, it replays the journal with the store's own code, so every state is exact. Without it, only the stored JSON
/// is available. An inspection never writes. It reads a journal of any length in pages; see `Design/0012-inspector.md`.
public final class Inspection: Sendable {
  /// The journal.
  package let journal: any Journal
  /// The keys whose values are hidden.
  package let hiding: Hiding
  let types: InspectedTypes?
  let effects: (@Sendable () -> [EffectStatus])?
  let keeper: IndexKeeper
  let states = Lock(StateCache())
  /// The last known set of entries that the state refuses.
  let known = Lock<Suppressed?>(nil)
  let isVerifying = Lock(false)
  /// Whether a row waits until the index knows whether its entry is undone. Commands need this, because they print a row only once.
  let isPatient = Lock(false)
  /// Announces the effects of a live store every 200 ms, because the store has no notification for them.
  private let watch = Lock<Task<Void, Never>?>(nil)

  private init(_ journal: any Journal, _ types: InspectedTypes?, _ hiding: Hiding, effects: (@Sendable () -> [EffectStatus])?) {
    self.journal = journal
    self.types = types
    self.hiding = hiding
    self.effects = effects
    keeper = IndexKeeper(journal)
  }

  /// Inspects a journal without the types of its app.
  ///
  /// - Parameters:
  ///   - journal: The journal. It is only read, and not closed.
  ///   - hiding: The keys whose values are hidden.
  public convenience init(of journal: any Journal, hiding: Hiding = Hiding()) {
    self.init(journal, nil, hiding, effects: nil)
  }

  /// Inspects a journal with the type of its state.
  ///
  /// - Parameters:
  ///   - journal: The journal. It is only read, and not closed.
  ///   - type: The type of the state.
  ///   - hiding: The keys whose values are hidden.
  ///   - conditions: Named conditions on the state, for bisecting.
  public convenience init<State: Journaled>(
    of journal: any Journal, as type: State.Type, hiding: Hiding = Hiding(), conditions: [String: @Sendable (State) -> Bool] = [:]
  ) {
    self.init(journal, InspectedTypes(type, in: journal, store: nil, conditions: conditions), hiding, effects: nil)
  }

  /// Inspects a store of this process, with the effects of its feedbacks.
  ///
  /// The inspection shows the journal: a pending change appears when the journal has confirmed it.
  ///
  /// - Parameters:
  ///   - store: The store. It must have a journal, otherwise the call traps. Open an in-memory store in a `MemoryJournal` to inspect it.
  ///   - hiding: The keys whose values are hidden.
  ///   - conditions: Named conditions on the state, for bisecting.
  public convenience init<State: Journaled>(
    of store: Store<State>, hiding: Hiding = Hiding(), conditions: [String: @Sendable (State) -> Bool] = [:]
  ) {
    guard let journal = store.journal else {
      preconditionFailure("A store without a journal can't be inspected: open it in a MemoryJournal.")
    }
    self.init(journal, InspectedTypes(State.self, in: journal, store: store, conditions: conditions), hiding) { store.effects }
  }

  /// Makes rows wait from now on until the index knows whether their entries are undone.
  package func waitForIndex() { isPatient.withLock { $0 = true } }

  /// Starts to read the whole journal in the background, newest entries first, and to follow it. Answers that depend on the whole journal
  /// improve meanwhile.
  package func follow() {
    keeper.begin()
    guard effects != nil else { return }
    watch.withLock { [keeper] watch in
      guard watch == nil else { return }
      watch = Task {
        // The store does not notify of effects. Each listener compares them with the ones that it reported last, because listeners may have
        // seen different ones.
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(200))
          keeper.announce()
        }
      }
    }
  }

  /// Ends the background work and all sequences of changes. The journal stays open.
  public func end() {
    watch.withLock { $0 }?.cancel()
    keeper.end()
  }

  deinit { end() }

  // MARK: The journal as a whole

  /// Returns the properties of the journal as a whole.
  ///
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(1) entries are read. The counts cover the entries that the index has read so far.
  package func overview() async throws -> Overview {
    let head = try await keeper.start()
    let floor = keeper.floor
    let hasEntries = head.revision.number > floor
    let first = hasEntries ? try? await journal.entries(after: Revision(floor), limit: 1).first : nil
    let last = hasEntries ? try? await journal.entries(after: head.revision.previous, limit: 1).first : nil
    let sync = try await syncPart()
    return try await keeper.look { index in
      Overview(
        name: journal.name, journal: head.journal.description, revision: head.revision.number, floor: floor, sync: sync,
        checksum: head.checksum.description, schema: last?.schema, types: types?.name, isLive: effects != nil, hidden: hiding.keys.sorted(),
        conditions: types?.conditions ?? [], firstTime: first?.time, lastTime: last?.time,
        indexed: min(index.count, head.revision.number - floor),
        origins: index.origins.indices.filter { index.byOrigin[$0].count > 0 }
          .map { Overview.Maker(origin: index.origins[$0].text, count: index.byOrigin[$0].count, last: index.lastByOrigin[$0]) }
          .sorted { ($0.count, $0.last) > ($1.count, $1.last) },
        kinds: Dictionary(uniqueKeysWithValues: index.kinds.map { ($0.key.rawValue, $0.value.count) }),
        scopes: index.scopes.map(\.description).sorted(), takenBack: index.takenBackCount(), problem: index.problems.first?.message)
    }
  }

  /// Returns the sizes of the parts of the journal.
  ///
  /// - Parameter isComplete: Whether to read the whole journal first. Otherwise the counts cover the entries that the index has read so
  ///   far.
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(entries).
  package func stats(isComplete: Bool = true) async throws -> Stats {
    if isComplete { try await keeper.cover(1) }
    let head = try await keeper.start()
    let places = try await journal.snapshots(upTo: head.revision, limit: 1_000)
    let (floor, sync) = (keeper.floor, try await syncPart())
    return try await keeper.look { index in
      func share(_ name: String, _ tally: JournalIndex.Tally) -> Stats.Share {
        Stats.Share(name: name, count: tally.count, bytes: tally.bytes)
      }
      return Stats(
        revision: head.revision.number, indexed: index.count, bytes: index.total.bytes,
        kinds: Entry.Kind.allCases.compactMap { kind in index.kinds[kind].map { share(kind.rawValue, $0) } },
        origins: index.origins.indices.filter { index.byOrigin[$0].count > 0 }.map { share(index.origins[$0].text, index.byOrigin[$0]) }
          .sorted { $0.count > $1.count },
        feedbacks: zip(index.feedbacks, index.byFeedback).map { share($0, $1) }.sorted { $0.name < $1.name },
        days: index.days.sorted { $0.key < $1.key }.map { share(Self.day($0.key), $0.value) },
        payloads: Stats.Sizes(median: index.medianSize(), largest: index.largest?.size ?? 0, revision: index.largest?.revision),
        snapshots: places.map {
          Stats.Kept(revision: $0.revision.number, base: $0.base.number, schema: $0.schema, bytes: $0.size)
        }, floor: floor, sync: sync)
    }
  }

  /// The date of a day since 1970, like '2026-12-01'.
  private static func day(_ day: Int64) -> String {
    String(Date(timeIntervalSince1970: Double(day) * 86_400).ISO8601Format().prefix(10))
  }

  /// Verifies the whole journal, and that every entry, every snapshot and the state at the floor is JSON. With types, it also checks that each of
  /// them can be decoded, and that the snapshots are right.
  ///
  /// - Returns: The result, also for a damaged journal.
  /// - Throws: ``InspectionError`` `busy` if a verification is already running; `JournalError` if the journal cannot be reached.
  /// - Complexity: O(bytes of the journal).
  package func verify() async throws -> Verification {
    let isFirst = isVerifying.withLock { isVerifying in
      defer { isVerifying = true }
      return !isVerifying
    }
    guard isFirst else {
      throw InspectionError(.busy, "Another verification of the journal is running. Wait until it ends.")
    }
    defer { isVerifying.withLock { $0 = false } }
    let clock = ContinuousClock()
    let start = clock.now
    func seconds() -> Double {
      let (seconds, attoseconds) = (clock.now - start).components
      return Double(seconds) + Double(attoseconds) / 1e18
    }
    do {
      let head: Head
      do throws(JournalError) {
        if let types { head = try await types.verify() } else { head = try await journal.verify() }
      } catch {
        // The findings name each entry that can't be decoded.
        guard error.code == .undecodable else { throw error }
        head = try await journal.head()
      }
      let floor = try await journal.floor()?.revision.number ?? 0
      let findings = try await findings(through: head, floor: floor)
      return Verification(
        isSound: findings.isEmpty, revision: head.revision.number, floor: floor, sync: try await syncPart(), seconds: seconds(),
        problem: findings.first?.problem, at: findings.first?.at, findings: findings)
    } catch let error as JournalError where [.damaged, .newerSchema, .undecodable].contains(error.code) {
      let (head, floor) = (try? await journal.head(), try? await journal.floor())
      return Verification(
        isSound: false, revision: head?.revision.number ?? 0, floor: floor?.revision.number ?? 0, sync: try? await syncPart(),
        seconds: seconds(), problem: error.description, at: error.revision?.number)
    }
  }

  /// Finds the revision at which a condition of the app changes its value.
  ///
  /// - Parameters:
  ///   - condition: The name of the condition.
  ///   - from: The first revision of the range; nil for 1, or for the floor.
  ///   - to: The last revision of the range; nil for the head.
  ///   - scan: Whether to check every entry, which finds the first change. Otherwise the search halves the range, and finds one of the
  ///     changes.
  /// - Throws: ``InspectionError`` `needsTypes` without types, `notFound` for an unknown condition, `badParameter` for an empty range;
  ///   `JournalError`.
  package func bisect(_ condition: String, from: Int64? = nil, to: Int64? = nil, scan: Bool = false) async throws -> Turning {
    guard let types else {
      throw InspectionError(
        .needsTypes,
        """
        Bisecting needs the app's own types, because it computes states. Build the inspector into the app's own executable \
        (InspectorCommand<AppState>; see docs/inspector.md) and name the conditions there.
        """)
    }
    guard types.conditions.contains(condition) else {
      let known = types.conditions.isEmpty ? "none is registered" : "the conditions are " + types.conditions.joined(separator: ", ")
      throw InspectionError(.notFound, "There is no condition '\(condition)': \(known). Add the condition to those of \(types.name).")
    }
    let (head, floor) = (try await journal.head().revision, try await journal.floor()?.revision ?? .zero)
    let (first, last) = (from ?? max(1, floor.number), to ?? head.number)
    guard first <= last else {
      throw InspectionError(.badParameter, "There is no revision between \(first) and \(last): the range is empty.")
    }
    for end in [first, last] where end < 1 || end > head.number {
      throw JournalError.noSuchRevision(journal.name, Revision(end), head: head)
    }
    if first < floor.number { throw JournalError.belowFloor(journal.name, at: Revision(first), floor: floor) }
    let (turned, was) = try await types.bisect(condition, Revision(first)...Revision(last), scan)
    return Turning(revision: turned?.number, was: was, is: turned == nil ? was : !was)
  }
}

extension Origin {
  /// Parses a UUID's text; nil for any other text.
  init?(text: String) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    self.init(uuid)
  }
}
