import Alter
import AlterSQLite
import AlterTerminal
import TodoCore

/// What a command does with the list: opens it, works, and closes it, whatever happens.
enum Session {
  /// Opens the list for changes, which makes it if there is none, and closes it afterwards.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - followsOthers: Whether the store notices what others write. A command that reads, changes and ends has no use for it.
  ///   - body: What to do.
  static func change(
    _ location: StoreLocation, followsOthers: Bool = false, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    let journal = try await open(location)
    let store = try await Store.open(AppState(), in: journal, options: options(location, followsOthers))
    try await work(in: store, at: location, body)
  }

  /// Opens the list for changes; one that has not begun begins with what was kept elsewhere before.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - source: What the log calls that.
  ///   - load: Reads it; called only for a list that has not begun.
  ///   - body: What to do.
  static func change(
    _ location: StoreLocation, importing source: String, _ load: () throws(Refusal) -> AppState,
    _ body: (Store<AppState>) async throws -> Void
  ) async throws {
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
    try await work(in: store, at: location, body)
  }

  private static func open(_ location: StoreLocation) async throws -> any Journal {
    let (path, isDefault) = try location.find()
    if let database = try SharedList(path) { return try await database.open(patience: location.patience) }
    if isDefault { try makeFolder(of: path) }
    return try await SQLiteJournal(at: path, durability: .full, lockTimeout: location.patience)
  }

  private static func options(_ location: StoreLocation, _ followsOthers: Bool) -> StoreOptions {
    var options = StoreOptions()
    options.followsOthers = followsOthers
    options.outageTimeout = location.patience
    return options
  }

  /// Works in a store and closes it. A command ends although its journal may be out of reach: then it says what became of the changes.
  private static func work(
    in store: Store<AppState>, at location: StoreLocation, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    do { try await body(store) } catch {
      let leftOver = await store.close(deadline: .seconds(1))
      guard case CommitError<Refusal>.notYet(let reason?) = error else { throw error }
      throw CommandError(reason, leaving: leftOver)
    }
    let leftOver = await store.close(deadline: location.patience)
    guard !leftOver.isEmpty else { return }
    throw CommandError(JournalError(.unavailable, journal: "todo", message: "could not be written in time."), leaving: leftOver)
  }

  /// Opens the list for changes if there is one.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - missing: What to say if there is none, so that a command that can't succeed leaves no empty list behind.
  ///   - body: What to do.
  static func change(
    _ location: StoreLocation, orThrow missing: CommandError, _ body: (Store<AppState>) async throws -> Void
  ) async throws {
    guard try await exists(location) else { throw missing }
    try await change(location, body)
  }

  /// Opens the list's journal for reading only. Nothing is made or changed.
  ///
  /// - Parameter body: Gets the journal, or nil when there is no list.
  static func read(_ location: StoreLocation, _ body: ((any Journal)?) async throws -> Void) async throws {
    guard try await exists(location) else { return try await body(nil) }
    let path = try location.find().path
    let journal: any Journal
    if let database = try SharedList(path) {
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

  /// The list as it is now, read only: an empty one if there is none.
  static func state(_ location: StoreLocation) async throws -> AppState {
    var state = AppState()
    try await read(location) { journal in
      guard let journal else { return }
      let head = try await journal.head()
      // A process that was killed in its first moment leaves a journal that has not begun.
      if head.revision > .zero { state = try await Store<AppState>.state(at: head.revision, in: journal) }
    }
    return state
  }

  /// Whether there is a list.
  static func exists(_ location: StoreLocation) async throws -> Bool {
    let path = try location.find().path
    if let database = try SharedList(path) { return try await database.exists() }
    return access(path, F_OK) == 0
  }

  /// Makes the folder of a file, and those above it, for the user alone.
  private static func makeFolder(of path: String) throws(CommandError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      guard mkdir(folder, 0o700) != 0 else { continue }
      let code = errno
      // Whatever is there will do; folders that may not be written are there already, too.
      guard access(folder, F_OK) != 0 else { continue }
      let status: ExitStatus = [EACCES, EPERM, EROFS].contains(code) ? .noPermission : code == ENOSPC ? .ioError : .cannotCreate
      throw CommandError(
        status, "can't make the folder '\(folder.printable)': \(systemMessage(code)). Name another place by --store or TODO_STORE.")
    }
  }
}
