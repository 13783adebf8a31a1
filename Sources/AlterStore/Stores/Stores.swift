import AlterCore
public import AlterJournal

/// Many stores in one process, by key: opened on demand, shared while they are in use, closed when they are idle.
///
/// ```swift
/// let stores = Stores(in: .folder("/var/lib/lists"), budget: StoresBudget(stores: 100)) { key in TodoList() }
/// let list = try await stores["lists/42"]     // opens the store, or returns the one that is open
/// try await list.change(.add(milk)).durable()
/// await stores.close()
/// ```
///
/// For services with a store for each customer, document or list, and for apps with many documents.
///
/// ## Opening
///
/// The first access of a key opens its store, and every other access meanwhile waits for the same opening. A cancelled access ends at once,
/// and the opening continues for the others. An opening that fails throws its error to the callers that wait for it; the next access tries
/// again. Other keys are not affected.
///
/// ## Closing
///
/// ``StoresBudget`` limits the open stores. When it is nearly reached, the least recently used idle stores are closed. A store is idle if
/// it has written all its changes, and nothing in the process could notice that it is closed:
///
/// - no variable, task or object refers to it: neither an ``Observed`` nor a ``UserAction``;
/// - no run of feedbacks was started on it, and none of a run of all stores has something to do;
/// - no observer is registered, and no stream or sequence of it exists, such as ``Store/values(of:)``;
/// - no change is pending, and no snapshot is being made.
///
/// So a store that you hold is never closed. Hold it for as long as you use it, and access it again next time: an access of an open store
/// costs about a microsecond. A weak reference does not keep a store open. Do not close a store of `Stores` yourself.
///
/// While all stores are in use, another key waits until one becomes idle, for ``StoresBudget/timeout`` at most; then its access throws
/// `unavailable`.
///
/// If keys have many callers at every moment, they take turns: while another key waits, the next accesses of open keys wait for the end of
/// the present uses. So hold a store for one request, not for several. An access of a key whose store the caller itself holds may take up to
/// a second then: pass the store to the functions that need it.
///
/// ## Undo
///
/// A store is opened without its undo window, which would be most of its memory and of the time of its opening. It reads the window when it
/// is undone in for the first time: ``UndoWindowLoading/whenNeeded``. Call ``Store/loadUndoWindow()`` before ``Store/previewUndo()`` and
/// ``Store/previewRedo()``, or set ``StoreOptions/undoWindowLoading`` to ``UndoWindowLoading/atOpening``.
///
/// ## Stores that fail
///
/// A store whose journal has failed permanently stays in the hands of its callers, with its status. The next access of its key closes it,
/// and opens another one. Changes that it could not write have failed with their commits; by default they are kept until
/// ``close(deadline:)`` returns them, and the closure `resuming` may have them written by the new store.
///
/// ## Concurrency
///
/// Every method may be called from any thread. There are never two stores of one key at once: a key that is accessed while its store is
/// being closed is opened afterwards. While nothing is accessed, no timer runs.
///
/// `Design/0017-stores.md` explains the decisions.
public final class Stores<State: Journaled>: Sendable {
  package let places: JournalPlaces
  let budget: StoresBudget
  package let options: StoreOptions
  let size: (@Sendable (State) -> Int)?
  let resuming: (@Sendable (_ key: String, _ leftOver: [Unwritten<State>]) -> [Unwritten<State>])?
  let initial: @Sendable (_ key: String) -> State
  let contents: Lock<Contents>
  /// The server in this process that decides the journals. Without one, the stores can only read served journals.
  package let author = ServerAuthor()
  /// Resolved when ``close(deadline:)`` was called and no store is left.
  let isEmpty = Promise<Void>()

  typealias Table = StoreTable<StoreKey, Store<State>>

  /// The callers that wait for a key.
  struct Callers: Sendable {
    let promise = Promise<Result<Store<State>, JournalError>>()
    /// Whether one of them wants a store that follows its journal.
    var follows = false
  }

  struct Contents: Sendable {
    var table: Table
    /// The callers by the key that they wait for.
    var callers: [StoreKey: Callers] = [:]
    var openings: [StoreKey: Task<Void, Never>] = [:]
    /// The number of openings that were started.
    var attempts = 0
    /// Looks for an idle store at intervals, while keys wait and all stores are in use.
    var retry: Task<Void, Never>?
    /// The changes that stores could not write before they ended.
    var leftOver: [StoreKey: [Unwritten<State>]] = [:]
    /// The numbers of the report that only grow.
    var report = StoresReport()
    /// The report that the monitor has received last.
    var monitored = StoresReport()
    /// The closures that receive each store that is opened.
    var openers: [Int: @Sendable (Store<State>) -> Void] = [:]
    var lastOpener = 0
    /// The time limit of the stores that are opened after the end.
    var deadline: Duration?

    /// Whether the end has come, and no store is left.
    var isOver: Bool { table.isEnded && table.taken == 0 }
  }

  /// Creates an empty set of stores. Nothing is opened.
  ///
  /// - Parameters:
  ///   - places: The places of the journals.
  ///   - budget: The limits on open stores.
  ///   - options: The options of every store. Unless ``StoreOptions/undoWindowLoading`` says otherwise, the undo window is read when it is
  ///     needed.
  ///   - size: Estimates the bytes that a state occupies, for ``StoresBudget/bytes``; nil if bytes are not counted. It is called at the
  ///     opening and at each access, and should be O(1), such as a number of elements times a constant.
  ///   - resuming: Receives the changes that a store could not write before it ended, when its key is opened again, and returns those that
  ///     the new store shall write, under their own ids. Their commits have failed, so the app may have made them again. Nil to keep all of
  ///     them for ``close(deadline:)``.
  ///   - initial: Returns the initial state of a new journal.
  public init(
    in places: JournalPlaces, budget: StoresBudget = StoresBudget(), options: StoreOptions = StoreOptions(),
    size: (@Sendable (State) -> Int)? = nil,
    resuming: (@Sendable (_ key: String, _ leftOver: [Unwritten<State>]) -> [Unwritten<State>])? = nil,
    initial: @escaping @Sendable (_ key: String) -> State
  ) {
    precondition(budget.stores >= 1 && budget.openingsAtOnce >= 1, "A budget has room for at least one store.")
    self.places = places
    self.budget = budget
    var options = options.loadingUndoWindow(.whenNeeded)
    options.author = author
    self.options = options
    self.size = size
    self.resuming = resuming
    self.initial = initial
    let (count, bytes, atOnce) = budget.limits(descriptorsPerStore: places.descriptors)
    contents = Lock(Contents(table: Table(limits: Table.Limits(places: count, bytes: bytes, atOnce: atOnce))))
  }

  /// The store of a key: the open one, or a new one.
  ///
  /// - Parameter key: Any text. The places may limit it. Keys are different if their bytes in UTF-8 are different, even if Swift
  ///   compares the texts as equal.
  /// - Throws: ``/AlterJournal/JournalError``: the error of the opening; `unavailable` if all stores of the budget were in use for
  ///   ``StoresBudget/timeout``; `closed` after ``close(deadline:)``; `cancelled` if the task was cancelled while it waited.
  /// - Complexity: O(1) if the store is open; otherwise that of its opening, and of closing another one if the budget is used up. If a service of
  ///   sync has kept the key open, the first access reads the entries since then.
  public subscript(key: String) -> Store<State> {
    get async throws(JournalError) {
      let key = StoreKey(key)
      var store: Store<State>
      var attempts = 0
      repeat {
        store = try await access(key, following: true)
        try await store.beginFollowing(cancelled: .cancelledAccess(key.text))
        attempts += 1
        // It may have ended meanwhile, once.
      } while !store.takesChanges && attempts < 2
      if countsBytes { resize(key, store, as: store.state) }
      return store
    }
  }

  /// Whether a key has a journal: one that a store has opened at any time. Nothing is created.
  ///
  /// An access by the subscript makes the journal of a key that has none. Where keys come from outside, as in the path of a request, ask
  /// first, or use ``existing(_:)``.
  ///
  /// ```swift
  /// guard try await stores.contains(id) else { return .notFound }
  /// ```
  ///
  /// Places that a closure opens are asked through that closure, unless they say which keys are missing:
  /// ``/AlterJournal/JournalPlaces/init(descriptors:isMissing:_:)``.
  ///
  /// - Parameter key: Any text; false for one that no journal can have.
  /// - Throws: ``/AlterJournal/JournalError`` if the places can't be read, or the journal is there and can't be opened; `closed` after
  ///   ``close(deadline:)``.
  /// - Complexity: O(1) for an open key, and without a journal that of a look into the file system or a query. Otherwise the journal is opened
  ///   for a moment.
  public func contains(_ key: String) async throws(JournalError) -> Bool {
    let known = contents.withLock { contents in contents.table.isEnded ? nil : contents.table.isOpen(StoreKey(key)) }
    guard let known else { throw .closedStores(key) }
    if known { return true }
    return try await places.contains(key)
  }

  /// The store of a key that has a journal; nil for any other key, for which nothing is created.
  ///
  /// - Parameter key: Any text.
  /// - Throws: As ``contains(_:)`` and the subscript.
  /// - Complexity: That of ``contains(_:)`` and of the access.
  public func existing(_ key: String) async throws(JournalError) -> Store<State>? {
    guard try await contains(key) else { return nil }
    return try await self[key]
  }

  /// The store of a key, for a caller that needs its journal to stay open, and not its state.
  ///
  /// Until the first access of the key by ``subscript(_:)``, the store does not read the entries that others append. A server of a thousand
  /// journals would otherwise read, decode and apply each entry a second time.
  ///
  /// - Throws: As ``subscript(_:)``.
  package func unfollowed(_ key: String) async throws(JournalError) -> Store<State> { try await access(StoreKey(key), following: false) }

  /// Counts the bytes of a store by the present state of its journal, which a store that does not follow the journal does not know.
  package func resize(_ key: String, _ store: Store<State>, as state: State) { resize(StoreKey(key), store, as: state) }

  /// Whether the bytes of states are counted.
  package var countsBytes: Bool { size != nil }

  private func resize(_ key: StoreKey, _ store: Store<State>, as state: State) {
    guard let size else { return }
    let bytes = Self.clamped(size(state))
    contents.withLock { contents in
      contents.table.resize(key, store, to: bytes)
      // Otherwise only the access of a closed key would close the idle stores.
      if contents.table.bytes > budget.bytes { proceed(&contents) }
    }
  }

  /// The number of stores that may be open at once.
  package var capacity: Int { budget.limits(descriptorsPerStore: places.descriptors).0 }

  /// The number of file descriptors that the open stores need at most.
  package var descriptors: Int { capacity.multipliedReportingOverflow(by: places.descriptors).partialValue }

  /// A size whose sums cannot overflow: at least 0, at most 4 TiB.
  static func clamped(_ bytes: Int) -> Int { min(max(0, bytes), 1 << 42) }

  /// The contents now.
  ///
  /// - Complexity: O(1).
  public var report: StoresReport { contents.withLock { report(of: $0) } }

  private func report(of contents: Contents) -> StoresReport {
    var report = contents.report
    report.waiting = contents.table.count(.waiting)
    report.opening = contents.table.count(.opening)
    report.open = contents.table.count(.open)
    report.closing = contents.table.count(.closing)
    report.bytes = size == nil ? nil : contents.table.bytes
    report.descriptors = contents.table.taken * places.descriptors
    report.unwritten = contents.leftOver.values.reduce(0) { $0 + $1.count }
    return report
  }

  /// Tells the monitor the numbers that have changed since the last call. Call it outside the lock.
  func tellMonitor() {
    guard let monitor = options.monitor else { return }
    let (old, new) = contents.withLock { contents in
      let (old, new) = (contents.monitored, report(of: contents))
      contents.monitored = new
      return (old, new)
    }
    if old != new { monitor.record(.stores(old, new), of: "stores") }
  }

  deinit {
    guard let monitor = options.monitor else { return }
    let old = contents.withLock { $0.monitored }
    var new = old
    (new.waiting, new.opening, new.open, new.closing, new.unwritten, new.descriptors) = (0, 0, 0, 0, 0, 0)
    new.bytes = new.bytes.map { _ in 0 }
    if old != new { monitor.record(.stores(old, new), of: "stores") }
  }

  /// The keys of the open stores, in no order.
  ///
  /// - Complexity: O(number of open stores).
  package var openKeys: [String] { contents.withLock { $0.table.keys(.open) }.map(\.text) }

  /// Starts to close all idle stores, for example because memory is scarce.
  ///
  /// - Complexity: O(number of open stores). The stores are closed in the background.
  public func closeIdle() {
    contents.withLock { contents in
      for action in contents.table.closeIdle(isIdle: { $0.isIdle }) { start(action, in: &contents) }
    }
    tellMonitor()
  }
}

extension Store {
  /// Whether no observer, run, stream or pending change would notice that the store is closed.
  var isIdle: Bool {
    let isQuiet = core.withLock { core in
      // A store that has ended has nothing left to do.
      guard core.status == .open else { return true }
      // `watchers` does not count: the follower task watches until the next change, although the last sequence has ended.
      return !core.isClosing && !core.isWriting && core.replica.pendingCount == 0 && !core.runs.contains { $0.keepsStore }
        && core.observers.isEmpty
        && core.notifications.isEmpty && !core.isDelivering
    }
    return isQuiet && usage.isEmpty && snapshots.withLock { $0.task == nil }
  }

  /// Whether the store has neither failed nor been closed, and is not being closed.
  var takesChanges: Bool { core.withLock { $0.takesChanges } }
}
