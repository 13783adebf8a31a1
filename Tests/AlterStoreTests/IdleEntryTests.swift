import Alter
import AlterTesting
import Foundation
import StoreTesting
import SyncModel
import Testing

@testable import AlterStore

@Suite("An entry that makes no difference", .timeLimit(.minutes(10)))
struct IdleEntryTests {
  @Test(
    "is no step to undo and clears no redo, by the definition, in each replica and after each snapshot", arguments: 0..<8 as Range<UInt64>)
  func equalsDefinition(seed: UInt64) throws {
    var (generator, causes) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed + 100))
    let window = [3, 9, 30, 200][Int(seed % 4)]
    let scopes: [UndoScope] = ["a", "b"]
    var records: [Record<Panel>] = []
    var whole = History(Panel(), at: 1, window: window)
    var started: [History<Panel>] = []
    var counts = (undos: 0, redos: 0, passed: 0)
    for number in 2..<80 as Range<Int64> {
      let scope = try #require(scopes.randomElement(using: &generator))
      let id = EntryID(origin: .test(1), sequence: number)
      var kind = Record<Panel>.Kind.changes(Panel.Change.random(using: &generator))
      var cause: Cause?
      switch Int.random(in: 0..<7, using: &generator) {
      case 0, 1: if let targets = try? whole.undoable(in: scope) { kind = .undo(targets.all) }
      case 2, 3: if let targets = try? whole.redoable(in: scope) { kind = .redo(targets.all) }
      case 4: cause = records.randomElement(using: &generator).map { .answer(to: $0.id, using: &causes) }
      default: break
      }
      let record = Record<Panel>(revision: Revision(number), id: id, time: number, scope: scope, kind: kind, cause: cause)
      guard case .applied = whole.append(record) else { continue }
      records.append(record)
      if case .undo = kind { counts.undos += 1 }
      if case .redo = kind { counts.redos += 1 }
      for index in started.indices.reversed() { if case .reachesBeyond = started[index].append(record) { started.remove(at: index) } }
      let definition = Definition(records, window: window)
      for history in [whole] + started {
        for scope in scopes {
          let comment: Comment = "seed \(seed), window \(window), base \(history.base), revision \(record.revision), scope \(scope)"
          let (undo, redo) = (definition.undo(in: scope), definition.redo(in: scope))
          try #require(outcome { () throws(UndoError) in try history.undoable(in: scope).all } == undo, comment)
          try #require(outcome { () throws(UndoError) in try history.redoable(in: scope).all } == redo, comment)
          let steps = history.undoSteps(in: scope)
          try #require(steps.undoable.last == (try? undo.get())?.first && steps.undoable == definition.steps(in: scope), comment)
          if case .success(let targets) = undo, targets.count > 1 { counts.passed += 1 }
        }
      }
      let base = records.count - window
      if base > 1, number % 5 == 0, let kept = whole.base(at: records[base - 1].revision) {
        started.append(History(base: kept.state(), at: kept.revision, records: Array(records[base...]), window: window))
      }
    }
    #expect(counts.undos > 2 && counts.redos > 0 && counts.passed > 1, "\(counts)")
  }

  private func outcome(_ work: () throws(UndoError) -> [EntryID]) -> Result<[EntryID], UndoError> { Result(catching: work) }

  @Test("is passed over by undo and redo, in memory and in a journal, in the same and in other stores", arguments: [false, true])
  func stores(isJournaled: Bool) async throws {
    let journal = MemoryJournal()
    var options = StoreOptions.sharedJournal
    (options.snapshotSpacing, options.undoWindow) = (2, 8)
    let store = isJournaled ? try await Store.open(Panel(), in: journal, options: options) : Store(Panel(), options: options)
    var others: [Store<Panel>] = []
    if isJournaled { others.append(try await Store.open(Panel(), in: journal, options: options)) }
    let first = try await confirmed(store.change(.set(0, 1)))
    _ = try await confirmed(store.change(.set(0, 1)))
    _ = try await confirmed(store.change([.set(1, 1), .set(1, 0)]))
    let undone = try await store.undo()
    #expect(store.state == Panel() && undone.records.first?.revision == first && undone.records.count == 3)
    #expect(throws: UndoError.nothingToUndo) { try store.previewUndo() }
    // The control sends the value that it shows now.
    _ = try await confirmed(store.change(.set(0, 0)))
    if isJournaled {
      await store.flush()
      others.append(try await Store.open(Panel(), in: journal, options: options))
    }
    for other in others { while other.revision < store.revision { await Task.yield() } }
    for other in [store] + others {
      #expect(throws: UndoError.nothingToUndo) { try other.previewUndo() }
      let redo = try other.previewRedo()
      #expect(redo.state.values[0] == 1 && redo.records.map(\.revision) == [first])
      #expect(other.undoSteps.steps.undoable.isEmpty && other.undoSteps.steps.redoable.count == 1)
    }
    let redone = try await (others.last ?? store).redo()
    while store.revision < redone.revision { await Task.yield() }
    #expect(store.state.values == [1, 0, 0])
    #expect(throws: UndoError.nothingToRedo) { try store.previewRedo() }
    #expect(try store.previewUndo().state == Panel())
    _ = try await store.undo()
    _ = try await confirmed(store.change(.set(2, 1)))
    #expect(throws: UndoError.nothingToRedo) { try store.previewRedo() }
    for other in [store] + others { await other.close() }
  }

  private func confirmed(_ commit: Commit<Panel>) async throws -> Revision { try await commit.confirmed() }

  @Test("may be one that a migration has emptied, or one that the state refuses")
  func emptied() throws {
    var history = History(Board(), at: 1, window: 10)
    func record(_ number: Int64, _ changes: [Board.Change]) -> Record<Board> {
      Record(revision: Revision(number), id: EntryID(origin: .test(1), sequence: number), time: 0, kind: .changes(changes))
    }
    for record in [record(2, [.put("a", 1)]), record(3, []), record(4, [.put("a", 2)])] { _ = history.append(record) }
    #expect(history.suppressed == [4])
    #expect(try history.undoable(in: .journal).all.map(\.sequence) == [2, 3, 4])
    #expect(history.undoSteps(in: .journal).undoable.map(\.sequence) == [2])
  }

  @Test("is passed over in a synced journal, whose undos name one entry each", arguments: [false, true])
  func synced(isOffline: Bool) async throws {
    let sync = MemorySync()
    var options = StoreOptions()
    options.environment.origin = { .test(1) }
    let store = try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(sync), options: options)
    _ = try await store.change(.put("a", 0)).confirmed()
    _ = try await store.change(.take("a"), .put("a", 1)).confirmed()
    _ = try await store.change(.take("a"), .put("a", 1)).confirmed()
    sync.setOnline(!isOffline)
    try store.takeBackAtOnce(redo: false)
    #expect(store.state.values["a"] == 0)
    try store.change(.take("a"), .put("a", 0))
    #expect(try store.previewRedo().state.values["a"] == 1)
    try store.takeBackAtOnce(redo: true)
    #expect(store.state.values["a"] == 1)
    #expect(throws: UndoError.nothingToRedo) { try store.previewRedo() }
    await store.flush()
    sync.setOnline(true)
    for await outbox in store.outbox where outbox.unconfirmed.isEmpty { break }
    #expect(store.confirmed.state.values["a"] == 1 && store.refusals.isEmpty)
    #expect(throws: UndoError.nothingToRedo) { try store.previewRedo() }
    #expect(try store.previewUndo().state.values["a"] == 0)
    await store.close()
  }
}

/// Switches with three positions each, which refuse nothing: a change often leaves the state as it is.
private struct Panel: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case set(Int, Int)

    static func random(using generator: inout SeededGenerator) -> [Change] {
      (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        .set(Int.random(in: 0..<3, using: &generator), Int.random(in: 0..<2, using: &generator))
      }
    }
  }

  private(set) var values = [0, 0, 0]

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .set(let place, let value): values[place] = value
    }
  }
}

/// The steps of undo and redo by definition, from all records of a journal after its first.
private struct Definition {
  let records: [Record<Panel>]
  let window: Int
  private let inactive: Set<EntryID>
  private var idle: Set<EntryID> = []

  init(_ records: [Record<Panel>], window: Int) {
    (self.records, self.window) = (records, window)
    inactive = Record.takenBack(in: records)
    var state = Panel()
    for record in records {
      guard case .changes(let changes) = record.kind else { continue }
      let next = state.alter(changes, at: record.stamp)
      if next == state { idle.insert(record.id) }
      if !inactive.contains(record.id) { state = next }
    }
  }

  private func isReachable(_ id: EntryID) -> Bool { records.suffix(window).contains { $0.id == id } }

  private func place(_ id: EntryID) -> Int { records.firstIndex { $0.id == id } ?? -1 }

  private func stacks(of scope: UndoScope) -> (undoable: [EntryID], redoable: [EntryID]) {
    var (undoable, redoable): ([EntryID], [EntryID]) = ([], [])
    var reverted: [EntryID: [EntryID]] = [:]
    for record in records where record.scope == scope {
      switch record.kind {
      case .initial, .reset: break
      case .changes:
        if record.cause != nil { break }
        undoable.append(record.id)
        if !idle.contains(record.id) { redoable = [] }
      case .undo(let targets):
        reverted[record.id] = targets.filter(undoable.contains)
        undoable.removeAll(where: targets.contains)
        redoable.append(record.id)
      case .redo(let targets):
        undoable.removeAll(where: targets.contains)
        redoable.removeAll(where: targets.contains)
        undoable += reverted[targets[0]] ?? []
      }
    }
    return (undoable, redoable)
  }

  func steps(in scope: UndoScope) -> [EntryID] {
    var steps = stacks(of: scope).undoable
    if let last = steps.lastIndex(where: { !isReachable($0) }) { steps.removeSubrange(...last) }
    return steps.filter { !idle.contains($0) }
  }

  func undo(in scope: UndoScope) -> Result<[EntryID], UndoError> {
    let steps = stacks(of: scope).undoable
    let rest = Array(steps.reversed().drop { isReachable($0) && idle.contains($0) })
    guard let target = rest.first else { return .failure(records.count <= window ? .nothingToUndo : .outsideWindow(window)) }
    guard isReachable(target) else { return .failure(.outsideWindow(window)) }
    let passed = steps.suffix(steps.count - rest.count).filter { place($0) > place(target) }
    return .success([target] + passed + answers(to: [target] + passed))
  }

  func redo(in scope: UndoScope) -> Result<[EntryID], UndoError> {
    let (undoable, redoable) = stacks(of: scope)
    guard let undo = redoable.last, isReachable(undo) else { return .failure(.nothingToRedo) }
    let targets = records[place(undo)].targets
    guard targets.allSatisfy(isReachable) else { return .failure(.outsideWindow(window)) }
    let passed = undoable.filter { place($0) > place(undo) }
    let kept = targets.dropFirst().filter { records[place($0)].cause != nil }
    return .success([undo] + passed + kept + answers(to: [undo] + passed))
  }

  private func answers(to targets: [EntryID]) -> [EntryID] {
    var asking = Set(targets)
    var answers: [EntryID] = []
    for record in records where !targets.contains(record.id) {
      switch record.kind {
      case .initial, .reset, .undo: break
      case .redo(let undos):
        if undos.first.map({ undo in records.first { $0.id == undo }?.targets.first.map(asking.contains) == true }) == true {
          asking.insert(record.id)
        }
      case .changes:
        if let answered = record.cause?.answers, asking.contains(answered), !inactive.contains(record.id) {
          asking.insert(record.id)
          answers.append(record.id)
        }
      }
    }
    return answers
  }
}
