import Alter
import AlterStore
import Foundation
import ProcessTesting
import StoreTesting
import Testing

@Suite("Replicas over one journal")
struct ReplicaTests {
  /// The number of schedules. `ALTER_SCHEDULES=1000000 swift test --filter ReplicaTests` runs more.
  static let schedules = UInt64(ProcessInfo.processInfo.environment["ALTER_SCHEDULES"] ?? "") ?? (Effort.isFull ? 8_000 : 1_200)

  /// The events of a run, which show that the schedules had an effect.
  private struct Tally {
    var entries = 0
    var undos = 0
    var dropped = 0
    var compactions = 0
    var beginnings = 0
    var failure: String?
  }

  @Test(
    "agree with the definition and with each other after any schedule of changes, undos, conflicts, lost and doubled answers, collisions, forks, crashes and compactions"
  )
  func anySchedule() async {
    let workers: UInt64 = 4
    let tally = await withTaskGroup(of: Tally.self) { group in
      for worker in 0..<workers {
        group.addTask { Self.run(stride(from: worker, to: Self.schedules, by: Int(workers))) }
      }
      return await group.reduce(into: Tally()) { all, part in
        all.entries += part.entries
        all.undos += part.undos
        all.dropped += part.dropped
        all.compactions += part.compactions
        all.beginnings += part.beginnings
        all.failure = all.failure ?? part.failure
      }
    }
    if let failure = tally.failure { Issue.record("\(failure)") }
    // The schedules serve their purpose only if work succeeds, is undone, and is sometimes dropped.
    #expect(tally.entries > Int(Self.schedules) * 5)
    #expect(tally.undos > Int(Self.schedules) / 10)
    #expect(tally.dropped > Int(Self.schedules) / 20)
    #expect(tally.compactions > Int(Self.schedules) / 4)
    #expect(tally.beginnings > Int(Self.schedules) / 20)
    print(
      """
      \(Self.schedules) schedules: \(tally.entries) entries in the journals at the end, \(tally.undos) undos, \(tally.dropped) dropped, \
      \(tally.compactions) compactions, \(tally.beginnings) new beginnings
      """)
  }

  private static func run(_ seeds: some Sequence<UInt64>) -> Tally {
    var tally = Tally()
    for seed in seeds {
      let actions = ReplicaSimulation.Action.schedule(seed: seed, count: 60)
      do {
        let simulation = try outcome(of: actions, seed: seed)
        tally.entries += simulation.journal.count
        tally.compactions += simulation.compactions
        tally.beginnings += simulation.beginnings
        tally.undos += simulation.journal.count { !$0.targets.isEmpty }
        tally.dropped += simulation.participants.flatMap(\.resolved).count { if case .failure = $0.value.result { true } else { false } }
      } catch {
        let shortest = shrink(actions) { (try? outcome(of: $0, seed: seed)) == nil }
        let failure = Result { try outcome(of: shortest, seed: seed) }
        tally.failure = "seed \(seed): \(error)\nshortest: \(shortest)\nwith it: \(failure)"
        return tally
      }
    }
    return tally
  }

  private static func outcome(of actions: [ReplicaSimulation.Action], seed: UInt64) throws -> ReplicaSimulation {
    var simulation = try ReplicaSimulation(seed: seed)
    try simulation.run(actions)
    return simulation
  }

  /// Removes elements that are not needed for a failure: halves, quarters, … down to single actions.
  private static func shrink<Element>(_ elements: [Element], while fails: ([Element]) -> Bool) -> [Element] {
    var elements = elements
    var size = elements.count / 2
    while size > 0 {
      var start = 0
      while start < elements.count {
        var fewer = elements
        fewer.removeSubrange(start..<min(start + size, elements.count))
        if fails(fewer) { elements = fewer } else { start += size }
      }
      size /= 2
    }
    return elements
  }

  @Test("a failing schedule shrinks to what is needed for it")
  func shrinking() {
    let shortest = Self.shrink(Array(0..<100)) { $0.contains(17) && $0.contains(71) }
    #expect(shortest == [17, 71])
  }

  private func replica(_ number: UInt8 = 1, over records: [Record<Board>] = [], limit: Int = 100) -> Replica<Board> {
    var history = History(Board(), at: 1, window: 1_000)
    for record in records { _ = history.append(record) }
    return Replica(history, head: head(history.revision), origin: .test(number), scope: .journal, limit: limit)
  }

  /// `#require` for the result of a mutating call, which the macro can't contain.
  private func required<Value>(_ value: Value?) throws -> Value { try #require(value) }

  private func head(_ revision: Revision) -> Head {
    Head(journal: JournalID(Origin.test(0).uuid), revision: revision, checksum: Checksum(high: 0, low: UInt64(revision.number)))
  }

  private func foreign(_ revision: Revision, _ kind: Record<Board>.Kind) -> Record<Board> {
    Record(revision: revision, id: EntryID(origin: .test(9), sequence: revision.number), time: 0, kind: kind)
  }

  @Test("a change that others' work makes impossible is dropped once, with what builds on it, and its reason")
  func dropped() throws {
    var replica = replica()
    let first = try replica.change(.changes([.put("a", 1)]), cause: nil, requirement: nil, now: 0)
    let second = try replica.change(.changes([.note("after a")]), cause: nil, requirement: first.id, now: 0)
    _ = try replica.change(.changes([.note("free")]), cause: nil, requirement: nil, now: 0)
    let report = try required(try? replica.advance([foreign(2, .changes([.put("a", 5)]))], to: head(2), wantsSteps: false))
    #expect(report.resolutions.map(\.sequence) == [first.id.sequence, second.id.sequence])
    guard case .failure(.dropped(let refusal)) = report.resolutions[0].result else { throw ReplicaSimulation.Failure("not dropped") }
    #expect(refusal == .duplicate(kind: "value", id: "a"))
    guard case .failure(.requirementDropped) = report.resolutions[1].result else { throw ReplicaSimulation.Failure("not dropped") }
    #expect(replica.state.notes == ["free"] && replica.state.values == ["a": 5])
  }

  @Test("two undos at once take back two entries")
  func concurrentUndo() throws {
    let past = [foreign(2, .changes([.note("one")])), foreign(3, .changes([.note("two")]))]
    var first = replica(1, over: past)
    var second = replica(2, over: past)
    _ = try first.undo(redo: false, now: 0)
    _ = try second.undo(redo: false, now: 0)
    let flight = try required(first.takeFlight())
    _ = first.landed(flight, at: Appended(first: 4, head: head(4)), wantsSteps: false)
    _ = try second.advance([flight.records[0]], to: head(4), wantsSteps: false)
    let later = try required(second.takeFlight())
    #expect(flight.records[0].targets == [past[1].id])
    #expect(later.records[0].targets == [past[0].id])
    #expect(second.state.notes == [])
  }

  @Test("what is its own in others' delta is confirmed, not applied again")
  func ownInDelta() throws {
    var replica = replica()
    _ = try replica.change(.changes([.note("A")]), cause: nil, requirement: nil, now: 0)
    _ = try replica.change(.changes([.note("B")]), cause: nil, requirement: nil, now: 0)
    let flight = try required(replica.takeFlight())
    // The answer is lost. A reader sees the first of the two entries, then the rest.
    var report = try required(try? replica.advance([flight.records[0]], to: head(2), wantsSteps: true))
    #expect(report.resolutions.count == 1 && report.steps.map(\.state.notes) == [["A"]])
    #expect(replica.state.notes == ["A", "B"])
    report = try required(try? replica.advance([flight.records[0], flight.records[1]], to: head(3), wantsSteps: true))
    #expect(report.resolutions.count == 1 && replica.pendingCount == 0)
    #expect(replica.state.notes == ["A", "B"] && replica.history.state.notes == ["A", "B"])
    let late = try required(replica.landed(flight, at: Appended(first: 2, head: head(3)), wantsSteps: true))
    #expect(late.resolutions.isEmpty)
  }

  @Test("an undo that would pull the ground from under later work is refused and names that work")
  func wouldSuppress() throws {
    var replica = replica(1, over: [])
    _ = try replica.change(.changes([.put("a", 1)]), cause: nil, requirement: nil, now: 0)
    let flight = try required(replica.takeFlight())
    _ = replica.landed(flight, at: Appended(first: 2, head: head(2)), wantsSteps: false)
    let other = Record<Board>(
      revision: 3, id: EntryID(origin: .test(9), sequence: 1), time: 0, scope: "other", kind: .changes([.add("a", 2)]))
    _ = try replica.advance([other], to: head(3), wantsSteps: false)
    #expect(throws: UndoError.wouldSuppress([3])) { try replica.undo(redo: false, now: 0) }
    #expect(replica.state.values == ["a": 3] && replica.pendingCount == 0)
  }

  @Test("an undo takes the feedback's answers back with the request; a redo brings the request alone, which is answered anew")
  func answers() throws {
    var replica = replica()
    let request = try replica.change(.changes([.put("request", 1)]), cause: nil, requirement: nil, now: 0)
    _ = try replica.change(.changes([.note("answer")]), cause: Cause(answers: request.id, feedback: "f"), requirement: nil, now: 0)
    let undo = try replica.undo(redo: false, now: 0)
    #expect(undo.targets.count == 2)
    #expect(replica.state == Board())
    let redo = try replica.undo(redo: true, now: 0)
    #expect(replica.state.values == ["request": 1] && replica.state.notes == [])
    #expect(throws: UndoError.nothingToRedo) { try replica.undo(redo: true, now: 0) }
    // The request appeared again with the redo, so the second answer names the redo as its cause. An undo of the request still reverts the
    // answer, any number of times.
    _ = try replica.change(.changes([.note("second")]), cause: Cause(answers: redo.id, feedback: "f"), requirement: nil, now: 0)
    #expect(replica.state.notes == ["second"])
    _ = try replica.undo(redo: false, now: 0)
    #expect(replica.state == Board())
    let again = try replica.undo(redo: true, now: 0)
    #expect(replica.state.values == ["request": 1] && replica.state.notes == [])
    _ = try replica.change(.changes([.note("third")]), cause: Cause(answers: again.id, feedback: "f"), requirement: nil, now: 0)
    _ = try replica.undo(redo: false, now: 0)
    #expect(replica.state == Board())
  }

  @Test("a redo takes back what was answered because of the undo")
  func answersToUndo() throws {
    var replica = replica()
    _ = try replica.change(.changes([.put("done", 1)]), cause: nil, requirement: nil, now: 0)
    let undo = try replica.undo(redo: false, now: 0)
    _ = try replica.change(.changes([.note("asked again")]), cause: Cause(answers: undo.id, feedback: "f"), requirement: nil, now: 0)
    _ = try replica.undo(redo: true, now: 0)
    #expect(replica.state.values == ["done": 1] && replica.state.notes == [])
  }

  @Test("a change with a condition is refused, and dropped at a rebase, where the state does not meet it")
  func conditions() throws {
    var replica = replica()
    let isOpen: @Sendable (Board) -> Bool = { $0.values["request"] == 1 }
    #expect(throws: ChangeError<Board.Failure>.conditionFailed) {
      try replica.change(.changes([.note("answer")]), cause: nil, requirement: nil, condition: isOpen, now: 0)
    }
    let request = try replica.change(.changes([.put("request", 1)]), cause: nil, requirement: nil, now: 0)
    let answer = try replica.change(.changes([.note("answer")]), cause: nil, requirement: nil, condition: isOpen, now: 0)
    let other = Record<Board>(revision: 2, id: EntryID(origin: .test(9), sequence: 1), time: 0, kind: .changes([.note("other")]))
    let kept = try? replica.advance([other], to: head(2), wantsSteps: false)
    #expect(kept?.resolutions.isEmpty == true && replica.state.notes == ["other", "answer"])
    let closing = Record<Board>(
      revision: 3, id: EntryID(origin: .test(9), sequence: 2), time: 0, kind: .reset(Board()))
    let dropped = try? replica.advance([closing], to: head(3), wantsSteps: false)
    // The request is replayed on top of the other changes, and so is its answer. If the request is dropped, the answer is, too.
    #expect(dropped?.resolutions.isEmpty == true && replica.state.notes == ["answer"])
    let report = replica.discard(request.id.sequence, because: .requirementDropped)
    #expect(report.resolutions.map(\.id) == [request.id, answer.id])
    guard case .failure(.conditionFailed) = report.resolutions[1].result else {
      Issue.record("the answer was dropped for another reason")
      return
    }
    #expect(replica.state.notes == [] && replica.leftOver.isEmpty)
  }

  @Test("a new change clears what could be redone; undo walks back through an undone redo")
  func stacks() throws {
    var replica = replica()
    for text in ["1", "2", "3"] { _ = try replica.change(.changes([.note(text)]), cause: nil, requirement: nil, now: 0) }
    _ = try replica.undo(redo: false, now: 0)
    _ = try replica.undo(redo: false, now: 0)
    #expect(replica.state.notes == ["1"])
    _ = try replica.undo(redo: true, now: 0)
    #expect(replica.state.notes == ["1", "2"])
    _ = try replica.undo(redo: false, now: 0)
    #expect(replica.state.notes == ["1"])
    _ = try replica.change(.changes([.note("new")]), cause: nil, requirement: nil, now: 0)
    #expect(throws: UndoError.nothingToRedo) { try replica.undo(redo: true, now: 0) }
    for _ in 0..<2 { _ = try replica.undo(redo: false, now: 0) }
    #expect(replica.state.notes == [])
    #expect(throws: UndoError.nothingToUndo) { try replica.undo(redo: false, now: 0) }
  }

  @Test("an origin that turns out to be taken is renewed with everything pending")
  func renewed() throws {
    var replica = replica()
    _ = try replica.change(.changes([.mark]), cause: nil, requirement: nil, now: 5)
    let before = replica.state.notes
    let report = replica.renew(.test(77))
    let flight = try required(replica.takeFlight())
    #expect(report.resolutions.isEmpty && flight.records[0].id.origin == .test(77))
    #expect(replica.state.notes != before, "the fresh id follows from the new origin")
    #expect(replica.state.notes == ["\(flight.records[0].stamp.uuid()) 5"])
  }

  @Test("holds no more pending changes than its limit")
  func full() throws {
    var replica = replica(limit: 2)
    for _ in 0..<2 { _ = try replica.change(.changes([.note("x")]), cause: nil, requirement: nil, now: 0) }
    #expect(throws: ChangeError<Refusal>.full(limit: .changes(2))) {
      try replica.change(.changes([.note("x")]), cause: nil, requirement: nil, now: 0)
    }
  }

  @Test("time never runs backwards in what it makes")
  func time() throws {
    var replica = replica()
    let times = try [10, 7, 12].map { try replica.change(.changes([.note("x")]), cause: nil, requirement: nil, now: $0).time }
    #expect(times == [10, 10, 12])
  }

  @Test("a clock that was years ahead for one change gives its year to that change alone")
  func clockAhead() throws {
    var replica = replica()
    let year: Int64 = 365 * 86_400_000_000
    let times = try [0, 10 * year, 5, 3, 7].map { try replica.change(.changes([.note("x")]), cause: nil, requirement: nil, now: $0).time }
    #expect(times == [0, 10 * year, 5, 5, 7])
    #expect(try replica.undo(redo: false, now: 1).time == 7)
  }
}
