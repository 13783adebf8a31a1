import Alter
import AlterTesting
import StoreTesting

@testable import AlterStore

/// Several replicas of one journal, with all possible interactions, in an order that a seed decides.
///
/// The journal is a plain array, and the network is simulated by random outcomes. There are no clocks, tasks or threads.
struct ReplicaSimulation {
  /// One participant, and the reports that its user received.
  struct Participant {
    var replica: Replica<Board>
    var flight: Replica<Board>.Flight?
    /// The sequence numbers of the changes made here, in order. `resolved` has their results.
    var made: [Int64] = []
    var resolved: [Int64: Replica<Board>.Resolution] = [:]
    var steps: [Record<Board>] = []
    var lastRevision: Revision = 1
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// One action, drawn beforehand, so that a schedule can be shortened and repeated.
  struct Action: CustomStringConvertible {
    let actor: Int
    let kind: Int
    let seed: UInt64

    var description: String { "(\(actor), \(kind), \(seed))" }

    static func schedule(seed: UInt64, count: Int) -> [Action] {
      var generator = SeededGenerator(seed: seed)
      return (0..<count).map { _ in
        Action(
          actor: Int.random(in: 0..<6, using: &generator), kind: Int.random(in: 0..<60, using: &generator), seed: generator.next())
      }
    }
  }

  var generator: SeededGenerator
  var journal: [Record<Board>]
  /// For each entry, a hash of all entries up to it. A head thus identifies a history.
  var checksums: [UInt64] = [0]
  /// The lengths that the journal has had. An append is present as a whole or not at all, also in a backup.
  var lengths: [Int] = [1]
  /// The last revision that a compaction has removed; 0 for none. Replicas no longer read those entries; the checks do.
  var floor = 0
  /// The number of compactions, and of the replicas that began again at a floor.
  var compactions = 0
  var beginnings = 0
  var participants: [Participant] = []
  var nextOrigin: UInt8 = 2
  var crashed: [Participant] = []
  /// Whether the participants make no more changes.
  var isEnding = false
  let id = JournalID(Origin.test(0).uuid)
  let window: Int

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    window = seed % 3 == 0 ? 4 : 1_000
    journal = [Record(revision: 1, id: EntryID(origin: .test(1), sequence: 1), time: 0, kind: .initial(Board()))]
    checksums.append(1)
    for _ in 0..<Int.random(in: 1...3, using: &generator) { participants.append(try join()) }
  }

  /// The head after this number of entries.
  func head(_ count: Int) -> Head {
    Head(journal: id, revision: Revision(Int64(count)), checksum: Checksum(high: 0, low: checksums[count]))
  }

  private mutating func append(_ record: Record<Board>, at revision: Int) {
    journal.append(
      Record(
        revision: Revision(Int64(revision)), id: record.id, time: record.time, scope: record.scope, kind: record.kind, cause: record.cause))
    var hash = SeededGenerator(
      seed: checksums[revision - 1] ^ UInt64(record.id.origin.uuid.uuid.0) << 32 ^ UInt64(record.id.sequence) ^ UInt64(revision) << 48)
    checksums.append(hash.next())
  }

  mutating func join() throws -> Participant {
    defer { nextOrigin += 1 }
    let (history, _) = try refolded(after: head(journal.count).revision, upTo: journal.count)
    let replica = Replica(
      history, head: head(journal.count), origin: .test(nextOrigin), scope: scope(nextOrigin), limit: 20,
      flightLimit: 3)
    return Participant(replica: replica, lastRevision: Revision(Int64(journal.count)))
  }

  /// One replica in three uses the scope named 'own'. The others share the scope of the journal.
  func scope(_ number: UInt8) -> UndoScope { number % 3 == 0 ? "own" : .journal }

  mutating func run(_ actions: [Action]) throws {
    for action in actions {
      generator = SeededGenerator(seed: action.seed)
      try step(action.actor % participants.count, action.kind)
    }
    // At the end every replica succeeds.
    isEnding = true
    for index in participants.indices {
      while participants[index].replica.pendingCount > 0 { try deliver(index, fate: 0) }
    }
    for index in participants.indices { try read(index) }
    try check()
  }

  private mutating func step(_ index: Int, _ kind: Int) throws {
    switch kind {
    case 0..<21: try change(index)
    case 21..<27: try undo(index, redo: Bool.random(using: &generator))
    case 27..<45: try deliver(index, fate: Int.random(in: 0..<6, using: &generator))
    case 45..<54: try read(index)
    case 54 where nextOrigin < 250:
      crashed.append(participants[index])
      participants[index] = try join()
    case 55 where nextOrigin < 250 && participants[index].flight == nil:
      let origin = Origin.test(nextOrigin)
      nextOrigin += 1
      try take(participants[index].replica.renew(origin), by: index)
    case 56 where journal.count > 2 && nextOrigin < 250: try fork()
    case 57, 58: compact()
    default: try read(index)
    }
  }

  /// Restores a backup, from which another writer continues.
  private mutating func fork() throws {
    lengths.removeLast()
    guard let kept = lengths.randomElement(using: &generator) else { return lengths.append(journal.count) }
    lengths.removeAll { $0 > kept }
    // An older backup is from before the compaction.
    if kept < floor { floor = 0 }
    journal.removeSubrange(kept...)
    checksums.removeSubrange((kept + 1)...)
    let stranger = EntryID(origin: .test(nextOrigin), sequence: 1)
    nextOrigin += 1
    append(Record(revision: 0, id: stranger, time: 0, kind: .changes([.note("after the fork")])), at: kept + 1)
    lengths.append(journal.count)
  }

  /// Moves the floor, as far as no undo reaches across it.
  private mutating func compact() {
    var new = Int.random(in: floor...journal.count, using: &generator)
    let places = Dictionary(uniqueKeysWithValues: journal.indices.map { (journal[$0].id, $0 + 1) })
    while new > floor {
      let spans = journal[new...].flatMap(\.targets).compactMap { places[$0] }.filter { $0 <= new }
      guard let oldest = spans.min() else { break }
      new = oldest - 1
    }
    guard new > floor else { return }
    floor = new
    compactions += 1
  }

  /// Begins again at the floor, as the store does.
  private mutating func begin(_ replica: inout Replica<Board>, into report: inout Replica<Board>.Report) throws {
    let (history, steps) = try refolded(after: head(floor).revision, upTo: journal.count)
    let places = Dictionary(uniqueKeysWithValues: journal[..<floor].indices.map { (journal[$0].id, Revision(Int64($0 + 1))) })
    let own = replica.pendingIDs.reduce(into: [EntryID: Revision]()) { own, id in own[id] = places[id] }
    let state = definedState(of: Array(journal[..<floor])).state
    replica.begin(
      at: head(floor).revision, state, history, steps: steps, own: own, head: head(journal.count), into: &report)
    beginnings += 1
  }

  /// Whether a replica's head belongs to the journal's history. If not, another replica takes its place.
  private mutating func isOfThisHistory(_ index: Int) throws -> Bool {
    if isOfThisHistory(participants[index]) { return true }
    participants[index] = try join()
    return false
  }

  private func isOfThisHistory(_ participant: Participant) -> Bool {
    guard let head = participant.replica.head else { return false }
    let place = Int(head.revision.number)
    return place < checksums.count && self.head(place) == head
  }

  private mutating func change(_ index: Int) throws {
    let changes = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Board.Change.random(using: &generator) }
    let requirement = Int.random(in: 0..<5, using: &generator) == 0 ? participants[index].replica.leftOver.last?.record.id : nil
    let before = participants[index].replica.state
    do {
      let record = try participants[index].replica.change(
        .changes(changes), cause: nil, requirement: requirement, now: Int64(journal.count))
      participants[index].made.append(record.id.sequence)
    } catch {
      guard participants[index].replica.state == before else { throw Failure("a refused change has changed the state") }
    }
  }

  private mutating func undo(_ index: Int, redo: Bool) throws {
    let before = participants[index].replica.state
    do {
      let record = try participants[index].replica.undo(redo: redo, now: 0)
      participants[index].made.append(record.id.sequence)
    } catch {
      guard participants[index].replica.state == before else { throw Failure("a refused undo has changed the state") }
    }
  }

  /// One attempt to append the pending changes to the journal.
  private mutating func deliver(_ index: Int, fate: Int) throws {
    if participants[index].flight == nil { participants[index].flight = participants[index].replica.takeFlight() }
    guard let flight = participants[index].flight else { return }
    if fate == 1 { return }  // delayed: still under way
    let ids = Set(flight.records.map(\.id))
    if journal[..<floor].contains(where: { ids.contains($0.id) }) {
      // Its entries are gone: the writer is behind, and finds them when it begins again.
      guard try isOfThisHistory(index) else { return }
      guard Int(flight.head.revision.number) < floor else { throw Failure("a replica above the floor appends entries from below it") }
      participants[index].replica.turnedBack(flight)
      participants[index].flight = nil
      return try read(index)
    }
    if let place = journal.firstIndex(where: { $0.id == flight.records[0].id }) {
      // Exactly once: the journal contains the flight already.
      try land(index, flight, at: place + 1, twice: fate == 3)
      return
    }
    guard Int(flight.head.revision.number) == journal.count, flight.head == head(journal.count) else {
      guard try isOfThisHistory(index) else { return }
      participants[index].replica.turnedBack(flight)
      participants[index].flight = nil
      try read(index)
      return
    }
    let gone = Set(journal[..<floor].map(\.id))
    let impossible = flight.records.filter { $0.content.isMark && !gone.isDisjoint(with: $0.targets) }
    guard impossible.isEmpty else {
      // Only these undos are dropped.
      participants[index].flight = nil
      for record in impossible {
        let error = JournalError(.noSuchRevision, journal: "simulated", message: "does not have the entry any more.")
        try take(participants[index].replica.discard(record.id.sequence, because: .failed(error)), by: index)
      }
      return
    }
    let first = journal.count + 1
    for (offset, record) in flight.records.enumerated() { append(record, at: first + offset) }
    lengths.append(journal.count)
    // Fate 2: written, but the answer is lost; the replica retries the same flight, or reads it first. Fate 3: the answer arrives twice.
    if fate != 2 { try land(index, flight, at: first, twice: fate == 3) }
  }

  private mutating func land(_ index: Int, _ flight: Replica<Board>.Flight, at first: Int, twice: Bool) throws {
    participants[index].flight = nil
    let appended = Appended(first: Revision(Int64(first)), head: head(first + flight.records.count - 1))
    for _ in 0..<(twice ? 2 : 1) {
      let report = participants[index].replica.landed(flight, at: appended, wantsSteps: index % 2 == 0)
      guard let report else { return try read(index) }
      try take(report, by: index)
    }
  }

  private mutating func read(_ index: Int) throws {
    guard try isOfThisHistory(index) else { return }
    guard let known = participants[index].replica.head?.revision, known < Revision(Int64(journal.count)) else { return }
    if Bool.random(using: &generator) { return try readApart(index, after: known) }
    if Int(known.number) < floor {
      var report = Replica<Board>.Report()
      var replica = participants[index].replica
      try begin(&replica, into: &report)
      replica.rebase(into: &report)
      participants[index].replica = replica
      participants[index].flight = nil
      return try take(report, by: index)
    }
    let upTo = Int.random(in: Int(known.number) + 1...journal.count, using: &generator)
    let records = Array(journal[Int(known.number)..<upTo])
    let advanced = Result { () throws(Replica<Board>.Obstacle) in
      try participants[index].replica.advance(records, to: head(upTo), skipsRefused: false, wantsSteps: index % 2 == 0)
    }
    switch advanced {
    case .success(let report): try take(report, by: index)
    case .failure(.refused(let revision, let failure)): throw Failure("revision \(revision) is refused at replay: \(failure)")
    case .failure(.reachesBeyond):
      let (history, steps) = try refolded(after: known, upTo: upTo)
      try take(participants[index].replica.adopt(history, steps: steps, head: head(upTo)), by: index)
    }
    if upTo < journal.count { try read(index) }
  }

  /// Reads as the store does: on a copy, in parts, while the original accepts changes and undos.
  private mutating func readApart(_ index: Int, after known: Revision) throws {
    var copy = participants[index].replica.copied()
    var report = Replica<Board>.Report()
    var place = Int(known.number)
    while place < journal.count {
      if place < floor {
        try begin(&copy, into: &report)
        break
      }
      let upTo = Int.random(in: place + 1...journal.count, using: &generator)
      let taken = Result { () throws(Replica<Board>.Obstacle) in
        try copy.takeIn(
          Array(journal[place..<upTo]), to: head(upTo), ignoring: [], wantsSteps: index % 2 == 0, into: &report)
      }
      if case .failure = taken {
        let (history, steps) = try refolded(after: Revision(Int64(place)), upTo: upTo)
        copy.takeIn(history, steps: steps, head: head(upTo), into: &report)
      }
      place = upTo
      if Int.random(in: 0..<8, using: &generator) == 0 { compact() }
      if Bool.random(using: &generator) { try work(index) }
    }
    if case .failure(.refused(let revision, let failure)) = Result(catching: { () throws(Replica<Board>.Obstacle) in
      try copy.judge(report, skipsRefused: false)
    }) {
      throw Failure("revision \(revision) is refused at replay: \(failure)")
    }
    copy.rebase(into: &report)
    if Bool.random(using: &generator) {
      try work(index)
      if copy.pending.hasNewGround { copy.follow(participants[index].replica.made(after: copy.sequence), into: &report) }
    }
    try work(index)
    participants[index].replica.trade(with: &copy, into: &report)
    if report.start == nil, report.steps.isEmpty == (index % 2 == 0) { throw Failure("the steps are missing, or not wanted") }
    // A flight in progress has an older head.
    participants[index].flight = nil
    try take(report, by: index)
  }

  /// Possible work of the user while a copy exists.
  private mutating func work(_ index: Int) throws {
    guard !isEnding else { return }
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      if Int.random(in: 0..<4, using: &generator) == 0 {
        try undo(index, redo: Bool.random(using: &generator))
      } else {
        try change(index)
      }
    }
  }

  private func refolded(after known: Revision, upTo: Int) throws -> (History<Board>, [Replica<Board>.Step]) {
    let start = max(floor, 1)
    var history = History(definedState(of: Array(journal[..<start])).state, at: head(start).revision, window: .max)
    var steps: [Replica<Board>.Step] = []
    for record in journal[start..<upTo] {
      if case .reachesBeyond = history.append(record) { throw Failure("an undo above the floor names an entry below it") }
      if record.revision > known { steps.append((record, history.state)) }
    }
    history.narrow(to: window)
    return (history, steps)
  }

  private mutating func take(_ report: Replica<Board>.Report, by index: Int) throws {
    for resolution in report.resolutions {
      guard participants[index].resolved.updateValue(resolution, forKey: resolution.sequence) == nil else {
        throw Failure("resolved twice: \(resolution.sequence)")
      }
    }
    guard report.refusals.isEmpty else { throw Failure("refused at replay: \(report.refusals)") }
    let revision = participants[index].replica.history.revision
    guard revision >= participants[index].lastRevision else { throw Failure("the confirmed revision went back") }
    participants[index].lastRevision = revision
    for step in report.steps {
      participants[index].steps.append(step.record)
      let defined = definedState(of: Array(journal[..<Int(step.record.revision.number)])).state
      guard step.state == defined else {
        throw Failure("the state told with revision \(step.record.revision) is not that of the definition")
      }
    }
  }

  private func check() throws {
    let defined = definedState(of: journal).state
    guard Set(journal.map(\.id)).count == journal.count else { throw Failure("an entry is there twice") }
    for participant in participants {
      guard participant.replica.state == defined, participant.replica.history.state == defined else {
        throw Failure("a replica differs from the definition: \(participant.replica.state) instead of \(defined)")
      }
      guard Set(participant.resolved.keys) == Set(participant.made) else { throw Failure("not everything was resolved") }
    }
    // If a participant crashed with a history that was replaced since, its reports were lost. It is not checked.
    for participant in participants + crashed.filter(isOfThisHistory) {
      // The journal contains the changes of each replica in their order, without the dropped ones, at the reported revisions.
      var last: Revision = .zero
      for sequence in participant.made {
        guard let resolution = participant.resolved[sequence], case .success(let revision) = resolution.result else { continue }
        guard journal[Int(revision.number) - 1].id == resolution.id, revision > last else {
          throw Failure("a confirmed entry is not where it was said to be: \(resolution.id) at \(revision)")
        }
        last = revision
      }
      let revisions = participant.steps.map(\.revision)
      guard revisions == revisions.sorted(), Set(revisions).count == revisions.count else {
        throw Failure("observed out of order: \(revisions)")
      }
    }
    for participant in participants {
      let dropped = participant.resolved.filter { if case .failure = $0.value.result { true } else { false } }
      let origins = Set(journal.map(\.id.origin))
      for (sequence, _) in dropped where origins.contains(participant.replica.origin) {
        guard !journal.contains(where: { $0.id == EntryID(origin: participant.replica.origin, sequence: sequence) }) else {
          throw Failure("\(sequence) was reported as dropped, and is there")
        }
      }
    }
  }
}
