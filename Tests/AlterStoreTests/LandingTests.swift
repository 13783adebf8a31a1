import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Appends whose answer contradicts", .timeLimit(.minutes(20)))
struct LandingTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing
  private let unreadable = JournalError(.damaged, journal: "memory", message: "can't be read.")
  private let away = JournalError(.unavailable, journal: "memory", message: "can't be read.")

  @Test("each error of an append leads to the step that the table of `Landing` names")
  func steps() throws {
    let change = Record<Board>(revision: 2, id: EntryID(origin: .random(), sequence: 1), time: 0, kind: .changes([.note("a")]))
    let undo = Record<Board>(revision: 3, id: EntryID(origin: .random(), sequence: 2), time: 0, kind: .undo([change.id]))
    let codes = JournalError.Code.allCases
    func steps(_ records: [Record<Board>], isAlone: Bool) -> [String] {
      codes.map { code in
        var error = JournalError(code, journal: "test", message: "has failed.")
        if code == .staleLease { error = .staleLease("test", Lease(name: "pay", holder: .random(), epoch: 1, expires: .max), epoch: 2) }
        let step = "\(Landing.step(after: error, of: records, isAlone: isAlone))"
        return "\(code.rawValue) \(step.prefix { $0 != "(" })"
      }
      .filter { !$0.hasSuffix(" end") }
    }
    let always = ["conflict behind", "originCollision read", "locked pause", "full pause", "unavailable pause", "unknownOutcome pause"]
    #expect(Set(steps([change], isAlone: true)) == Set(always + ["unencodable drop", "staleLease dropUnder"]))
    #expect(
      Set(steps([change, undo], isAlone: true)) == Set(always + ["unencodable shorten", "noSuchRevision dropGone", "staleLease dropUnder"]))
    // With other stores' work, each error that is permanent and certain, and `failed`, is found out alone.
    let together = steps([change, undo], isAlone: false)
    let shared = ["locked pause", "full pause", "unavailable pause", "unknownOutcome pause"]
    let apart = codes.filter { ![.locked, .full, .unavailable, .unknownOutcome, .closed, .cancelled].contains($0) }
    #expect(Set(together) == Set(shared + apart.map { "\($0.rawValue) apart" }))
  }

  @Test("landing: what the journal has said to have is reported as unwritten when the reading after it fails")
  func landedThenUnreadable() async throws {
    let hooked = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: hooked, options: deaf)
    hooked.appendTheirsFirst { [unreadable] in hooked.fail([.head, .entries], with: unreadable) }
    let commit = try store.change(.note("mine"))
    let result = await commit.result()
    guard case .failure(.unknown) = result else {
      Issue.record("\(result)")
      hooked.fail([.head, .entries], with: nil)
      let leftOver = await store.close()
      #expect(leftOver.map(\.mayBeWritten) == [true])
      #expect(try await journal.entry(commit.id) != nil)
      return
    }
  }

  @Test("landing: after an outage behind such an append, what was written is written again under another id")
  func landedThenAway() async throws {
    let hooked = ScriptedJournal(journal)
    let opened = Lock<Store<Board>?>(nil)
    let sleeps = Lock(0)
    var options = deaf
    options.outageTimeout = .milliseconds(5)
    options.environment.sleep = { _ in
      guard
        sleeps.withLock({
          $0 += 1; return $0
        }) == 2
      else { return }
      hooked.fail([.head, .entries], with: nil)
      _ = try? opened.withLock { $0 }?.change(.note("second"))
    }
    let store = try await Store.open(Board(), in: hooked, options: options)
    opened.withLock { $0 = store }
    hooked.appendTheirsFirst { [away] in hooked.fail([.head, .entries], with: away) }
    _ = await (try store.change(.note("mine"))).result()
    await store.close()
    opened.withLock { $0 = nil }
    #expect(try await Store.open(Board(), in: journal, options: deaf).state.notes == ["theirs", "mine", "second"])
  }

  #if DEBUG
    @Test("determinism: a state that is not comparable and holds a set is reported by a debug build", arguments: 0..<4)
    func setsInMemory(run: Int) async throws {
      let store = Store(Bag())
      for number in 0..<100 { try store.change(.put("\(run) \(number)")) }
      await store.close()
      for await problem in store.problems { Issue.record("\(problem)") }
    }
  #endif

  @Test("landing: the change that a journal can't hold is dropped alone, wherever it is among those of one append", arguments: 0..<5)
  func oneOfSeveral(place: Int) async throws {
    let scripted = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: scripted, options: deaf)
    let held = Promise<Void>()
    scripted.onNext(.append) { _ in _ = await held.value() }
    let first = try store.change(.note("first"))
    while scripted.count(.append) < 1 { await Task.yield() }
    let commits = try (0..<5).map { try store.change(.note("\($0)")) }
    let bad = commits[place].id
    scripted.answer { answers in
      answers.append = { [journal] drafts, head, turn, leases in
        guard !drafts.contains(where: { $0.id == bad }) else {
          throw JournalError(.unencodable, journal: "memory", message: "can't take an entry of this size.")
        }
        return try await journal.append(drafts, after: head, in: turn, under: leases)
      }
    }
    held.resolve(())
    try await first.durable()
    for (index, commit) in commits.enumerated() {
      guard index == place else {
        try await commit.durable()
        continue
      }
      guard case .failure(.failed(let error)) = await commit.result(), error.code == .unencodable else {
        Issue.record("it was not dropped")
        continue
      }
    }
    #expect(store.status == .open)
    #expect(store.state.notes == ["first"] + (0..<5).filter { $0 != place }.map { "\($0)" })
    await store.close()
  }

}
