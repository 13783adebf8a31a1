import AlterCore
import AlterJournal

/// An index of all entries, which answers questions about one of them: which entry undoes it, at which revision an id is, and how frequent
/// each kind is. A pure value.
///
/// It adds entries at both ends. Existing entries are added backwards, so that the newest are known at once; new entries are added
/// forwards. An entry costs nothing by itself; it costs 24 bytes if another origin wrote the previous one, and some more for an undo or an
/// answer.
///
/// ```
///   1 ───────────── low ═══════ indexed ═══════ high
///        not yet            ← adds      adds →
/// ```
struct JournalIndex: Sendable {
  /// Consecutive entries of one origin.
  struct Run: Sendable {
    var sequence: Int64
    var revision: Int64
    var count: Int64
  }

  /// An undo or a redo.
  struct Mark: Sendable {
    let revision: Int64
    let id: EntryID
    let targets: [EntryID]
    /// Whether the active answers to the target are undone with it, by rule.
    let isByRule: Bool
  }

  /// An entry that a feedback made, or that answers another.
  struct Answer: Sendable {
    let revision: Int64
    let time: Int64
    /// The entry that it answers; the origin is negative if that is not recorded.
    let origin: Int32
    let sequence: Int64
    let feedback: Int32
  }

  /// A number of entries and their total size in bytes.
  struct Tally: Sendable {
    var count = 0
    var bytes: Int64 = 0

    mutating func add(_ size: Int64) {
      count += 1
      bytes = bytes.saturatingAdding(size)
    }
  }

  /// The newest entry below the indexed ones; 0 if there is none.
  private(set) var low: Int64
  /// The newest indexed entry.
  private(set) var high: Int64
  private(set) var origins: [Origin] = []
  private var originNumbers: [Origin: Int32] = [:]
  private(set) var byOrigin: [Tally] = []
  private(set) var lastByOrigin: [Int64] = []
  private var runs: [TwoEnded<Run>] = []
  private(set) var kinds: [Entry.Kind: Tally] = [:]
  private(set) var scopes: Set<UndoScope> = []
  private(set) var marks = TwoEnded<Mark>()
  /// The entries that hold a whole state.
  private(set) var states = TwoEnded<Int64>()
  private(set) var answers = TwoEnded<Answer>()
  private(set) var feedbacks: [String] = []
  private var feedbackNumbers: [String: Int32] = [:]
  private(set) var byFeedback: [Tally] = []
  /// By day since 1970 UTC.
  private(set) var days: [Int64: Tally] = [:]
  private(set) var total = Tally()
  /// The number of payloads by size. Payloads of d different sizes have at least d²/2 bytes, so these are few: at most 63,000 in 2 GB.
  private var sizes: [Int: Int] = [:]
  private(set) var largest: (size: Int, revision: Int64)?
  /// The entries that cannot be read, with the reasons.
  private(set) var problems: [(revision: Int64, message: String)] = []

  /// The revision of the undo or redo that undoes an entry.
  private var takenBack: [EntryID: Int64] = [:]
  /// The revision of the newest undo or redo that undoes the answers to an entry, by rule.
  private var byRule: [EntryID: Int64] = [:]
  /// The number of older marks that `takenBack` includes; nil if it must be computed again from scratch.
  private var reckoned: Int? = 0

  /// Creates an empty index at the head of a journal.
  init(at head: Revision) { (low, high) = (head.number, head.number) }

  /// The number of indexed entries, including unreadable ones.
  var count: Int64 { high.saturatingSubtracting(low) }

  /// Whether an entry is indexed.
  func contains(_ revision: Int64) -> Bool { revision > low && revision <= high }

  // MARK: Adding entries

  /// Adds the entry before the indexed ones. It ignores any other entry.
  mutating func putBefore(_ entry: Entry) {
    guard entry.revision.number == low else { return }
    take(entry, before: true)
    low -= 1
  }

  /// Adds the entry after the indexed ones. It ignores any other entry.
  mutating func putAfter(_ entry: Entry) {
    guard high < .max, entry.revision.number == high + 1 else { return }
    take(entry, before: false)
    high += 1
  }

  /// Skips an unreadable entry at either end.
  mutating func skip(_ revision: Int64, _ message: String) {
    if revision == low, low > .min { low -= 1 } else if high < .max, revision == high + 1 { high += 1 } else { return }
    problems.append((revision, message))
  }

  private mutating func take(_ entry: Entry, before: Bool) {
    let (revision, size) = (entry.revision.number, entry.size)
    let origin = number(of: entry.id.origin)
    byOrigin[origin].add(size)
    lastByOrigin[origin] = max(lastByOrigin[origin], revision)
    total.add(size)
    kinds[entry.kind, default: Tally()].add(size)
    scopes.insert(entry.scope)
    days[Self.day(of: entry.time), default: Tally()].add(size)
    sizes[entry.payload.count, default: 0] += 1
    if entry.payload.count > largest?.size ?? -1 { largest = (entry.payload.count, revision) }
    takeRun(entry.id.sequence, revision, of: origin, before: before)
    switch entry.kind {
    case .undo, .redo:
      let targets = try? JournalCoding.decode(Entry.Targets.self, from: entry.payload)
      let mark = Mark(revision: revision, id: entry.id, targets: targets?.targets ?? [], isByRule: targets?.isByRule ?? false)
      if before { marks.putBefore(mark) } else { marks.putAfter(mark) }
      if !before { reckoned = nil }
    case .initial, .reset: if before { states.putBefore(revision) } else { states.putAfter(revision) }
    case .changes, .refused: break
    }
    if let cause = entry.draft.cause { takeCause((try? JSONValue(parsing: cause)) ?? .null, of: entry, before: before) }
  }

  private mutating func takeRun(_ sequence: Int64, _ revision: Int64, of origin: Int, before: Bool) {
    if before {
      let joined = runs[origin].changeOldest { run in
        guard run.revision.saturatingSubtracting(revision) == 1, run.sequence.saturatingSubtracting(sequence) == 1 else { return false }
        run = Run(sequence: sequence, revision: revision, count: run.count + 1)
        return true
      }
      if !joined { runs[origin].putBefore(Run(sequence: sequence, revision: revision, count: 1)) }
    } else {
      let joined = runs[origin].changeNewest { run in
        guard revision.saturatingSubtracting(run.revision) == run.count, sequence.saturatingSubtracting(run.sequence) == run.count else {
          return false
        }
        run.count += 1
        return true
      }
      if !joined { runs[origin].putAfter(Run(sequence: sequence, revision: revision, count: 1)) }
    }
  }

  private mutating func takeCause(_ cause: JSONValue, of entry: Entry, before: Bool) {
    let feedback = cause["feedback"]?.text.map { name in
      let number = feedbackNumbers[name] ?? Int32(feedbacks.count)
      if number == feedbacks.count {
        feedbackNumbers[name] = number
        feedbacks.append(name)
        byFeedback.append(Tally())
      }
      byFeedback[Int(number)].add(entry.size)
      return number
    }
    let answered: EntryID? = (try? cause["answers"]?.decode()) ?? Cause(request: cause["request"]?.text).asking
    guard feedback != nil || answered != nil else { return }
    let answer = Answer(
      revision: entry.revision.number, time: entry.time, origin: answered.map { Int32(number(of: $0.origin)) } ?? -1,
      sequence: answered?.sequence ?? 0, feedback: feedback ?? -1)
    if before { answers.putBefore(answer) } else { answers.putAfter(answer) }
  }

  private mutating func number(of origin: Origin) -> Int {
    if let number = originNumbers[origin] { return Int(number) }
    originNumbers[origin] = Int32(origins.count)
    origins.append(origin)
    byOrigin.append(Tally())
    lastByOrigin.append(0)
    runs.append(TwoEnded())
    return origins.count - 1
  }

  /// The day of a time, counted from 1970 UTC.
  static func day(of time: Int64) -> Int64 { Int64((Double(time) / 86_400_000_000).rounded(.down)) }

  // MARK: Queries

  /// Returns the revision of an entry; nil if it is not indexed.
  ///
  /// - Complexity: O(log n).
  func revision(of id: EntryID) -> Int64? {
    guard let number = originNumbers[id.origin], let run = runs[Int(number)].last(where: { $0.sequence <= id.sequence }),
      id.sequence.saturatingSubtracting(run.sequence) < run.count
    else { return nil }
    return run.revision + (id.sequence - run.sequence)
  }

  /// Returns the revision of the undo or redo that undoes an entry; nil if there is none among the indexed entries.
  ///
  /// - Parameters:
  ///   - id: The id of the entry.
  ///   - revision: The revision of the entry.
  ///   - answered: The entry that it answers: an undo of that one by rule undoes the answers before the undo, too.
  /// - Complexity: O(1); O(all undos) for the first call after a new undo or redo.
  mutating func taker(of id: EntryID, at revision: Int64 = .max, answering answered: EntryID? = nil) -> Int64? {
    reckon()
    if let taker = takenBack[id] { return taker }
    guard let answered, let taker = byRule[answered], revision < taker else { return nil }
    return taker
  }

  /// Returns the number of undone entries, apart from the answers that are undone by rule.
  mutating func takenBackCount() -> Int {
    reckon()
    return takenBack.count
  }

  /// Computes which entries are undone. An undo or a redo undoes its targets unless it is undone itself, so the newest one is decided
  /// first.
  private mutating func reckon() {
    if reckoned == nil {
      (takenBack, byRule) = ([:], [:])
      for mark in marks.newer.reversed() { reckon(mark) }
      reckoned = 0
    }
    for mark in marks.older[(reckoned ?? 0)...] { reckon(mark) }
    reckoned = marks.older.count
  }

  private mutating func reckon(_ mark: Mark) {
    // The answers that an undo by rule has reverted stay undone when the undo itself is undone.
    if mark.isByRule, let target = mark.targets.first { byRule[target] = max(byRule[target] ?? 0, mark.revision) }
    guard takenBack[mark.id] == nil else { return }
    for target in mark.targets where takenBack[target] == nil { takenBack[target] = mark.revision }
  }

  /// Returns the revisions of the entries that answer an entry, oldest first.
  ///
  /// - Complexity: O(answers).
  func answers(to id: EntryID) -> [Int64] {
    guard let number = originNumbers[id.origin] else { return [] }
    return answers.newestFirst.filter { $0.origin == number && $0.sequence == id.sequence }.map(\.revision).reversed()
  }

  /// Returns the median size of the payloads, in bytes; 0 if there are none.
  ///
  /// - Complexity: O(d log d) for payloads of d different sizes.
  func medianSize() -> Int {
    var rest = (sizes.values.reduce(0, +) + 1) / 2
    for (size, count) in sizes.sorted(by: { $0.key < $1.key }) {
      rest -= count
      if rest <= 0 { return size }
    }
    return 0
  }
}
