import Alter
import TodoCommands
import TodoCore
import _AlterWeb

/// The content of the page: a function of the list, its sync, and the day.
struct PageView: Encodable {
  struct Item: Encodable {
    let id: String
    /// The text with the priority and all tags, as the terminal shows them.
    let text: String
    let isDone: Bool
    /// The due day, as in `2026-12-01`.
    let due: String?
    let isLate: Bool
    /// `(not yet confirmed)`, or the reason of a refusal, in a synced list.
    let mark: String?
  }

  let items: [Item]
  /// The connection and the number of unconfirmed changes in words; nil if the list is not synced.
  let sync: String?
  /// The reason why the list can't be changed any more; nil if it can.
  let problem: String?

  /// The sync of a list.
  struct Sync {
    let connection: Connection
    let marks: SyncMarks
  }

  init(_ state: AppState, sync: Sync?, problem: String?, today: Day?) {
    items = TodoList(state, today: today).rows.map { row in
      Item(
        id: row.item.id.uuidString.lowercased(), text: (row.item.priority.map { "(\($0)) " } ?? "") + row.text,
        isDone: row.item.completed, due: row.item.due?.description, isLate: row.urgency == .overdue,
        mark: sync?.marks.text(beside: row.item.id))
    }
    self.sync = sync.map { sync in
      let refused = sync.marks.refusals == 0 ? "" : " \(sync.marks.refusals) refused: 'todo refused' shows them."
      let unconfirmed = sync.marks.undecided == 0 ? "Everything is confirmed." : "\(sync.marks.undecided) not yet confirmed."
      return "Sync: \(sync.connection.text(Clock.moment)). \(unconfirmed)\(refused)"
    }
    self.problem = problem
  }
}

/// Follows the list, and sends its view to every open page: first the present one, then one after each event.
///
/// An event is always the whole view, never a difference. A slow page therefore misses views, but never the last one, and a page that was
/// asleep needs no catching up.
actor LiveList {
  private let store: Store<AppState>
  /// The connection of a synced list, once it is known.
  private var connection = Connection.connecting
  private var problem: String?
  private var pages: [Int: AsyncStream<ServerEvent>.Continuation] = [:]
  private var lastPage = 0

  init(_ store: Store<AppState>) { self.store = store }

  /// Notifies the pages of each event, until the task is cancelled.
  func follow() async {
    let store = store
    await withTaskGroup { group in
      group.addTask { for await _ in store.revisions { await self.send() } }
      group.addTask { for await _ in store.outbox { await self.send() } }
      group.addTask { if let connections = SyncSupport.connections { await self.follow(connections) } }
      group.addTask {
        for await problem in store.problems { if case .failed(let error) = problem { await self.send(error.description) } }
      }
      // A server notices that a page is gone when it sends. Also, the day may have changed, or the list may have moved.
      group.addTask { while (try? await Task.sleep(for: .seconds(15))) != nil { await self.send() } }
    }
  }

  /// Notifies the pages of the connection.
  private func follow(_ connections: () -> AsyncStream<Connection>) async {
    connection = await SyncSupport.first(connections()) { _ in true } ?? .elsewhere
    send()
    for await new in connections() {
      connection = new
      send()
    }
  }

  /// The events of one page.
  func events() -> AsyncStream<ServerEvent> {
    let (stream, page) = AsyncStream.makeStream(of: ServerEvent.self, bufferingPolicy: .bufferingNewest(1))
    lastPage += 1
    let number = lastPage
    pages[number] = page
    page.onTermination = { [weak self] _ in Task { await self?.remove(number) } }
    page.yield(present)
    return stream
  }

  private func remove(_ page: Int) { pages[page] = nil }

  private var present: ServerEvent {
    // A page shows what is on the disk. In a synced list, it also shows and marks changes that are not confirmed.
    let isSynced = SyncSupport.user != nil
    let sync = PageView.Sync(connection: connection, marks: SyncMarks(unconfirmed: store.unconfirmed, refusals: store.refusals))
    let view = PageView(
      isSynced ? store.state : store.confirmed.state, sync: isSynced ? sync : nil, problem: ListMove.warning(store) ?? problem,
      today: Clock.today())
    let json = (try? JournalCoding.encode(view)).map { String(decoding: $0, as: UTF8.self) }
    return ServerEvent("list", json ?? "null")
  }

  private func send() {
    guard !pages.isEmpty else { return }
    let event = present
    for page in pages.values { page.yield(event) }
  }

  private func send(_ problem: String) {
    self.problem = problem
    send()
  }
}
