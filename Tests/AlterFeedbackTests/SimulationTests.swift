import Alter
import AlterCore
import AlterTesting
import Testing

/// Several processes over one journal, with mails to send, under faults of the service, of the journal and of the processes. The steps come from
/// a seed; the order in which tasks run does not.
@Suite("Feedbacks of several processes, under random faults", .timeLimit(.minutes(30)))
struct SimulationTests {
  @Test(
    "send each mail under one key, lose no answer, begin nothing that is withdrawn or answered", arguments: 1...60 as ClosedRange<UInt64>)
  func simulation(seed: UInt64) async throws {
    let simulation = try await Simulation(seed: seed)
    var steps = 0
    while steps < 400, simulation.failures.isEmpty {
      try await simulation.step()
      steps += 1
    }
    await simulation.finish()
    #expect(simulation.failures == [], "seed \(seed), step \(steps)")
    guard simulation.failures.isEmpty else { return }
    // Every kind of event has happened, so the rules were tested.
    #expect(simulation.mails.acted.count > 10, "seed \(seed)")
  }
}

/// A mail service that remembers keys for 24 hours, and checks who calls it.
private final class Mails: Sendable {
  /// The feedback and the epoch of its lease.
  struct Term: Hashable {
    let feedback: String
    let epoch: Int64
  }

  struct State {
    /// The times at which mails were sent first: microseconds.
    var acted: [String: Int64] = [:]
    var active: [String: Term] = [:]
    var performers: [String: Set<Int>] = [:]
    var faults = SeededGenerator(seed: 0)
    var isHealthy = false
    var isAway = false
    /// The time before the last hours that passed at once: an effect that has begun before them may call the service only now.
    var before: Int64 = 0
    var failures: [String] = []
  }

  let state = Lock(State())
  let clock: TestClock
  let grants: Grants

  init(seed: UInt64, clock: TestClock, grants: Grants) {
    (self.clock, self.grants) = (clock, grants)
    state.withLock { $0.faults = SeededGenerator(seed: seed) }
  }

  var acted: Set<String> { state.withLock { Set($0.acted.keys) } }

  /// Sends a mail, once for each key.
  func send(_ mail: Requested<String>, _ term: Term, by process: Int) async throws {
    let key = mail.id.key("mail")
    let now = clock.now
    if let problem = grants.problem(mail.id) { note("\(key) \(problem)") }
    let fault = state.withLock { state in
      if let made = mail.id.stamp?.time, state.before - made >= 23 * 3_600_000_000 {
        state.failures.append("\(key) is begun after its horizon")
      }
      if state.active[key] == term { state.failures.append("\(key) is performed twice at once under \(term)") }
      if let first = state.acted[key], now - first > 24 * 3_600_000_000 { state.failures.append("\(key) is begun after it was forgotten") }
      state.active[key] = term
      state.performers[key, default: []].insert(process)
      return state.isHealthy ? 9 : state.isAway ? 0 : state.faults.below(10)
    }
    if grants.wasAnswered(mail.id, before: term) {
      note("\(key) is begun under \(term), although it was answered before the grant")
    }
    defer { state.withLock { state in if state.active[key] == term { state.active[key] = nil } } }
    switch fault {
    // Nothing happens.
    case 0: throw Timeout()
    // The mail is sent, and the answer is lost.
    case 1:
      act(key)
      throw Timeout()
    // It takes long, before or after it is sent, and obeys a cancellation.
    case 2:
      try await clock.sleep(for: .seconds(7))
      act(key)
    case 3:
      act(key)
      try await clock.sleep(for: .seconds(7))
    // It ignores a cancellation.
    case 4:
      for _ in 0..<50 { await Task.yield() }
      act(key)
    default: act(key)
    }
  }

  private func act(_ key: String) {
    let now = clock.now
    state.withLock { if $0.acted[key] == nil { $0.acted[key] = now } }
  }

  func note(_ failure: String) { state.withLock { $0.failures.append(failure) } }

  /// Lets hours pass at once.
  func pass(_ hours: Int) {
    state.withLock { $0.before = clock.now }
    clock.advance(by: .seconds(3_600 * hours))
  }
}

/// The contents of the journal, as far as the service has to know them: grants of the lease, entries that may ask, and answers.
private final class Grants: Sendable {
  private struct State {
    var heads: [Mails.Term: Revision] = [:]
    var answers: [String: Revision] = [:]
    var entries: Set<EntryID> = []
    /// The requests with the entry that withdraws each.
    var brief: [RequestID: EntryID] = [:]
    /// Those whose entries have come to the journal together: there is no state to begin them in.
    var hidden: Set<RequestID> = []
  }

  private let state = Lock(State())

  func granted(_ term: Mails.Term, at head: Revision) { state.withLock { if $0.heads[term] == nil { $0.heads[term] = head } } }

  func answered(_ id: String, at revision: Revision) { state.withLock { if $0.answers[id] == nil { $0.answers[id] = revision } } }

  func withdrawn(_ id: RequestID, by entry: EntryID) { state.withLock { $0.brief[id] = entry } }

  /// An append begins. An undo may ask again.
  func appends(_ drafts: [Entry.Draft]) {
    state.withLock { state in
      for draft in drafts {
        switch draft.kind {
        case .undo, .redo: (state.answers, state.hidden, state.brief) = ([:], [], [:])
        default: state.entries.insert(draft.id)
        }
      }
    }
  }

  /// The journal has the entries.
  func appended(_ drafts: [Entry.Draft]) {
    let ids = Set(drafts.map(\.id))
    state.withLock { state in
      for (request, withdrawing) in state.brief where ids.contains(withdrawing) {
        state.brief[request] = nil
        if let asking = request.entry, ids.contains(asking) { state.hidden.insert(request) }
      }
    }
  }

  func wasAnswered(_ id: RequestID, before term: Mails.Term) -> Bool {
    state.withLock { state in
      guard let answer = state.answers[id.description], let head = state.heads[term] else { return false }
      return answer <= head
    }
  }

  /// The reason for which a request must not be performed at all.
  func problem(_ id: RequestID) -> String? {
    state.withLock { state in
      if id.entry.map(state.entries.contains) != true { return "is the key of no entry that asks" }
      return state.hidden.contains(id) ? "is begun, although the entry after the one that asks has withdrawn it" : nil
    }
  }
}

extension RequestID {
  /// The change that asks.
  fileprivate var entry: EntryID? { stamp.map { EntryID(origin: $0.origin, sequence: $0.sequence) } }
}

/// The journal as one process reaches it.
private final class ProcessJournal: ForwardingJournal {
  let base: any Journal
  private let mails: Mails
  private var grants: Grants { mails.grants }
  private let state: Lock<(isDead: Bool, isHealthy: Bool, faults: SeededGenerator)>

  init(_ base: any Journal, mails: Mails, seed: UInt64, isHealthy: Bool) {
    (self.base, self.mails) = (base, mails)
    state = Lock((false, isHealthy, SeededGenerator(seed: seed)))
  }

  func die() { state.withLock { $0.isDead = true } }
  func heal() { state.withLock { $0.isHealthy = true } }

  private func fault(of ten: Int) throws(JournalError) -> Bool {
    let (isDead, hits) = state.withLock { ($0.isDead, !$0.isHealthy && $0.faults.below(ten) == 0) }
    if isDead { throw JournalError(.failed, journal: "dead", message: "is that of a dead process.") }
    return hits
  }

  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    if try fault(of: 12) { throw JournalError(.unavailable, journal: "memory", message: "is away.") }
    for draft in drafts {
      guard let cause = draft.cause.flatMap({ try? JournalCoding.decode(Cause.self, from: $0) }), cause.feedback != nil else { continue }
      if cause.request == nil { mails.note("an answer does not name its request") }
      // Each mail is requested from outside, or its depth is that of the head at the start of a run.
      if !(1...5).contains(cause.depth ?? 0) { mails.note("an answer has the depth \(cause.depth ?? 0)") }
    }
    grants.appends(drafts)
    let appended = try await base.append(drafts, after: head, in: turn, under: leases)
    grants.appended(drafts)
    for (place, draft) in drafts.enumerated() {
      let cause = draft.cause.flatMap { try? JournalCoding.decode(Cause.self, from: $0) }
      if let request = cause?.request { grants.answered(request, at: appended.first + place) }
    }
    if try fault(of: 12) { throw JournalError(.unknownOutcome, journal: "memory", message: "has lost the connection.") }
    return appended
  }

  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
    if try fault(of: 8) { throw JournalError(.unavailable, journal: "memory", message: "is away.") }
    let lease = try await base.lease(name, for: holder, lasting: duration)
    // Taken or renewed: the first head of an epoch counts.
    let head = try await base.head()
    grants.granted(Mails.Term(feedback: String(name.dropFirst("feedback/".count)), epoch: lease.epoch), at: head.revision)
    return lease
  }
}

private final class Simulation {
  struct Process {
    let store: Store<Desk>
    let journal: ProcessJournal
    var runs: [(number: Int, run: FeedbackRun)] = []
    let problems: Lock<[String]>
    let reader: Task<Void, Never>
  }

  let clock = TestClock()
  let journal: MemoryJournal
  let grants = Grants()
  let mails: Mails
  private var random: SeededGenerator
  private var processes: [Process] = []
  /// The numbers of the releases that the processes have.
  private var releases: [ObjectIdentifier: Int] = [:]
  private var clones: Set<ObjectIdentifier> = []
  /// The clones and their twins. One of them may fail: the simulated clock gives the same bytes to both, under one id.
  private var twins: Set<ObjectIdentifier> = []
  private var number = 0
  /// The runs that have ended: they can't report any more what becomes of their requests.
  private var ended: Set<Int> = []
  private var problems: [String] = []
  private var isHealthy = false
  var failures: [String] { mails.state.withLock { $0.failures } }

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    let clock = clock
    journal = MemoryJournal(now: { clock.now })
    mails = Mails(seed: seed &* 7, clock: clock, grants: grants)
    for _ in 0..<(2 + random.below(2)) { try await start() }
    for id in 1...5 { _ = try? processes[0].store.change(.letter(.init(id: id, text: "\(id)"))) }
  }

  private func run(on store: Store<Desk>) throws -> (number: Int, run: FeedbackRun)? {
    number += 1
    // Every third process has a newer release, in which the feedback has another name.
    let name = releases[ObjectIdentifier(store), default: 0] % 3 == 2 ? "letters" : "mails"
    let feedback = feedback(number, name, clones.contains(ObjectIdentifier(store)))
    do throws(FeedbackError) {
      return (number, try store.run([feedback], in: mails, options: options))
    } catch {
      guard error == .closed, hasFailed(store) else { throw error }
      return nil
    }
  }

  private func feedback(_ run: Int, _ name: String, _ isClone: Bool) -> Feedback<Desk, Mails> {
    // A clone has the replica's id of its twin, and so its lease, until one of them appends: the key alone protects the service.
    let performer = isClone ? "\(name), clone \(run)" : name
    let send = Feedback<Desk, (Mails, Int)>(
      name, each: \.letters, request: { letter in letter.mail.map { Mail(letter: letter.id, mail: $0) } }
    ) {
      mail, world, effect in
      try await world.0.send(mail.mail, Mails.Term(feedback: performer, epoch: effect.epoch ?? 0), by: world.1)
      return .mailed(mail.letter, mail.id)
    } unclear: { mail, _ in
      // Too old for another attempt.
      .remove(mail.letter)
    }
    return send.provide { ($0, run) }
  }

  /// The mail of a letter.
  private struct Mail: Acting {
    let letter: Int
    let mail: Requested<String>
    var id: RequestID { mail.id }
  }

  private var options: FeedbackOptions {
    var options = FeedbackOptions()
    options.clock = clock.clock
    options.lease = .seconds(6)
    return options
  }

  private func start() async throws {
    let journal = ProcessJournal(journal, mails: mails, seed: random.next(), isHealthy: isHealthy)
    var store: Store<Desk>?
    var options = clock.options()
    options.keepsJournalOpen = true
    // A clone: its first changes have ids that another process uses, too.
    var isClone = false
    let twin = processes.last?.store
    if let twin, random.below(4) == 0 {
      isClone = true
      let first = Lock<Origin?>(twin.origin)
      options.environment.origin = { first.withLock { $0.take() } ?? .random() }
    }
    while store == nil { store = try? await Store.open(Desk(), in: journal, options: options) }
    guard let store else { return }
    let heard = Lock<[String]>([])
    let stream = store.problems
    let reader = Task { for await problem in stream { heard.withLock { $0.append(problem.description) } } }
    releases[ObjectIdentifier(store)] = releases.count
    if isClone, let twin {
      clones.insert(ObjectIdentifier(store))
      twins.formUnion([ObjectIdentifier(store), ObjectIdentifier(twin)])
    }
    // A release without the feedback.
    let runs = random.below(5) == 0 ? [] : [try run(on: store)].compactMap(\.self)
    processes.append(Process(store: store, journal: journal, runs: runs, problems: heard, reader: reader))
  }

  private func crash(_ place: Int) {
    let process = processes.remove(at: place)
    process.journal.die()
    for (number, run) in process.runs {
      ended.insert(number)
      run.abandon()
    }
    problems += process.problems.withLock { $0 }
    process.reader.cancel()
    Task { await process.store.close(deadline: .zero) }
  }

  func step() async throws {
    let place = random.below(processes.count)
    let store = processes[place].store
    if hasFailed(store) {
      crash(place)
      return try await start()
    }
    switch random.below(18) {
    case 0...3: _ = try? store.change(.mail(1 + random.below(5)))
    case 4: _ = try? store.change(.text(1 + random.below(5), "\(random.below(100))"))
    case 5: _ = try? store.change(.remove(1 + random.below(5)))
    case 6: _ = try? store.change(.letter(.init(id: 1 + random.below(5), text: "new")))
    // Asked and withdrawn in one flight, and in two.
    case 7:
      let letter = 1 + random.below(5)
      _ = try? store.change(.mail(letter))
      let request = store.state.letters[id: letter]?.mail?.id
      if random.below(2) == 0 { await Task.yield() }
      if let commit = try? store.change(.remove(letter)), let request { grants.withdrawn(request, by: commit.id) }
    case 8:
      if random.below(3) == 0 {
        crash(place)
        try await start()
      }
    case 9: if let run = try run(on: store) { processes[place].runs.append(run) }
    case 10:
      if processes[place].runs.count > 1 {
        let (number, run) = processes[place].runs.remove(at: random.below(processes[place].runs.count))
        ended.insert(number)
        Task { await run.stop() }
      }
    case 11, 12: Task { _ = try? await store.undo() }
    case 13: Task { _ = try? await store.redo() }
    case 14:
      guard random.below(10) == 0 else { break }
      // Half of the time the service is away, so that requests get old.
      let isAway = random.below(2) == 0
      mails.state.withLock { $0.isAway = isAway }
      for _ in 0..<(isAway ? 4 : 1) {
        mails.pass(1 + random.below(13))
        for _ in 0..<200 { await Task.yield() }
      }
      mails.state.withLock { $0.isAway = false }
    default: clock.advance(by: .milliseconds(500 * (1 + random.below(8))))
    }
    for _ in 0..<random.below(60) { await Task.yield() }
  }

  private func hasFailed(_ store: Store<Desk>) -> Bool {
    guard case .failed(let error) = store.status else { return false }
    if !twins.contains(ObjectIdentifier(store)) { mails.note("a store has failed: \(error)") }
    return true
  }

  /// Ends all faults, waits until everything is answered, and checks the journal.
  func finish() async {
    isHealthy = true
    mails.state.withLock { $0.isHealthy = true }
    for place in processes.indices {
      processes[place].journal.heal()
      if let run = try? run(on: processes[place].store) { processes[place].runs.append(run) }
    }
    var turns = 0
    while !isQuiet {
      clock.advance(by: .seconds(1))
      for _ in 0..<20 { await Task.yield() }
      turns += 1
      guard turns < 20_000 else {
        mails.note("not everything is answered: \(processes.map { "\($0.store.effects) \($0.store.status)" })")
        break
      }
    }
    // A change that makes no difference, or the undo of a late task, may still wait for its next attempt.
    let ticking = Task { [clock] in
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(100))
        await Task.yield()
      }
    }
    for process in processes {
      for (_, run) in process.runs { await run.stop() }
      _ = await process.store.close(deadline: .seconds(60))
      await process.reader.value
      problems += process.problems.withLock { $0 }
    }
    ticking.cancel()
    await check()
  }

  private var isQuiet: Bool {
    let working = processes.filter { !hasFailed($0.store) }
    return working.allSatisfy { process in
      process.store.effects.isEmpty && process.store.state == process.store.confirmed.state
        && process.store.state.letters.allSatisfy { $0.mail == nil } && process.store.revision == working[0].store.revision
    }
  }

  /// Law 9: an act is answered in the journal, or reported, or its run has ended before a withdrawal.
  private func check() async {
    var answered: [String] = []
    for entry in (try? await journal.entries(after: .zero, limit: 100_000)) ?? [] {
      if let cause = entry.draft.cause.flatMap({ try? JournalCoding.decode(Cause.self, from: $0) }), let request = cause.request {
        answered.append(request)
      }
    }
    if Set(answered).count != answered.count { mails.note("a mail is answered twice: \(answered)") }
    let performers = mails.state.withLock { $0.performers }
    for key in mails.acted {
      let id = String(key.dropFirst("mail/".count))
      let isKnown = answered.contains(id) || problems.contains { $0.contains(id) } || !(performers[key] ?? []).isDisjoint(with: ended)
      if !isKnown { mails.note("the outcome of \(id) is lost: \(problems)") }
    }
    for problem in problems where problem.contains("fault of Alter") { mails.note(problem) }
  }
}
