import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import ProcessTesting
import StoreTesting
import SyncModel
import Testing

@testable import AlterStore

extension StoreOptions {
  /// Several stores use the journal.
  fileprivate static var shared: StoreOptions {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return options
  }
}

@Suite("A store on a journal that a server decides", .timeLimit(.minutes(20)))
struct ServedJournalTests {
  /// The board as the server's naive timeline holds it: initial states and changes are JSON.
  private struct JSONBoard: SyncState {
    var board: Board

    init(initial: Data) { board = (try? JournalCoding.decode(from: initial)) ?? Board() }

    var bytes: StateBytes { StateBytes((try? JournalCoding.encode(board)) ?? Data(), schema: 1) }

    mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
      guard let changes = try? JournalCoding.decode([Board.Change].self, from: payload) else { throw .undecodable }
      do { board = try board.alter(changes, at: stamp) } catch { throw .refused("\(error)") }
    }
  }

  /// A journal, decided at random, with the states after each revision.
  private struct Server {
    let journal = MemoryJournal(name: "served")
    var timeline = Timeline(JSONBoard(initial: Data()))
    var states: [Board] = [Board(), Board()]
    var accepted: [SyncDraft] = []
    var number: Int64 = 1
    var random: SeededGenerator
    let window: Int
    var (refusals, undos, answered) = (0, 0, 0)

    init(seed: UInt64, window: Int) async throws {
      random = SeededGenerator(seed: seed)
      self.window = window
      let initial = Entry.Draft(
        kind: .initial, id: EntryID(origin: .test(9), sequence: 1), time: 0, payload: try JournalCoding.encode(Board()))
      _ = try await journal.append([initial], after: try await journal.head())
      try await journal.serve(Lineage(Generation(1)), schema: 1)
    }

    /// Decides some drafts and appends them at once.
    mutating func decide(_ count: Int) async throws {
      var decided: [DecidedDraft] = []
      let position = try await journal.position()
      for _ in 0..<count {
        number += 1
        let draft = try makeDraft()
        let receipt = Receipt(author: Pseudonym(bits: 1), arrival: number)
        let revision = position.head.revision + (decided.count + 1)
        var code: RefusalCode? = random.oneIn(4) ? .denied : nil
        if code == nil {
          do throws(Obstacle) {
            try timeline.attempt(draft, at: revision, window: window, isRefused: { _ in false })
          } catch { code = error.code }
        }
        if let code {
          refusals += 1
          let refusal = Entry.Draft(refusing: draft.id, Entry.Refusal(code: code.rawValue, hash: draft.hash), time: 0)
          decided.append(DecidedDraft(refusal, receipt: receipt, principal: "ann"))
        } else {
          accepted.append(draft)
          decided.append(DecidedDraft(draft.stored, receipt: receipt, principal: "ann"))
          if draft.target != nil { undos += 1 }
          answered += (timeline.items.last?.targets.count ?? 0) > 1 ? 1 : 0
        }
        states.append(timeline.state.board)
      }
      _ = try await journal.append(decided, at: position)
    }

    private mutating func makeDraft() throws -> SyncDraft {
      let id = EntryID(origin: .test(UInt8(1 + random.below(2))), sequence: number)
      let target = accepted.suffix(window).randomElement(using: &random)?.id
      switch (random.below(5), target) {
      case (0, let target?): return SyncDraft(id: id, time: 0, content: .undo(target))
      case (1, let target?): return SyncDraft(id: id, time: 0, content: .redo(target))
      default:
        let changes = [Board.Change.random(using: &random)]
        let asked = accepted.suffix(4).randomElement(using: &random)?.id
        return SyncDraft(
          id: id, time: number, content: .changes(try JournalCoding.encode(changes)),
          cause: random.oneIn(2) ? asked.map { .answer(to: $0, using: &random) } ?? Cause() : Cause())
      }
    }
  }

  @Test("shows every state of the past and present, follows it, and starts from snapshots, as the naive timeline has them")
  func states() async throws {
    var (refusals, undos, answered, snapshots) = (0, 0, 0, 0)
    for seed in Effort.seeds(short: 40, full: 200) {
      var server = try await Server(seed: seed, window: 12)
      try await server.decide(5)
      var options = StoreOptions()
      (options.undoWindow, options.snapshotSpacing, options.keepsJournalOpen) = (12, 20, true)
      let follower = try await Store.open(Board(), in: server.journal, options: options)
      for _ in 0..<8 {
        try await server.decide(1 + server.random.below(25))
        let end = try await server.journal.head().revision
        // Without an end if the follower misses an entry.
        while follower.confirmed.revision < end { await Task.yield() }
        #expect(follower.confirmed.state == server.states[Int(end.number)], "seed \(seed), revision \(end)")
        #expect(follower.confirmed.revision == end)
        let store = try await Store.open(Board(), in: server.journal, options: options)
        #expect(store.state == server.states[Int(end.number)], "seed \(seed), opened at \(end)")
        for _ in 0..<4 {
          let revision = Revision(Int64(1 + server.random.below(Int(end.number))))
          #expect(
            try await store.state(at: revision) == server.states[Int(revision.number)], "seed \(seed), revision \(revision) of \(end)")
        }
        var places: [Revision] = []
        try await Store<Board>.entries(in: server.journal) { places.append($0.revision) }
        let kept = try await server.journal.entries(after: .zero, limit: .max).filter { $0.kind != .refused }.map(\.revision)
        #expect(places == kept)
        await store.close()
      }
      try await Store<Board>.verify(server.journal)
      snapshots += try await server.journal.snapshots(upTo: Revision(.max), limit: 100).count
      await follower.close()
      (refusals, undos, answered) = (refusals + server.refusals, undos + server.undos, answered + server.answered)
    }
    #expect(refusals > 100 && undos > 50 && answered > 10 && snapshots > 8, "\(refusals), \(undos), \(answered), \(snapshots)")
  }

  @Test("observes accepted entries alone, also after pages of refusals")
  func observers() async throws {
    var server = try await Server(seed: 1, window: 12)
    let follower = try await Store.open(Board(), in: server.journal, options: .shared)
    let task = Task {
      var seen: [Revision] = []
      for try await record in follower.entries(after: 1) {
        seen.append(record.revision)
        if case .changes(let changes) = record.kind, changes == [.note("last")] { break }
      }
      return seen
    }
    try await server.decide(30)
    var position = try await server.journal.position()
    var drafts: [DecidedDraft] = []
    for number in 1...1_200 as ClosedRange<Int64> {
      let id = EntryID(origin: .test(5), sequence: number)
      let refusal = Entry.Draft(refusing: id, Entry.Refusal(code: "late", hash: Checksum(high: 0, low: 0)), time: 0)
      drafts.append(DecidedDraft(refusal, receipt: Receipt(author: Pseudonym(bits: 0), arrival: 0), principal: "bob"))
    }
    _ = try await server.journal.append(drafts, at: position)
    position = try await server.journal.position()
    let last = SyncDraft(
      id: EntryID(origin: .test(5), sequence: 1_201), time: 0, content: .changes(try JournalCoding.encode([Board.Change.note("last")])))
    _ = try await server.journal.append(
      [DecidedDraft(last.stored, receipt: Receipt(author: Pseudonym(bits: 0), arrival: 0), principal: "bob")], at: position)
    let kept = try await server.journal.entries(after: 1, limit: .max).filter { $0.kind != .refused }.map(\.revision)
    #expect(try await task.value == kept)
    await follower.close()
  }

  @Test("stops at its first own change, and says who decides")
  func changes() async throws {
    let server = try await Server(seed: 1, window: 12)
    let store = try await Store.open(Board(), in: server.journal, options: .shared)
    let commit = try store.change(.note("mine"))
    let error = await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
    guard case .failed(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.code == .readOnly && reason.description.contains("is decided by a server"))
    #expect(try await server.journal.head().revision == 1)
    await store.close()
  }

  private static var author: ServerAuthor {
    let author = ServerAuthor()
    author.identity = ServerAuthor.Identity(principal: "alter/server", pseudonym: Pseudonym(bits: 7), bytesPerEntry: 1_000)
    return author
  }

  @Test("appends for the server of its process: with receipts, and under another origin if a device has taken its own")
  func author() async throws {
    let server = try await Server(seed: 1, window: 12)
    let receipt = Receipt(author: Pseudonym(bits: 1), arrival: 0)
    let taken = Entry.Draft(
      kind: .changes, id: EntryID(origin: .test(3), sequence: 1), time: 0, payload: try JournalCoding.encode([Board.Change.note("device")]))
    _ = try await server.journal.append(
      [DecidedDraft(taken, receipt: receipt, principal: "ann")], at: try await server.journal.position())
    let origins = Lock<[Origin]>([.test(3), .test(4)])
    var options = StoreOptions.shared
    options.author = Self.author
    options.environment.origin = { origins.withLock { $0.removeFirst() } }
    let store = try await Store.open(Board(), in: server.journal, options: options)
    try await store.change(.note("server")).durable()
    let last = try #require(try await server.journal.entries(after: 2, limit: 9).first)
    #expect(last.id.origin == .test(4) && last.receipt?.author == Pseudonym(bits: 7))
    var questions = ServerQuestions()
    questions.origins = [.test(3), .test(4)]
    let standings = try await server.journal.facts(about: questions).origins.mapValues(\.principal)
    #expect(standings == [.test(3): "ann", .test(4): "alter/server"])
    // An undo is an entry of the server, too. A change that no device could read is refused.
    try await store.undo().commit.durable()
    let large = try store.change(.note(String(repeating: "x", count: 2_000)))
    await #expect(throws: CommitError<Refusal>.self) { try await large.durable() }
    #expect(try await server.journal.entries(after: 3, limit: 9).map(\.kind) == [.undo])
    await store.close()
  }

  @Test("waits with changes of a schema that the operator has not enabled")
  func schema() async throws {
    let journal = MemoryJournal(name: "served")
    let initial = Entry.Draft(
      kind: .initial, id: EntryID(origin: .test(9), sequence: 1), time: 0, payload: try JournalCoding.encode(Board()))
    _ = try await journal.append([initial], after: try await journal.head())
    try await journal.serve(Lineage(Generation(1)), schema: 0)
    var options = StoreOptions.shared
    options.author = Self.author
    let store = try await Store.open(Board(), in: journal, options: options)
    let commit = try store.change(.note("server"))
    for await status in store.statuses { if case .waiting = status { break } }
    #expect(try await journal.head().revision == 1)
    try await journal.serve(Lineage(Generation(1)), schema: 1)
    try await commit.durable()
    #expect(try await journal.head().revision == 2)
    await store.close()
  }
}
