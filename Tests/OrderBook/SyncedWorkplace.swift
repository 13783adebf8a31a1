#if SQLite && Macros && SyncServer
  import Alter
  import AlterCore
  import AlterFeedback
  import AlterInspector
  import AlterJournal
  import AlterSyncCore
  import AlterSyncServer
  import AlterTesting
  import Foundation
  import ProcessTesting

  @testable import AlterStore

  /// A journal that a server decides, with its devices, its policy, and its own store, which performs the effects.
  final class SyncedWorkplace: RandomSteps {
    private let folder: Folder
    private let served: ServedBook
    private let store: Store<Build3>
    private let run: FeedbackRun
    private let bank: Bank
    private var devices: [Device<Build3>] = []
    private var random: SeededGenerator
    private(set) var naive: Naive
    /// The head of the journal at the last check.
    private var known: Revision = 1
    private var nextOrder: Int
    private(set) var meetings = Meetings()
    private var used: Set<Feature> = []
    /// Whether the threads are simulated. The library for SQL has threads of its own, so there are no rows then.
    private let isSimulated: Bool
    private static let window = Contents.undoWindow
    private var journal: any ServerJournal { served.journal }

    /// Creates a workplace with a journal in memory.
    convenience init(seed: UInt64, isSimulated: Bool = false) async throws {
      let id = JournalID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
      try await self.init(
        seed, Folder(inMemory: true), MemoryJournal(id: id), Bank(seed: seed &* 31), after: nil, isSimulated: isSimulated)
    }

    /// Creates a workplace in a folder in which other processes may have worked.
    ///
    /// - Parameter naive: The known part of the journal; nil for nothing.
    convenience init(seed: UInt64, in folder: Folder, after naive: Naive?) async throws {
      try await self.init(
        seed, folder, ServedBook.file(in: folder.path), Bank(seed: seed, folder: folder.path("bank")), after: naive, isSimulated: false)
    }

    private init(
      _ seed: UInt64, _ folder: Folder, _ journal: any ServerJournal, _ bank: Bank, after naive: Naive?, isSimulated: Bool
    ) async throws {
      (self.folder, random, self.bank, self.isSimulated) = (folder, SeededGenerator(seed: seed), bank, isSimulated)
      self.naive = naive ?? Naive(Contents(), window: Self.window, isByRule: true)
      nextOrder = Int(seed) * 1_000
      let chance = Lock(SeededGenerator(seed: random.next()))
      let simulation =
        isSimulated
        ? Chance(
          origin: { chance.withLock { Origin(.random(using: &$0)) } }, number: { chance.withLock { .random(in: 0...1, using: &$0) } })
        : nil
      served = try await ServedBook(journal, simulation)
      store = try await served.store()
      run = try store.run([.pay, .audit], in: bank)
      for name in ["ann", "bob"] {
        devices.append(try await Device(Principal(name), folder.path("\(name).db"), served.server, window: Self.window, simulation))
      }
      try await settle()
      try await check()
    }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
      if !condition { throw Workplace.Violation(description: message()) }
    }

    /// Whether a store has work that the server has not decided, or not confirmed.
    private var hasUnconfirmed: Bool { !store.unconfirmed.isEmpty || devices.contains { !$0.store.unconfirmed.isEmpty } }

    private func randomChange() -> Contents.Change { naive.contents.randomChange(&nextOrder, using: &random) }

    /// Makes changes on a device. The device's state decides at once, and the server later.
    private func change(_ device: Device<Build3>, _ changes: [Contents.Change], scope: UndoScope? = nil) throws {
      used.insert(.macroStruct)
      for case .pay in changes { used.insert(.actingEffect) }
      for case .ship in changes { used.insert(.durableEffect) }
      do throws(ChangeError<Refusal>) { _ = try device.store.change(changes.map(Build3.wrap), scope: scope) } catch {
        guard case .refused = error else { throw error }
      }
    }

    func step() async throws {
      used = [.device, .served]
      // Often the other device acts before the server has decided the work of the first one.
      for device in random.oneIn(3) ? devices.shuffled(using: &random) : [random.pick(devices)] {
        let isOffline = random.oneIn(4)
        device.line.isCut.withLock { $0 = isOffline }
        for _ in 0..<(isOffline ? 1 + random.below(4) : 1) { try await act(device) }
      }
      for device in devices { device.line.isCut.withLock { $0 = false } }
      try await settle()
      try await check()
      var standing: Set<Feature> = [.device, .served, .policy, .sqlite, .memory, .scope, .macroStruct]
      if naive.contents.orders.contains(where: { $0.phase != .placed }) { standing.insert(.macroEnum) }
      meetings.note(used, beside: standing)
    }

    private func act(_ device: Device<Build3>) async throws {
      switch random.below(43) {
      case 0..<16: try change(device, [randomChange()])
      case 16..<19:
        used.insert(.batch)
        try change(device, [randomChange(), randomChange()])
      case 19..<21:
        used.insert(.scope)
        try change(device, [randomChange()], scope: .never)
      case 21..<23:
        used.insert(.policy)
        try change(device, [.forbidden])
      case 23:
        used.insert(.requires)
        let first = try device.store.change(Build3.wrap(.forbidden))
        // The server may have refused the first one already.
        _ = try? device.store.change(Build3.wrap(.dependent), requires: first)
      case 24..<32:
        let redo = random.oneIn(3)
        used.insert(redo ? .redo : .undo)
        // Only at rest the device and the naive model have seen the same.
        let isAtRest = try await journal.head().revision == known && device.store.revision == known && !hasUnconfirmed
        let outcome = redo ? naive.redo(in: device.scope).0 : naive.undo(in: device.scope).0
        var made = Naive.Outcome.done
        do throws(UndoError) { _ = redo ? try await device.store.redo() : try await device.store.undo() } catch {
          guard let outcome = Naive.Outcome(error) else { throw error }
          made = outcome
        }
        try require(!isAtRest || made == outcome, "an undo (redo: \(redo)) ended with \(made), and not \(outcome)")
      case 32:
        used.insert(.reset)
        do throws(ChangeError<Refusal>) {
          _ = try device.store.reset(to: Build3(Contents()))
          throw ChangeError<Refusal>.closed
        } catch {
          guard case .unencodable = error else { throw error }
        }
      case 33, 34:
        used.insert(.resuming)
        try await device.restart(window: Self.window)
        if !isSimulated, random.oneIn(2) { try await device.startRows() }
      case 35:
        used.insert(.compaction)
        _ = try await device.store.compact(keeping: .last(0))
      case 36, 37:
        // The server's own change.
        do throws(ChangeError<Refusal>) { _ = try store.change(Build3.wrap(randomChange())) } catch {
          guard case .refused = error else { throw error }
        }
      case 38:
        let isTyped = random.oneIn(2)
        used.insert(isTyped ? .typedInspector : .untypedInspector)
        let storage = random.oneIn(2) ? device.storage.journal : journal as any Journal
        if isTyped {
          let head = try await storage.head().revision
          let shown = try await Inspection(of: storage, as: Build3.self).wholeState(at: head.number)
          let state = try await Store<Build3>.state(at: head, in: storage)
          try require(try JournalCoding.decode(Build3.self, from: shown.value.data) == state, "the inspector shows \(shown)")
        } else {
          let rows = try await Inspection(of: storage).entries(before: nil, limit: 3).entries
          let head = try await storage.head().revision.number
          try require(rows.allSatisfy { $0.revision <= head }, "the inspector lists \(rows.map(\.revision))")
        }
      case 39:
        used.formUnion([.erasure, .copy])
        let store = random.oneIn(2) ? store : device.store
        let copy = MemoryJournal()
        let before = store.revision
        try await store.copy(to: copy, squashing: true)
        let erased = try await Store<Build3>.state(at: 1, in: copy)
        let head = try await copy.head().revision
        let confirmed = store.confirmed
        try require(head == 1, "the squashed copy ends at \(head)")
        // Otherwise the other device's work has arrived meanwhile.
        guard confirmed.revision == before else { break }
        try require(erased == confirmed.state, "the squashed copy has \(erased), and the store has \(confirmed.state)")
      case 40:
        used.insert(.export)
        let copy = MemoryJournal()
        var lines = Data()
        let head = try await journal.head()
        _ = try await journal.export { lines += $0 }
        _ = try await copy.import(lines)
        guard try await journal.head() == head else { break }
        // A copy has no refused entries, and other revisions.
        let other = try await copy.head()
        let state = try await Store<Build3>.state(at: other.revision, in: copy)
        let here = try await Store<Build3>.state(at: head.revision, in: journal)
        try require(state == here, "the copy has \(state), and the journal has \(here)")
      default:
        used.insert(.observation)
        let store = device.store
        let before = (store.revision, store.state)
        for await contents in store.values(of: { $0.contents }) {
          let isUnchanged = (store.revision, store.state) == before
          try require(!isUnchanged || contents == before.1.contents, "an observer has seen \(contents), and not \(before.1.contents)")
          break
        }
      }
    }

    /// Waits until the server has decided everything, every device has it, and every effect is performed.
    private func settle() async throws {
      let end = ContinuousClock.now + .seconds(60)
      while true {
        try require(ContinuousClock.now < end, "no rest: \(store.effects), \(devices.map { $0.store.unconfirmed.count }), \(store.status)")
        let revision = try await journal.head().revision
        var isSettled = store.revision == revision && store.effects.isEmpty && store.state == store.confirmed.state
        isSettled = isSettled && store.state.contents.name != "grean"
        isSettled = isSettled && !store.state.contents.orders.contains { $0.phase.request != nil }
        for device in devices {
          await device.store.flush()
          let standing = try await device.storage.standing()
          if standing.head?.revision != revision || standing.hasUndecided || standing.awaitsEntries {
            isSettled = false
            device.driver.nudge()
          } else {
            try await device.store.readOthers()
            isSettled = isSettled && device.store.revision == revision
          }
        }
        if isSettled, try await journal.head().revision == revision { return }
        await Task.yield()
      }
    }

    private func check() async throws {
      let last = naive.items.last?.revision ?? 1
      let head = store.revision
      if head > last {
        for record in try await store.entries(in: last.next...head) {
          let item = Naive.Item(record)
          if case .changes(let changes) = item.content {
            try require(!changes.contains(.forbidden) && !changes.contains(.dependent), "\(item) was to be refused")
          }
          if item.cause?.feedback == "correct" { used.insert(.localEffect) }
          if item.cause?.feedback == "audit" { used.insert(.durableEffect) }
          if let id = item.cause?.request.flatMap({ RequestID($0) }), case .changes(let changes) = item.content {
            used.insert(.actingEffect)
            guard case .settled(_, id, let isPaid)? = changes.first, bank.answer(to: id.key("pay")) == isPaid else {
              throw Workplace.Violation(description: "the bank has not said \(item)")
            }
          }
          naive.append(item)
        }
      }
      known = head
      let server = store.state.contents
      try require(server == naive.contents, "the server has \(server), and not \(naive.contents)")
      for device in devices {
        let confirmed = device.store.confirmed.state.contents
        try require(confirmed == naive.contents, "\(device.principal) has \(confirmed), and not \(naive.contents)")
        let visible = device.store.state.contents
        try require(visible == naive.contents, "\(device.principal) shows \(visible), and not \(naive.contents)")
        if let rows = try await device.readRows() {
          used.insert(.rows)
          try require(rows == naive.contents.rows, "\(device.principal) has the rows \(rows)")
        }
        let (undoable, steps) = (device.store.undoSteps.steps.undoable, naive.steps(of: device.scope))
        try require(undoable == steps, "the steps of \(device.principal) are \(undoable), and not \(steps)")
        for redo in [false, true] {
          guard let preview = device.preview(redo: redo) else { continue }
          let outcome = redo ? naive.redo(in: device.scope).0 : naive.undo(in: device.scope).0
          try require(preview == outcome, "a preview (redo: \(redo)) of \(device.principal) says \(preview), and not \(outcome)")
        }
        for refusal in device.store.refusals where refusal.code == "denied" {
          guard case .changes(let changes) = refusal.record.kind, changes.map(Build3.unwrap).contains(.forbidden) else {
            throw Workplace.Violation(description: "\(refusal.record) was denied")
          }
        }
      }
    }

    /// The drafts of some, by their ids, that have neither an entry nor a verdict.
    func lost(of ids: some Sequence<EntryID>) async throws -> [EntryID] {
      let refused = Set(devices.flatMap { $0.store.refusals.map(\.record.id) })
      var lost: [EntryID] = []
      for id in ids where !refused.contains(id) { if try await journal.entry(id) == nil { lost.append(id) } }
      return lost
    }

    func close() async {
      await run.stop()
      for device in devices { await device.close() }
      await store.close()
      await served.close()
    }
  }
#endif
