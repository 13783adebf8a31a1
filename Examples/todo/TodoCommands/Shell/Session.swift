import Alter
import AlterSQLite
import GRDB
import TodoCore
import _AlterTerminal

/// Opens the list for a command and always closes it.
package enum Session {
  /// Opens the list for changes, creates it if necessary, and closes it afterwards.
  ///
  /// - Parameters:
  ///   - location: The location of the list.
  ///   - followsOthers: Whether the store follows the changes of other processes. A command that reads, changes and exits does not need it.
  ///   - body: The work of the command.
  package static func change(
    _ location: StoreLocation, followsOthers: Bool = false, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    if let store = try await openSynced(location, followsOthers) { return try await workSynced(in: store, at: location, body) }
    let journal = try await open(location)
    let store = try await Store.open(AppState(), in: journal, options: options(location, followsOthers))
    try await workLocally(in: store, on: journal, at: location, body)
  }

  /// Opens the list for changes. A new list begins with the state of another source.
  ///
  /// - Parameters:
  ///   - location: The location of the list.
  ///   - source: The name of the source in the log.
  ///   - load: Reads the state; called only for a new list.
  ///   - body: The work of the command.
  static func change(
    _ location: StoreLocation, importing source: String, _ load: () throws(Refusal) -> AppState,
    _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    if let store = try await openSynced(location, false) { return try await workSynced(in: store, at: location, body) }
    let journal = try await open(location)
    let store: Store<AppState>
    do throws(ImportError<Refusal>) {
      store = try await Store.open(importing: source, in: journal, options: options(location, false)) { () throws(Refusal) in try load() }
    } catch {
      switch error {
      case .unreadable(_, let refusal): throw refusal
      case .journal(let error): throw error
      }
    }
    try await workLocally(in: store, on: journal, at: location, body)
  }

  /// Works with a synced list.
  private static func workSynced(
    in store: Store<AppState>, at location: StoreLocation, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    // Closing a file that another process has deleted leaves a lock file.
    defer { ListMove.tidy() }
    try await work(in: store, at: location, body)
  }

  /// Works with a list that is not synced, unless it goes to a server meanwhile.
  private static func workLocally(
    in store: Store<AppState>, on journal: any Journal, at location: StoreLocation, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    try await work(in: store, at: location) { store in
      do {
        guard store.state.synced == nil else { throw ListMove.Moved() }
        try await body(store)
      } catch  where ListMove.isCause(of: error) {
        // The process that has marked the list writes the settings before it ends its turn.
        (try? await journal.takeTurn())?.end()
        throw ListMove.Moved()
      }
    }
  }

  /// The settings of a synced list; nil for any other one.
  static func settings(_ location: StoreLocation) throws -> SyncSettings? {
    let path = try location.find().path
    guard try SharedList(path) == nil else { return nil }
    return try SyncFile.read(path)
  }

  /// Opens a synced list; nil if the list is not synced.
  private static func openSynced(_ location: StoreLocation, _ followsOthers: Bool) async throws -> Store<AppState>? {
    guard let settings = try settings(location) else { return nil }
    guard let engine = SyncSupport.engine else { throw CommandError(.internalError, "this program can't open a synced list") }
    let path = try location.find().path
    ListMove.open(path, isSynced: true)
    let (device, wasThere) = (DeviceFile.path(path), DeviceFile.exists(path))
    let synced: SyncedList
    do {
      synced = try await engine.open(settings, at: device, options(location, followsOthers, settings), isTalking: true)
    } catch {
      ListMove.tidy()
      // The process that has ended the sync has deleted the file that this one was making. The sync may have begun again since.
      if (error as? JournalError)?.code == .diverged { throw ListMove.Moved() }
      throw error
    }
    // Opening creates a file that another process has just deleted, when it ended the sync.
    guard !ListMove.hasHappened else {
      _ = await synced.store.close(deadline: .seconds(1))
      if !wasThere { DeviceFile.remove(path) }
      throw ListMove.Moved()
    }
    (SyncSupport.connections, SyncSupport.problem) = (synced.connections, synced.problem)
    SyncSupport.user = settings.user
    SyncSupport.openMirror = { () async throws(JournalError) in
      try await SQLiteJournal(at: device, key: settings.list, isReadOnly: true)
    }
    return synced.store
  }

  private static func open(_ location: StoreLocation) async throws -> any Journal {
    let (path, isDefault) = try location.find()
    if let database = try SharedList(path) { return try await database.open(patience: location.patience) }
    if isDefault { try makeFolder(of: path) }
    ListMove.open(path, isSynced: false)
    return try await SQLiteJournal(at: path, durability: .full, lockTimeout: location.patience)
  }

  /// The options of a store.
  ///
  /// - Parameter settings: The settings of a synced list. There, an undo is about the last change of this user, on any device.
  static func options(_ location: StoreLocation, _ followsOthers: Bool, _ settings: SyncSettings? = nil) -> StoreOptions {
    var options = StoreOptions()
    if let settings { options.scope = UndoScope(rawValue: settings.user) }
    options.followsOthers = followsOthers
    options.outageTimeout = location.patience
    return options
  }

  /// Works with a store and closes it. If the journal is unreachable, the command still ends, and reports the state of its changes.
  private static func work(
    in store: Store<AppState>, at location: StoreLocation, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    // Never released, because the process ends after the command: the system frees the memory of a long list in less time.
    _ = Unmanaged.passRetained(store)
    do { try await body(store) } catch {
      let leftOver = await store.close(deadline: .seconds(1))
      guard case CommitError<Refusal>.notYet(let reason?) = error else { throw error }
      throw CommandError(reason, leaving: leftOver)
    }
    let leftOver = await store.close(deadline: location.patience)
    guard !leftOver.isEmpty else { return }
    throw CommandError(JournalError(.unavailable, journal: "todo", message: "could not be written in time."), leaving: leftOver)
  }

  /// Opens the list for changes if it exists.
  ///
  /// - Parameters:
  ///   - location: The location of the list.
  ///   - missing: The error if the list does not exist. The command then leaves no empty list behind.
  ///   - body: The work of the command.
  static func change(
    _ location: StoreLocation, orThrow missing: CommandError, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    guard try await exists(location) else { throw missing }
    try await change(location, body)
  }

  /// Opens the list's journal for reading only. Nothing is created or changed.
  ///
  /// - Parameter body: Receives the journal, or nil if there is no list.
  static func read(_ location: StoreLocation, _ body: ((any Journal)?) async throws -> Void) async throws {
    guard try await exists(location) else { return try await body(nil) }
    let path = try location.find().path
    let journal: any Journal
    if let settings = try settings(location) {
      ListMove.open(path, isSynced: true)
      // The entries that the server has decided.
      journal = try await SQLiteJournal(at: DeviceFile.path(path), key: settings.list, isReadOnly: true)
    } else if let database = try SharedList(path) {
      journal = try await database.openForReading()
    } else {
      journal = try await SQLiteJournal(at: path, isReadOnly: true)
    }
    do { try await body(journal) } catch {
      await journal.close()
      throw error
    }
    await journal.close()
  }

  /// The current list, opened for reading only; an empty list if there is none.
  static func state(_ location: StoreLocation) async throws -> AppState { try await view(location).state }

  /// The current list with the marks of a synced one, as ``state(_:)``.
  static func view(_ location: StoreLocation) async throws -> (state: AppState, marks: SyncMarks) {
    if let store = try await openSynced(location, false) {
      let view = (store.state, SyncMarks(unconfirmed: store.unconfirmed, refusals: store.refusals))
      _ = await store.close(deadline: location.patience)
      return view
    }
    var state = AppState()
    try await read(location) { journal in
      guard let journal else { return }
      let head = try await journal.head()
      // A process that was killed right after it created the journal leaves one without entries.
      if head.revision > .zero { state = try await Store<AppState>.state(at: head.revision, in: journal) }
    }
    return (state, SyncMarks())
  }

  /// Reads the rows of the current list, with the marks of a synced one.
  ///
  /// - Returns: The result of the closure; nil if there is no list.
  static func rows<Value: Sendable>(
    _ location: StoreLocation, _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> (value: Value?, marks: SyncMarks) {
    let path = try location.find().path
    if let store = try await openSynced(location, false) {
      let marks = SyncMarks(unconfirmed: store.unconfirmed, refusals: store.refusals)
      let found = try await ListRows.read(of: store, beside: DeviceFile.path(path), value)
      _ = await store.close(deadline: location.patience)
      return (found, marks)
    }
    let file = try SharedList(path) == nil ? path : nil
    var found: Value?
    try await read(location) { journal in
      guard let journal else { return }
      let head = try await journal.head()
      guard head.revision > .zero else { return }
      if let file { found = await ListRows.read(at: head, beside: file, value) }
      guard found == nil else { return }
      // The rows are of another place, and a store finds the way from there.
      var options = StoreOptions()
      (options.followsOthers, options.keepsJournalOpen) = (false, true)
      let store = try await Store.open(AppState(), in: journal, options: options)
      found = try await ListRows.read(of: store, beside: file, value)
      await store.close()
    }
    return (found, SyncMarks())
  }

  /// Whether the list exists.
  static func exists(_ location: StoreLocation) async throws -> Bool {
    let path = try location.find().path
    if let database = try SharedList(path) { return try await database.exists() }
    return access(path, F_OK) == 0 || SyncFile.exists(path)
  }

  /// Creates the folder of a file, and its parents, with permissions for the user only.
  static func makeFolder(of path: String) throws(CommandError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      guard mkdir(folder, 0o700) != 0 else { continue }
      let code = errno
      // An existing folder is sufficient, even if it may not be written.
      guard access(folder, F_OK) != 0 else { continue }
      let status: ExitStatus = [EACCES, EPERM, EROFS].contains(code) ? .noPermission : code == ENOSPC ? .ioError : .cannotCreate
      throw CommandError(
        status, "can't make the folder '\(folder.printable)': \(systemMessage(code)). Name another place by --store or TODO_STORE.")
    }
  }
}
