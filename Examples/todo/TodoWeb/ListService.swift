import Alter
import Hummingbird
import TodoCommands
import TodoCore
import _AlterWeb

/// The handlers of the page's requests, which `Design/0014-todo-web.md` describes.
struct ListService: Sendable {
  let store: Store<AppState>
  let live: LiveList

  /// `GET /api/list`
  func list(_ request: Request) async throws -> Response {
    .json(try JournalCoding.encode(ListPage(await live.present, try asked(request), today: Clock.today())))
  }

  /// `GET /api/events`
  func events(_ request: Request, _ context: WebContext) async throws -> Response {
    let asked = try asked(request)
    return ServerEvent.response(PageEvents(moments: await live.moments(), request: asked), to: request, context)
  }

  /// `POST /api/changes`
  func change(_ body: JSONValue) async throws -> Response {
    let commands = try ListCommand.commands(body)
    var changes = try ListCommand.changes(commands, in: store.state, today: Clock.today())
    // If nothing has to change, the same request may have been sent before, and its changes may still be in flight. Then this request waits
    // for them, too.
    if changes.isEmpty { changes = (try? ListCommand.changes(commands, in: store.confirmed.state, today: Clock.today())) ?? [] }
    let revision = changes.isEmpty ? store.revision : try await store.settle(store.change(changes)) ?? store.revision
    return .json(try JournalCoding.encode(Changed(changed: !changes.isEmpty, revision: revision.number)))
  }

  /// `POST /api/undo`
  func undo(_ body: JSONValue) async throws -> Response {
    try await takeBack(
      body, "undo", { () throws(UndoError) in try store.previewUndo() }, { try await store.takeBack(redo: false) })
  }

  /// `POST /api/redo`
  func redo(_ body: JSONValue) async throws -> Response {
    try await takeBack(
      body, "redo", { () throws(UndoError) in try store.previewRedo() }, { try await store.takeBack(redo: true) })
  }

  private func takeBack(
    _ body: JSONValue, _ action: String, _ preview: () throws(UndoError) -> UndoPreview<AppState>,
    _ act: () async throws -> (records: [Record<AppState>], revision: Revision?)
  ) async throws -> Response {
    let wanted = try TakeBackRequest(body).of
    let now = try preview().records.first?.revision.number
    if let wanted, wanted != now {
      throw WebRefusal(
        .conflict, "The list has changed meanwhile, so the \(action) would have a different effect now. Check the list, then try again.")
    }
    var narrator = Narrator()
    narrator.learn(store.state)
    let done = try await act()
    if action == "undo" { narrator.learn(store.state) }
    let record = done.records.first
    return .json(
      try JournalCoding.encode(
        UndoOutput(
          action, of: record?.revision ?? .zero, revision: done.revision ?? store.revision, what: record.map { narrator.tell($0) } ?? "")))
  }

  /// `POST /api/refusals`
  func decide(_ body: JSONValue) async throws -> Response {
    let wanted = try RefusalRequest(body)
    guard SyncSupport.user != nil else { throw WebRefusal(.conflict, "The list is not synced, so nothing was refused.") }
    let refused = Dictionary(store.refusals.map { (SyncPanel.Refused.key($0.id), $0) }) { first, _ in first }
    func find(_ keys: [String]) throws -> [RefusedChange<AppState>] {
      let found = keys.compactMap { refused[$0] }
      guard found.count == keys.count else {
        throw WebRefusal(.conflict, "That change is settled already, here or in another window.")
      }
      return found
    }
    switch wanted {
    case .dismiss(let keys): try await store.dismiss(find(keys))
    case .retry(let keys):
      for (_, result) in store.retry(try find(keys)) {
        switch result {
        case .success(let commit): _ = try await store.settle(commit)
        case .failure(let error): throw WebRefusal(.conflict, error.description)
        }
      }
    }
    return .json(try JournalCoding.encode(Changed(changed: true, revision: store.revision.number)))
  }

  private func asked(_ request: Request) throws(MalformedRequest) -> ListRequest {
    try ListRequest(request.uri.queryParameters.map { (String($0.key), String($0.value)) })
  }

  /// The result of a change.
  private struct Changed: Encodable {
    /// Whether the request changed the list.
    let changed: Bool
    /// The revision that contains the requested changes.
    let revision: Int64
  }
}
