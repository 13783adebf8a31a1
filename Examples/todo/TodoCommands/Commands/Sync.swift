import Alter
import AlterSQLite
import ArgumentParser
import TodoCore

/// `todo sync`
struct Sync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Keep the list on a server, for several devices and users.",
    discussion: Help.text(
      """
      With an address, asks for the token that the server's administrator has given you ('todo-server user add'), and from then on all \
      commands work on the server's list, also offline: changes are kept on this device, and sent when the server can be reached. A list \
      that is on this device already becomes the server's list; its history stays in the old file. Without a terminal, the token is \
      the first line of the standard input.

      Without an address, sends and fetches now, and ends when the server has decided all changes of this device.
      """, examples: "todo sync https://todo.example/sync", "todo sync https://todo.example/sync --list ann/todo", "todo sync",
      "todo sync --status", "todo sync --stop"))

  @OptionGroup var store: StoreLocation

  @Option(help: ArgumentHelp("The list on the server (default: your own list 'todo').", valueName: "owner/name"))
  var list: String?

  @Option(
    help: ArgumentHelp(
      """
      If the server has the list already, and it differs from the list of this device: theirs keeps the server's list, mine this device's, and both \
      keeps all items, and two versions of those that differ.
      """, valueName: "theirs|mine|both"))
  var keep: ListDifference.Choice?

  @Flag(help: "Show the connection, and how many changes wait or were refused.")
  var status = false

  @Flag(help: "Read another token.")
  var token = false

  @Flag(help: "Stop syncing. The list stays on this device as it is.")
  var stop = false

  @Flag(
    help: """
      If you may only read the list: give up the changes of this device, and fetch the list again. With --stop they stay on this device alone, \
      and refused changes are given up.
      """)
  var discard = false

  @Argument(help: "The server's address.")
  var url: String?

  func validate() throws {
    let modes = [url != nil, status, stop, token].count { $0 }
    guard modes <= 1 else { throw ValidationError("give one of an address, --status, --token and --stop") }
    guard url != nil || (list == nil && keep == nil) else { throw ValidationError("--list and --keep belong to an address") }
    guard !discard || stop || modes == 0 else { throw ValidationError("--discard is for 'todo sync' alone, or with --stop") }
  }

  mutating func run() async throws {
    let (path, isDefault) = try store.find()
    guard try SharedList(path) == nil else {
      throw CommandError(.usage, "a list in a database can't be synced; it is shared already. Name a file.")
    }
    guard let engine = SyncSupport.engine else { throw CommandError(.internalError, "this program can't sync") }
    if let url { return try await begin(url, path, isDefault, engine) }
    guard let settings = try SyncFile.read(path) else {
      throw CommandError(.noSuchThing, "the list is not synced: 'todo sync' with the address of a server begins it")
    }
    if token { return try renewToken(settings, path) }
    if stop { return try await end(settings, path, engine) }
    if status { return try await report(settings) }
    if discard { return try await giveUp(settings, path, engine) }
    try await finish(settings)
  }

  // MARK: - While it is synced

  private func renewToken(_ settings: SyncSettings, _ path: String) throws {
    let text = try TokenInput.read()
    let new: SyncSettings
    do throws(SyncSettings.Problem) { new = try SyncSettings(url: settings.url, list: settings.list, token: text) } catch {
      throw CommandError(.usage, error.description)
    }
    guard new.user == settings.user else {
      throw CommandError(.usage, "that is a token of \(new.user), and this list belongs to \(settings.user) on this device")
    }
    try SyncFile.write(new, path)
    try Console.print("The token is kept; 'todo sync' uses it.")
  }

  /// Sends and fetches until everything is decided.
  private func finish(_ settings: SyncSettings) async throws {
    try await Session.change(store, followsOthers: true) { store in
      guard let connections = SyncSupport.connections else { return }
      let before = Set(store.refusals.map(\.record.id))
      let connection: Connection
      if await SyncSupport.first(connections(), isIncluded: { _ in true }) != nil {
        connection = await Self.drained(store, connections())
      } else {
        // Another process of this device, such as 'todo watch', talks to the server, also for this one.
        await Self.emptied(store, within: self.store.patience)
        connection = .elsewhere
      }
      let new = store.refusals.filter { !before.contains($0.record.id) }
      try Console.print(Self.lines(settings, connection, store))
      let isDone = connection.isLive || connection == .elsewhere && store.unconfirmed.isEmpty
      guard isDone else { throw CommandError(.tryAgain, "not everything is synced: \(connection.text(Clock.moment))") }
      guard new.isEmpty else { throw CommandError(.refused, "the server has refused \(Self.changes(new.count)): see 'todo refused'") }
    }
  }

  /// Waits until nothing is undecided, or until the time is over.
  private static func emptied(_ store: Store<AppState>, within limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await outbox in store.outbox where outbox.unconfirmed.isEmpty { return } }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits until the connection is live and nothing is undecided, or until the connection has failed.
  private static func drained(_ store: Store<AppState>, _ connections: AsyncStream<Connection>) async -> Connection {
    var connection = Connection.broken
    for await next in connections where next != .connecting {
      connection = next
      guard next.isLive else { return next }
      break
    }
    let failed = Task { () -> Connection? in
      for await next in connections where !next.isLive && next != .connecting { return next }
      return nil
    }
    let drained = Task { () -> Bool in
      for await outbox in store.outbox where outbox.unconfirmed.isEmpty { return true }
      return false
    }
    return await withTaskGroup(of: Connection.self) { group in
      group.addTask { await drained.value ? .live : .broken }
      group.addTask {
        if let failure = await failed.value { return failure }
        _ = await drained.value
        return .live
      }
      let first = await group.next() ?? .broken
      failed.cancel()
      drained.cancel()
      connection = first
      return connection
    }
  }

  private func report(_ settings: SyncSettings) async throws {
    try await Session.change(store, followsOthers: true) { store in
      var connection: Connection?
      if let connections = SyncSupport.connections { connection = await SyncSupport.first(connections()) }
      try Console.print(Self.lines(settings, connection, store))
    }
  }

  /// The connection, and what waits or was refused, in words.
  static func lines(_ settings: SyncSettings, _ connection: Connection?, _ store: Store<AppState>) -> [String] {
    let (waiting, refused) = (store.unconfirmed.count, store.refusals.count)
    let problem = connection?.isLive == true ? nil : SyncSupport.problem?()
    return ["\(settings): \((connection ?? .elsewhere).text(Clock.moment))"] + [problem].compactMap { $0 } + [
      waiting == 0 ? "All changes of this device are confirmed." : "\(changes(waiting)) not yet confirmed."
    ] + (connection == .forbidden && waiting > 0 ? [stuck] : [])
      + (refused == 0 ? [] : ["\(changes(refused)) refused: see 'todo refused'."])
  }

  /// The next step of a user who has changed a list that the server lets this user only read.
  private static let stuck =
    "Ask the list's owner for the right to change it; 'todo sync --discard' gives the changes up, if you may still read the list; 'todo sync --stop --discard' keeps them on this device alone."

  static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }
}
