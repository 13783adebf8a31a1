import AlterCore
public import AlterFeedback
public import AlterJournal
public import AlterStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Answers questions about a journal, live or at rest, now or at any point of its past: what commands print and pages show.
///
/// ```swift
/// let inspection = Inspection(of: journal, as: AppState.self, hiding: Hiding(["email"]))
/// let newest = try await inspection.entries(before: nil, limit: 20)
/// let state = try await inspection.state(at: 1_042)
/// ```
///
/// With the type of the state it folds the journal with the store's own code; without, it tells what the stored JSON says. Nothing is ever
/// written. A journal of any length is read in pages; see `Design/0012-inspector.md`.
public final class Inspection: Sendable {
  /// The journal.
  let journal: any Journal
  /// What nobody is to see.
  public let hiding: Hiding
  let types: InspectedTypes?
  let effects: (@Sendable () -> [EffectStatus])?
  let keeper: IndexKeeper
  let states = Lock(StateCache())
  /// What the state was last known to have refused.
  let known = Lock<Suppressed?>(nil)
  let isVerifying = Lock(false)
  /// Whether a row waits until it is known whether it is taken back: for commands, which print it once.
  let isPatient = Lock(false)
  /// Looks at the effects of a live store now and then: nobody tells when they change.
  private let watch = Lock<Task<Void, Never>?>(nil)

  private init(_ journal: any Journal, _ types: InspectedTypes?, _ hiding: Hiding, effects: (@Sendable () -> [EffectStatus])?) {
    self.journal = journal
    self.types = types
    self.hiding = hiding
    self.effects = effects
    keeper = IndexKeeper(journal)
  }

  /// Looks at a journal without the types of its app.
  ///
  /// - Parameters:
  ///   - journal: What to look at. It is only read, and not closed.
  ///   - hiding: What nobody is to see.
  public convenience init(of journal: any Journal, hiding: Hiding = Hiding()) {
    self.init(journal, nil, hiding, effects: nil)
  }

  /// Looks at a journal with the type of its state.
  ///
  /// - Parameters:
  ///   - journal: What to look at. It is only read, and not closed.
  ///   - type: The state's type.
  ///   - hiding: What nobody is to see.
  ///   - conditions: What can be bisected by, by name.
  public convenience init<State: Journaled>(
    of journal: any Journal, as type: State.Type, hiding: Hiding = Hiding(), conditions: [String: @Sendable (State) -> Bool] = [:]
  ) {
    self.init(journal, InspectedTypes(type, in: journal, store: nil, conditions: conditions), hiding, effects: nil)
  }

  /// Looks at a store of this process, and at what its feedbacks are doing.
  ///
  /// What is shown is what the journal has: a change that is still pending appears with its revision.
  ///
  /// - Parameters:
  ///   - store: What to look at; it must have a journal. (One in memory only knows what its undo window covers: open it in a
  ///     `MemoryJournal` to see all of it.)
  ///   - loops: Its feedback loops.
  ///   - hiding: What nobody is to see.
  ///   - conditions: What can be bisected by, by name.
  public convenience init<State: Journaled>(
    of store: Store<State>, loops: [FeedbackLoop<State>] = [], hiding: Hiding = Hiding(),
    conditions: [String: @Sendable (State) -> Bool] = [:]
  ) {
    guard let journal = store.journal else {
      preconditionFailure("A store without a journal can't be inspected: open it in a MemoryJournal.")
    }
    self.init(journal, InspectedTypes(State.self, in: journal, store: store, conditions: conditions), hiding) {
      loops.flatMap(\.effects)
    }
  }

  /// Has rows wait from now on until it is known whether they are taken back.
  package func waitForIndex() { isPatient.withLock { $0 = true } }

  /// Begins to read the whole journal in the background, newest first, and to follow it. Answers that need all of it get better by it.
  public func follow() {
    keeper.begin()
    guard effects != nil else { return }
    watch.withLock { [keeper] watch in
      guard watch == nil else { return }
      watch = Task {
        // Nobody says when an effect comes or goes. Whether it differs from what was told last, each listener knows for itself: one may have seen more
        // than another, at an entry in between.
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(200))
          keeper.announce()
        }
      }
    }
  }

  /// Ends what runs in the background, and every stream of news. The journal stays open.
  public func end() {
    watch.withLock { $0 }?.cancel()
    keeper.end()
  }

  deinit { end() }

  // MARK: The whole

  /// What is known of the journal as a whole.
  ///
  /// - Throws: `JournalError` when it can't be read.
  /// - Complexity: O(1) entries; what is counted is what the background has read so far.
  package func overview() async throws -> Overview {
    let head = try await keeper.start()
    let first = head.revision > .zero ? try? await journal.entries(after: 0, limit: 1).first : nil
    let last = head.revision > .zero ? try? await journal.entries(after: head.revision.previous, limit: 1).first : nil
    return try await keeper.look { index in
      Overview(
        name: journal.name, journal: head.journal.description, revision: head.revision.number, checksum: head.checksum.description,
        schema: last?.schema, types: types?.name, isLive: effects != nil, hidden: hiding.keys.sorted(), conditions: types?.conditions ?? [],
        firstTime: first?.time, lastTime: last?.time, indexed: min(index.count, head.revision.number),
        origins: index.origins.indices.filter { index.byOrigin[$0].count > 0 }
          .map { Overview.Maker(origin: index.origins[$0].text, count: index.byOrigin[$0].count, last: index.lastByOrigin[$0]) }
          .sorted { ($0.count, $0.last) > ($1.count, $1.last) },
        kinds: Dictionary(uniqueKeysWithValues: index.kinds.map { ($0.key.rawValue, $0.value.count) }),
        scopes: index.scopes.map(\.description).sorted(), takenBack: index.takenBackCount(), problem: index.problems.first?.message)
    }
  }

  /// What takes how much of the journal. Reads it whole first.
  ///
  /// - Parameter isComplete: Whether to wait until everything is counted.
  /// - Throws: `JournalError` when it can't be read.
  /// - Complexity: O(entries).
  package func stats(isComplete: Bool = true) async throws -> Stats {
    if isComplete { try await keeper.cover(1) }
    let head = try await keeper.start()
    let places = try await journal.snapshots(upTo: head.revision, limit: 1_000)
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
        })
    }
  }

  /// A day since 1970 as in 2026-12-01.
  private static func day(_ day: Int64) -> String {
    String(Date(timeIntervalSince1970: Double(day) * 86_400).ISO8601Format().prefix(10))
  }

  /// Checks everything that the journal holds; with types that it can be read as them, and that its snapshots are right, too.
  ///
  /// - Throws: ``InspectionError`` `busy` when a check is running already; `JournalError` when the journal can't be reached.
  /// - Complexity: O(bytes of the journal).
  package func verify() async throws -> Verification {
    let isFirst = isVerifying.withLock { isVerifying in
      defer { isVerifying = true }
      return !isVerifying
    }
    guard isFirst else {
      throw InspectionError(.busy, "The journal is being verified already. Wait for it to end.")
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
      if let types { head = try await types.verify() } else { head = try await journal.verify() }
      return Verification(isSound: true, revision: head.revision.number, seconds: seconds(), problem: nil, at: nil)
    } catch let error as JournalError where [.damaged, .newerSchema, .undecodable].contains(error.code) {
      let head = try? await journal.head()
      return Verification(
        isSound: false, revision: head?.revision.number ?? 0, seconds: seconds(), problem: error.description, at: error.revision?.number)
    }
  }

  /// Finds a revision at which a condition of the app turned.
  ///
  /// - Parameters:
  ///   - condition: Its name.
  ///   - from: Where to begin; nil for the first revision.
  ///   - to: Where to end; nil for the last.
  ///   - scan: Whether to look at every entry for the first time that it turned, instead of halving.
  /// - Throws: ``InspectionError`` `needsTypes`, `notFound` for an unknown condition, `badParameter` for an empty range; `JournalError`.
  package func bisect(_ condition: String, from: Int64? = nil, to: Int64? = nil, scan: Bool = false) async throws -> Turning {
    guard let types else {
      throw InspectionError(
        .needsTypes,
        """
        To bisect, the app's own types are needed: its state must be computed. Build the inspector into the app's own executable \
        (InspectorCommand<AppState>; see docs/inspector.md) and name conditions there.
        """)
    }
    guard types.conditions.contains(condition) else {
      let known = types.conditions.isEmpty ? "none is registered" : "there are: " + types.conditions.joined(separator: ", ")
      throw InspectionError(.notFound, "There is no condition '\(condition)': \(known). Add it to \(types.name)'s conditions.")
    }
    let head = try await journal.head().revision
    let (first, last) = (from ?? 1, to ?? head.number)
    guard first <= last else { throw InspectionError(.badParameter, "There is nothing between revision \(first) and \(last).") }
    for end in [first, last] where end < 1 || end > head.number {
      throw JournalError.noSuchRevision(journal.name, Revision(end), head: head)
    }
    let (turned, was) = try await types.bisect(condition, Revision(first)...Revision(last), scan)
    return Turning(revision: turned?.number, was: was, is: turned == nil ? was : !was)
  }
}

extension Origin {
  /// The whole id.
  var text: String { uuid.uuidString.lowercased() }
}
