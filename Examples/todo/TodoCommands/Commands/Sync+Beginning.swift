import Alter
import AlterSQLite
import ArgumentParser
import TodoCore

extension ListDifference.Choice: ExpressibleByArgument {}

// The way of a list to a server.
extension Sync {
  func begin(_ url: String, _ path: String, _ isDefault: Bool, _ engine: any SyncEngine) async throws {
    try Self.checkIsLocal(path)
    // An illegal address is reported before the token is typed.
    do throws(SyncSettings.Problem) { _ = try SyncSettings(url: url, list: list, token: "anyone.0123456789abcdef") } catch {
      throw CommandError(.usage, error.description)
    }
    let text = try TokenInput.read()
    let settings: SyncSettings
    do throws(SyncSettings.Problem) { settings = try SyncSettings(url: url, list: list, token: text) } catch {
      throw CommandError(.usage, error.description)
    }
    if isDefault { try Session.makeFolder(of: path) }
    // No other process changes the list until its changes belong to the server's.
    let local = try await LocalList.take(path, waiting: store.patience)
    let wasAdopted: Bool
    do {
      // Another process may have begun during the wait.
      try Self.checkIsLocal(path)
      wasAdopted = try await join(settings, path, local, engine)
    } catch {
      await local.end()
      throw error
    }
    await local.end()
    try Console.print("Synced: \(settings)\(wasAdopted ? ", which begins with the list of this device" : "").")
  }

  private static func checkIsLocal(_ path: String) throws {
    guard let settings = try SyncFile.read(path) else { return }
    throw CommandError(.usage, "the list is synced already, as \(settings.description.printable). 'todo sync --stop' ends that.")
  }

  /// Makes the list of the device the server's list, or joins one that the server has.
  ///
  /// - Returns: Whether the server's list begins with the list of this device.
  private func join(_ settings: SyncSettings, _ path: String, _ local: LocalList, _ engine: any SyncEngine) async throws -> Bool {
    let (kept, mine) = (DeviceFile.exists(path), try await local.state())
    if kept, let other = mine.synced, other != settings.description {
      throw CommandError(
        .refused,
        """
        the list was synced as \(other.printable), and '\(DeviceFile.path(path).printable)' may have changes that this server has not: begin with that \
        address and list, or delete the file to give them up. Nothing was changed.
        """)
    }
    var wasAdopted = false
    // A list with a mark is the server's already, and so is that of a device's file, which has the changes since.
    // An empty list is created, too: others may join it before anybody has changed it.
    if !kept, mine.synced == nil { wasAdopted = try await adopt(settings, path, local, engine) }
    let synced = try await engine.open(settings, at: DeviceFile.path(path), Session.options(store, true, settings), isTalking: true)
    (SyncSupport.connections, SyncSupport.problem) = (synced.connections, synced.problem)
    do {
      let connection = await Self.settled(synced)
      guard connection.isLive else { throw Self.problem(connection, settings) }
      // The device's file of a marked list has everything of it.
      if !wasAdopted, !kept || mine.synced == nil, mine.unsynced != AppState() {
        try await Self.fetched(synced.store, path, settings)
        try await reconcile(mine.unsynced, with: synced.store, settings)
      }
    } catch {
      _ = await synced.store.close(deadline: .seconds(1))
      // A file that was there may have changes that exist nowhere else.
      if !kept { DeviceFile.remove(path) }
      throw error
    }
    let leftOver = await synced.store.close(deadline: store.patience)
    guard leftOver.isEmpty else {
      throw CommandError(JournalError(.unavailable, journal: "todo", message: "could not be written in time."), leaving: leftOver)
    }
    if mine.synced != settings.description { try await local.mark(as: settings.description) }
    do { try SyncFile.write(settings, path) } catch {
      if mine.synced == nil { try? await local.unmark(with: nil) }
      throw error
    }
    return wasAdopted && mine != AppState()
  }

  /// Creates the list on the server.
  ///
  /// - Returns: False if the server has it already.
  private func adopt(_ settings: SyncSettings, _ path: String, _ local: LocalList, _ engine: any SyncEngine) async throws -> Bool {
    do {
      try await local.start()
      try await engine.adopt(local.journal, at: DeviceFile.path(path), settings)
      return true
    } catch AdoptionProblem.exists {
      return false
    } catch AdoptionProblem.forbidden {
      throw Self.problem(.forbidden, settings)
    } catch AdoptionProblem.signedOut {
      throw Self.problem(.signedOut, settings)
    } catch AdoptionProblem.refused(let message) {
      throw CommandError(.badData, "the server has not taken the list: \(message.printable) Check the address. Nothing was changed.")
    } catch let error as JournalError {
      throw error
    } catch {
      throw Self.problem(.offline(.network, since: 0), settings)
    }
  }

  /// Carries out the user's choice if the list of the device and the server's differ.
  private func reconcile(_ mine: AppState, with store: Store<AppState>, _ settings: SyncSettings) async throws {
    let difference = ListDifference(mine: mine, theirs: store.state)
    guard !difference.isEmpty else { return }
    guard let keep else {
      throw CommandError(
        .refused,
        """
        the server has a list '\(settings.list)' already, and this device has another one (\(difference)). Add --keep theirs, --keep mine or \
        --keep both, or --list for another name. Nothing was changed.
        """)
    }
    let changes = difference.changes(keeping: keep)
    if !changes.isEmpty { _ = try await store.settle(store.change(changes)) }
  }

  /// Waits until a store has everything that the first contact has brought into the device's file.
  private static func fetched(_ store: Store<AppState>, _ path: String, _ settings: SyncSettings) async throws {
    let mirror = try await SQLiteJournal(at: DeviceFile.path(path), key: settings.list, isReadOnly: true)
    let newest: Revision
    do { newest = try await mirror.head().revision } catch {
      await mirror.close()
      throw error
    }
    await mirror.close()
    for await revision in store.revisions where revision >= newest { return }
  }

  /// The first definite status of the connection.
  private static func settled(_ synced: SyncedList) async -> Connection {
    for await connection in synced.connections() where connection != .connecting { return connection }
    return .broken
  }

  static func problem(_ connection: Connection, _ settings: SyncSettings) -> CommandError {
    switch connection {
    case .offline: CommandError(.tryAgain, "can't reach \(settings.url.printable). Nothing was changed; check the address, then try again.")
    case .notAServer:
      CommandError(.badData, "\(settings.url.printable) answers, but not as a server of lists. Nothing was changed; check the address.")
    case .signedOut: CommandError(.noPermission, "the server has rejected the token. Nothing was changed.")
    case .forbidden:
      CommandError(.noPermission, "the server does not permit \(settings.user) to use the list '\(settings.list)'. Nothing was changed.")
    default: CommandError(.tryAgain, "\(connection.text(Clock.moment)). Nothing was changed.")
    }
  }
}
