import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore
import Foundation
import SliceTodo

/// A device: a program that shows a list and obeys commands, one a line.
final class DeviceProgram {
  /// The name of the file that is used before a principal has signed in.
  private static let unnamed = "unnamed"

  private let folder: URL
  private let schema: Int
  private let console: Console
  private var settings: DeviceJournal.Settings
  private var open: (journal: DeviceJournal, store: Store<AppState>, screen: Screen)?

  init(_ folder: URL, schema: Int, settings: DeviceJournal.Settings, console: Console) {
    (self.folder, self.schema, self.settings, self.console) = (folder, schema, settings, console)
  }

  /// Obeys commands until the last one.
  func run(_ lines: AsyncStream<String>) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await show(settings.token ?? Self.unnamed)
    for await line in lines {
      console.show("> \(line)")
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let rest = words.count > 1 ? words[1] : ""
      do {
        if words.first == "quit" { break }
        try await obey(words.first ?? "", rest)
      } catch {
        console.show("can't: \(error)")
      }
    }
    await hide()
    console.show("ended")
  }

  private func url(_ name: String) -> URL { folder.appendingPathComponent("\(name).jsonl") }

  /// Opens a principal's list.
  private func show(_ name: String) async throws {
    let console = console
    let journal = try DeviceJournal(url(name), principal: name, schema: schema, settings: settings) { console.show("link: \($0.text)") }
    let store = try await Store.open(SyncedList.welcome.list, in: journal)
    open = (journal, store, Screen(store, console))
    journal.start()
  }

  /// Closes the open list. Its changes are on the disk.
  private func hide() async {
    guard let (_, store, screen) = open else { return }
    open = nil
    await store.close()
    await screen.end()
  }

  private func obey(_ command: String, _ rest: String) async throws {
    switch command {
    case "offline", "online": try change { $0.isOnline = command == "online" }
    case "server": try change { $0.server = URL(string: rest) ?? $0.server }
    case "login": try await login(rest)
    case "logout":
      let owner = open?.journal.file.principal.name
      settings.token = nil
      await hide()
      console.show("signed out" + (owner.map { "; the list of '\($0)' stays on this device, locked" } ?? ""))
    case "adopt": try await adopt(rest)
    default:
      guard let (journal, store, screen) = open else { return console.show("can't: no user is signed in") }
      guard journal.link != .locked else { return console.show("can't: this list is locked for '\(journal.file.principal)'") }
      try await obey(command, rest, journal, store, screen)
    }
  }

  private func obey(
    _ command: String, _ rest: String, _ journal: DeviceJournal, _ store: Store<AppState>, _ screen: Screen
  ) async throws {
    let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
    let number = words.first ?? ""
    func item() throws -> UUID { try ItemName.find(number, in: store.state) }
    func refusals() -> [EntryID] {
      let all = store.refusals.map(\.record.id)
      return number == "all" ? all : Int(number).flatMap { all.indices.contains($0 - 1) ? [all[$0 - 1]] : nil } ?? []
    }
    switch command {
    case "add": try await store.change(.add(.item(TodoItem(id: UUID(), text: rest)))).durable()
    case "done": try await store.change(.item(item(), .completed(true))).durable()
    case "rename": try await store.change(.item(item(), .text(words.dropFirst().first ?? ""))).durable()
    case "remove": try await store.change(.remove(.item(item()))).durable()
    // Version 2 of the app has this command.
    case "first" where schema > 1: try await store.change(.item(item(), .priority(Priority("A")))).durable()
    case "undo", "redo": try store.takeBackAtOnce(redo: command == "redo")
    case "list": screen.list(journal.link)
    case "refused": screen.listRefusals()
    case "retry":
      for (id, result) in store.retry(refusals()) {
        if case .failure(let error) = result { console.show("can't retry: \(screen.words(of: id)): \(error)") }
      }
    case "dismiss": try await store.dismiss(refusals())
    case "sync": journal.nudge()
    case "status":
      let file = journal.file
      console.show(
        "status: \(journal.link?.text ?? "not started"); list of '\(file.principal)', signed in as '\(settings.token ?? "nobody")'; "
          + "mirror at \(file.mirror?.head.revision ?? .zero), folded to \(store.revision)")
    default: console.show("can't: there is no command '\(command)'")
    }
  }

  private func change(_ body: (inout DeviceJournal.Settings) -> Void) throws {
    body(&settings)
    open?.journal.set { [settings] in $0 = settings }
  }

  private func login(_ name: String) async throws {
    settings.token = name
    guard let (journal, _, _) = open else { return try await show(name) }
    let file = journal.file
    guard file.principal.name == Self.unnamed else {
      journal.set { $0.token = name }
      return console.show("signed in as '\(name)'; the open list belongs to '\(file.principal)'")
    }
    // The file has had no contact yet, so its principal can be corrected.
    await hide()
    if FileManager.default.fileExists(atPath: url(name).path) {
      console.show("'\(name)' has a list on this device already; the changes made before stay in a list without a name")
    } else {
      try FileManager.default.moveItem(at: url(Self.unnamed), to: url(name))
      try DeviceLog.open(url(name), principal: name, schema: schema).log.append(.corrected(principal: name))
    }
    try await show(name)
  }

  /// Signs in, and makes the list of this device the server's new journal.
  private func adopt(_ name: String) async throws {
    guard let (journal, store, _) = open, journal.file.principal.name == Self.unnamed, settings.isOnline else {
      return console.show("can't: only a list without a name can be adopted, and only online")
    }
    guard try await SliceClient(server: settings.server, token: name).adopt(SyncedList(store.state)) else {
      return console.show("can't: the server has a list already; 'login' sends the changes of this device to it")
    }
    await hide()
    try FileManager.default.removeItem(at: url(Self.unnamed))
    settings.token = name
    try await show(name)
  }
}

extension Link {
  /// The status, for a person.
  var text: String {
    switch self {
    case .live: "live"
    case .connecting: "connecting"
    case .offline(let reason, _): "offline (\(reason))"
    case .held(let code, _): "held (\(code)): the server decides later"
    case .unauthorised: "not signed in"
    case .forbidden: "forbidden: the server does not permit this user"
    case .locked: "locked: this list belongs to another user"
    case .outdated: "outdated: update the app to see newer changes"
    case .restarted: "stopped: the server has lost changes that this device knows"
    }
  }
}
