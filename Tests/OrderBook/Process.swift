#if SQLite && Macros
  import Alter
  import AlterCore
  import AlterInspector
  import AlterJournal
  import AlterRows
  import AlterSQLite
  import AlterStore
  import AlterTesting
  import Foundation
  import GRDB

  @testable import AlterFeedback

  /// The result of a change.
  enum Made: Hashable {
    case made(EntryID, Revision)
    case refused
  }

  /// A process with a store, of any build.
  protocol Process: AnyObject, Sendable {
    var build: Int { get }
    var scope: UndoScope { get }
    var journal: SimulatedJournal { get }
    /// The visible and the confirmed contents.
    var contents: (visible: Contents, confirmed: Contents) { get }
    var revision: Revision { get }
    /// Whether no effect is to be performed, and no change is to be written.
    var isQuiet: Bool { get }
    var failure: JournalError? { get }
    var origin: Origin { get }
    var undoable: [EntryID] { get }
    /// The observed entries, the revision of the last one, the contents after it, and whether one was missing or came twice.
    var observed: (count: Int, last: Revision?, contents: Contents?, isBroken: Bool) { get }

    func change(_ changes: [Contents.Change], scope: UndoScope?, under lease: Lease?) async throws -> Made
    /// Makes two changes, of which the second requires the first.
    func require(_ first: Contents.Change, _ second: Contents.Change) async throws -> [Made]
    func undo(redo: Bool) async throws -> Naive.Outcome
    /// The outcome of an undo now; nil if the store has not read its undo window.
    func preview(redo: Bool) -> Naive.Outcome?
    func reset(to contents: Contents?) async throws -> Made
    func entries(after revision: Revision) async throws -> [Naive.Item]
    func contents(at revision: Revision) async throws -> Contents
    func compact(keeping count: Int) async throws -> Revision
    func copy(to journal: any Journal, squashing: Bool) async throws
    func verify() async throws
    /// The contents as an inspector shows them.
    func inspected() async throws -> Contents
    var hasEffects: Bool { get }
    var hasRows: Bool { get }
    /// Writes the orders and the stock as SQL tables from now on.
    func startRows(at path: String) async throws
    /// The ids of the orders, and the count of the first item, as SQL shows them; nil without rows.
    func readRows(verifying: Bool) async throws -> [Int]?
    func startEffects() throws
    func observe()
    /// Ends at once, and returns the changes that were not written, for ``Workplace``.
    func abandon() async -> any Sendable
    func close() async
  }

  final class ProcessOf<B: Build>: Process {
    let store: Store<B>
    let journal: SimulatedJournal
    let scope: UndoScope
    let build: Int
    let bank: Bank
    private let clock: TestClock?
    private let stores: Stores<B>?
    private let rows = Lock<(rows: AlterRows.Rows<B>, pool: DatabasePool)?>(nil)
    private let state = Lock<
      (
        runs: [FeedbackRun], tokens: [ObservationToken], observation: Int, last: Revision?, count: Int, contents: Contents?, isBroken: Bool
      )
    >(
      ([], [], 0, nil, 0, nil, false))

    init(_ store: Store<B>, _ journal: SimulatedJournal, scope: UndoScope, bank: Bank, clock: TestClock? = nil, stores: Stores<B>? = nil) {
      (self.store, self.journal, self.scope, build) = (store, journal, scope, B.schema.version)
      (self.bank, self.clock, self.stores) = (bank, clock, stores)
      // The steps provoke problems, which a debug build prints unless they are read.
      let problems = store.problems
      Task { for await _ in problems {} }
    }

    var contents: (visible: Contents, confirmed: Contents) { (store.state.contents, store.confirmed.state.contents) }
    var revision: Revision { store.revision }
    var origin: Origin { store.origin }
    var isQuiet: Bool { store.effects.isEmpty && store.state == store.confirmed.state }
    var failure: JournalError? { if case .failed(let error) = store.status { error } else { nil } }
    var undoable: [EntryID] { store.undoSteps.steps.undoable }
    var observed: (count: Int, last: Revision?, contents: Contents?, isBroken: Bool) {
      state.withLock { ($0.count, $0.last, $0.contents, $0.isBroken) }
    }

    func change(_ changes: [Contents.Change], scope: UndoScope?, under lease: Lease?) async throws -> Made {
      let commit: Commit<B>
      do throws(ChangeError<Refusal>) {
        commit =
          changes.count == 1
          ? try store.change(B.wrap(changes[0]), under: lease, scope: scope)
          : try store.change(changes.map(B.wrap), under: lease, scope: scope)
      } catch {
        guard case .refused = error else { throw error }
        return .refused
      }
      return .made(commit.id, try await commit.confirmed())
    }

    func require(_ first: Contents.Change, _ second: Contents.Change) async throws -> [Made] {
      let one: Commit<B>
      do throws(ChangeError<Refusal>) { one = try store.change(B.wrap(first)) } catch {
        guard case .refused = error else { throw error }
        return [.refused]
      }
      let other: Commit<B>
      do throws(ChangeError<Refusal>) { other = try store.change(B.wrap(second), requires: one) } catch {
        guard case .refused = error else { throw error }
        return [.made(one.id, try await one.confirmed()), .refused]
      }
      return [.made(one.id, try await one.confirmed()), .made(other.id, try await other.confirmed())]
    }

    func undo(redo: Bool) async throws -> Naive.Outcome {
      do throws(UndoError) {
        _ = redo ? try await store.redo() : try await store.undo()
        return .done
      } catch {
        guard let outcome = Naive.Outcome(error) else { throw error }
        return outcome
      }
    }

    func preview(redo: Bool) -> Naive.Outcome? {
      do throws(UndoError) {
        _ = redo ? try store.previewRedo() : try store.previewUndo()
        return .done
      } catch {
        return Naive.Outcome(error)
      }
    }

    func reset(to contents: Contents?) async throws -> Made {
      let commit = try contents.map { try store.reset(to: B($0)) } ?? store.reset()
      return .made(commit.id, try await commit.confirmed())
    }

    func entries(after revision: Revision) async throws -> [Naive.Item] {
      let head = store.revision
      guard head > revision else { return [] }
      return try await store.entries(in: revision.next...head).map(Naive.Item.init)
    }

    func contents(at revision: Revision) async throws -> Contents { try await store.state(at: revision).contents }
    func compact(keeping count: Int) async throws -> Revision { try await store.compact(keeping: .last(count)).floor }
    func copy(to journal: any Journal, squashing: Bool) async throws { _ = try await store.copy(to: journal, squashing: squashing) }
    func verify() async throws { _ = try await Store<B>.verify(journal) }

    var hasEffects: Bool { state.withLock { !$0.runs.isEmpty } }

    func inspected() async throws -> Contents {
      let shown = try await Inspection(of: journal.base, as: B.self).wholeState()
      return try JournalCoding.decode(B.self, from: shown.value.data).contents
    }

    var hasRows: Bool { rows.withLock { $0 != nil } }

    func startRows(at path: String) async throws {
      guard !hasRows else { return }
      // Other processes may use the file.
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      let pool = try DatabasePool(path: path, configuration: configuration)
      let started = try await AlterRows.Rows.ofContents(store, pool)
      rows.withLock { $0 = (started, pool) }
    }

    func readRows(verifying: Bool) async throws -> [Int]? {
      guard let started = rows.withLock({ $0 })?.rows else { return nil }
      if verifying { try await started.verify() }
      return try await started.read { try Int.fetchAll($0, sql: Contents.sql) }
    }

    private func endRows() async {
      guard let (rows, pool) = rows.withLock({ $0.take() }) else { return }
      await rows.close()
      try? pool.close()
    }

    func startEffects() throws {
      var options = FeedbackOptions()
      if let clock { options.clock = clock.clock }
      options.lease = clock == nil ? .seconds(2) : .seconds(30)
      let run = try store.run([.pay, .audit, .correct], in: bank, options: options)
      state.withLock { $0.runs.append(run) }
    }

    func observe() {
      // One observation at a time is checked: the former one may be in a call, and entries between two observations are told to neither, or to
      // both.
      let observation = state.withLock { state in
        state.observation += 1
        state.last = nil
        return state.observation
      }
      let token = store.observe { [state] record, contents in
        state.withLock { state in
          guard state.observation == observation else { return }
          if let record {
            if let last = state.last, record.revision != last.next { state.isBroken = true }
            state.last = record.revision
            state.count += 1
          }
          state.contents = contents.contents
        }
      }
      state.withLock { $0.tokens = [token] }
    }

    func abandon() async -> any Sendable {
      await endRows()
      let runs = state.withLock { $0.runs }
      for run in runs {
        // In a file, a store of this living process would keep its lease by the system's clock.
        if journal.base is SQLiteJournal { await run.stop() } else { run.abandon() }
      }
      return await store.close(deadline: .zero)
    }

    func close() async {
      await endRows()
      let runs = state.withLock { $0.runs }
      for run in runs { await run.stop() }
      state.withLock { $0.tokens = [] }
      if let stores { await stores.close() } else { await store.close() }
    }
  }

  extension ProcessOf {
    /// Opens the order book of several processes: `orders.db` in a folder, with the bank beside it.
    static func opened(in folder: String, scope: UndoScope, inStores: Bool = false, seed: UInt64) async throws -> ProcessOf {
      var options = StoreOptions()
      (options.undoWindow, options.snapshotSpacing, options.scope) = (Contents.undoWindow, 5, scope)
      let journal = SimulatedJournal(try await SQLiteJournal(at: "\(folder)/orders.db", durability: .relaxed, lockTimeout: .seconds(600)))
      let bank = Bank(seed: seed, folder: "\(folder)/bank")
      guard inStores else {
        return ProcessOf(try await Store.open(B(Contents()), in: journal, options: options), journal, scope: scope, bank: bank)
      }
      let stores = Stores<B>(in: JournalPlaces { _ in journal }, options: options) { _ in B(Contents()) }
      return ProcessOf(try await stores["orders"], journal, scope: scope, bank: bank, stores: stores)
    }
  }

  extension EntryID {
    /// The line with which a process acknowledges an entry.
    func line(at revision: Revision) -> String { "\(line) \(revision.number)" }

    /// The line with which a process of a device acknowledges a draft.
    var line: String { "made \(origin.uuid.uuidString) \(sequence)" }

    /// Reads such a line; nil for another one.
    init?(line: String) {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "made", let origin = UUID(uuidString: String(words[1])), let sequence = Int64(words[2]) else {
        return nil
      }
      self.init(origin: Origin(origin), sequence: sequence)
    }
  }

  extension Naive.Item {
    init<B: Build>(_ record: AlterStore.Record<B>) {
      let content: Naive.Item.Content =
        switch record.kind {
        case .changes(let changes): .changes(changes.map(B.unwrap))
        case .reset(let state), .initial(let state): .reset(state.contents)
        case .undo(let targets): .undo(targets)
        case .redo(let targets): .redo(targets)
        }
      self.init(
        id: record.id, revision: record.revision, time: record.time, scope: record.scope, content: content, cause: record.cause)
    }
  }

  extension AlterRows.Rows where State: Build {
    /// The rows of the contents.
    static func ofContents(_ store: Store<State>, _ pool: DatabasePool) async throws -> AlterRows.Rows<State> {
      try await AlterRows.Rows(of: store, in: pool, version: State.schema.version) {
        RowTable("book_order", columns: ["id", "item"]) { state in
          state.contents.orders.map { [.integer(Int64($0.id)), .integer(Int64($0.item))] }
        }
        RowTable("stock", columns: ["item", "count"]) { state in
          state.contents.stock.sorted { $0.key < $1.key }.map { [.integer(Int64($0.key)), .integer(Int64($0.value))] }
        }
      }
    }
  }

  extension Contents {
    /// The ids of the orders, then the counts of the stock.
    static let sql =
      "SELECT id FROM (SELECT id, 0 AS part, position FROM book_order UNION ALL SELECT count, 1, item FROM stock ORDER BY 2, 3)"

    /// The answer to ``sql`` by definition.
    var rows: [Int] { orders.map(\.id) + stock.sorted { $0.key < $1.key }.map(\.value) }
  }

  extension Naive.Outcome {
    init?(_ error: UndoError) {
      switch error {
      case .nothingToUndo, .nothingToRedo: self = .nothing
      case .outsideWindow: self = .outsideWindow
      case .wouldSuppress: self = .wouldSuppress
      case .performed: self = .performed
      default: return nil
      }
    }
  }
#endif
