import Alter
import ArgumentParser
import TodoCore

// The way of a list back from a server.
extension Sync {
  /// Gives the undecided changes up of a user who may only read: they are in the device's file alone, which is deleted and created again.
  func giveUp(_ settings: SyncSettings, _ path: String, _ engine: any SyncEngine) async throws {
    // The list must be there to be fetched again: a file beside the device's file shows it.
    let trial = path + ".trial"
    defer { DeviceFile.remove(trial) }
    let access = try await glimpse(settings, trial, engine).connection ?? .connecting
    guard access.isLive else { throw Self.problem(access, settings) }
    let (connection, waiting) = try await glimpse(settings, path, engine)
    guard waiting > 0 else { return try Console.print("The server has decided all changes of this device. Nothing was changed.") }
    switch connection {
    case .forbidden: break
    case nil: throw CommandError(.tryAgain, "another process of this device uses the list. End it, then try again. Nothing was changed.")
    case .live: throw CommandError(.refused, "the server takes the changes of this device: 'todo sync' sends them. Nothing was changed.")
    case .some(let other): throw Self.problem(other, settings)
    }
    try await DeviceFile.end(settings, path, engine, Session.options(store, false, settings), waiting: store.patience) { store in
      try Self.checkNoRefusals(store)
      var narrator = Narrator()
      narrator.learn(store.state)
      try Console.print(store.unconfirmed.map { "Given up: \(narrator.tell($0.record))" })
    }
    let isFetched = try await glimpse(settings, path, engine).connection?.isLive == true
    if !isFetched { try Console.print("The list is fetched when the server can be reached again.") }
  }

  /// The connection of a device's file, and the number of its undecided changes.
  private func glimpse(
    _ settings: SyncSettings, _ path: String, _ engine: any SyncEngine
  ) async throws -> (connection: Connection?, waiting: Int) {
    let synced = try await engine.open(settings, at: DeviceFile.path(path), Session.options(store, false, settings), isTalking: true)
    let connection = await SyncSupport.first(synced.connections())
    let result = Result { () throws -> Int in
      try Self.checkNoRefusals(synced.store)
      return synced.store.unconfirmed.count
    }
    _ = await synced.store.close(deadline: .seconds(1))
    return (connection, try result.get())
  }

  private static func checkNoRefusals(_ store: Store<AppState>) throws {
    guard !store.refusals.isEmpty else { return }
    throw CommandError(.refused, "\(changes(store.refusals.count)) refused: settle them by 'todo refused' first. Nothing was changed.")
  }

  func end(_ settings: SyncSettings, _ path: String, _ engine: any SyncEngine) async throws {
    let (patience, discards) = (store.patience, discard)
    try await DeviceFile.end(settings, path, engine, Session.options(store, false, settings), waiting: patience) { store in
      let (waiting, refused) = (store.unconfirmed.count, store.refusals.count)
      guard discards || waiting + refused == 0 else {
        throw CommandError(
          .refused,
          waiting > 0
            ? "\(Self.changes(waiting)) not yet confirmed. 'todo sync' sends them; with --discard they stay on this device alone. Nothing was changed."
            : "\(Self.changes(refused)) refused: 'todo refused' settles them; --discard gives them up. Nothing was changed.")
      }
      // First the local list becomes equal to the synced one, as one change; then the settings go; the copy of the server's list is last.
      let local = try await LocalList.take(path, waiting: patience)
      do {
        try await local.unmark(with: store.state == local.state().unsynced ? nil : store.state)
        try SyncFile.remove(path)
      } catch {
        await local.end()
        throw error
      }
      await local.end()
    }
    try Console.print("Not synced any more. The list stays on this device.")
  }
}
