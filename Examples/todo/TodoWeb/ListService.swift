import Alter
import AlterInspectorServer
import Hummingbird
import TodoCommands
import TodoCore
import _AlterWeb

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The page and its two routes: a stream of the list, and the commands that change it. `Design/0014-todo-web.md` describes them.
struct ListService: Sendable {
  let store: Store<AppState>
  let live: LiveList

  /// The path of the list's inspector.
  static let inspector = "/inspector"

  /// The files of the page, of the library that it uses, and of the inspector's page.
  static var assets: [WebAsset] {
    let page = [
      WebAsset("/", PackageResources.index_html), WebAsset("/todo.js", PackageResources.todo_js),
      WebAsset("/todo.css", PackageResources.todo_css),
    ]
    return WebAsset.library + page + InspectorRoutes.assets(under: inspector, of: ("/", "List"))
  }

  func addRoutes(to router: Router<WebContext>) {
    router.get("/api/events") { request, context in ServerEvent.response(await live.events(), to: request, context) }
    router.post("/api/changes") { request, _ -> Response in
      let command = try await PageCommand(request)
      do { return .json(["did": .string(try await carryOut(command))]) } catch { throw WebRefusal(error) }
    }
    for (path, allowed) in [("/api/events", HTTPRequest.Method.get), ("/api/changes", .post)] {
      for method: HTTPRequest.Method in [.get, .post, .put, .delete, .patch, .options] where method != allowed {
        router.on(RouterPath(path), method: method) { _, _ -> Response in
          var response = WebRefusal(.methodNotAllowed, "\(method) is not allowed here: use \(allowed).").response
          response.headers[.allow] = allowed.rawValue
          return response
        }
      }
    }
  }

  /// Carries out a command. A change is on the disk when this returns.
  ///
  /// - Returns: The words for an undo or a redo; an empty text for a change, which the page shows by itself.
  private func carryOut(_ command: PageCommand) async throws -> String {
    if let warning = ListMove.warning(store) { throw WebRefusal(.serviceUnavailable, warning) }
    switch command {
    case .undo: return "Undid: \(try await takeBack(redo: false))"
    case .redo: return "Redid: \(try await takeBack(redo: true))"
    default:
      let changes = try command.changes(of: store.state, today: Clock.today())
      if !changes.isEmpty { _ = try await store.settle(store.change(changes)) }
      return ""
    }
  }

  private func takeBack(redo: Bool) async throws -> String {
    var narrator = Narrator()
    narrator.learn(store.state)
    let done = try await store.takeBack(redo: redo)
    if !redo { narrator.learn(store.state) }
    return done.records.first.map { narrator.tell($0) } ?? ""
  }
}

/// A command of the page, as in `{"add":{"text":"Pay rent"}}`.
///
/// Commands are not the journal's changes: the page may show an outdated list, so a command states an intention for an id, and becomes changes
/// of the present list. No page can write a change that the app itself would not make.
enum PageCommand: Decodable {
  /// Adds an item from a line, as `todo add` does.
  case add(text: String)
  case complete(id: UUID)
  case reopen(id: UUID)
  case remove(id: UUID)
  case undo
  case redo

  /// The maximum size of a request, in bytes.
  private static let largest = 65_536

  /// Reads the body of a request.
  ///
  /// - Throws: ``WebRefusal``, or an error of HTTP.
  init(_ request: Request) async throws {
    // An HTML form of another site can't send JSON.
    guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
      throw WebRefusal(.unsupportedMediaType, "The request's content must be JSON: send it with 'Content-Type: application/json'.")
    }
    let tooLarge = WebRefusal(.contentTooLarge, "The request is too large: it may have \(Self.largest) bytes.")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largest { throw tooLarge }
    let body: ByteBuffer
    do { body = try await request.body.collect(upTo: Self.largest) } catch is any HTTPResponseError { throw tooLarge }
    do { self = try JournalCoding.decode(from: Data(body.readableBytesView)) } catch {
      throw WebRefusal(
        .badRequest,
        #"This is no command. There are {"add":{"text":"…"}}, complete, reopen and remove with {"id":"…"}, {"undo":{}} and {"redo":{}}."#)
    }
  }

  /// The changes that carry out a command, except an undo or a redo; none if nothing has to change.
  func changes(of state: AppState, today: Day?) throws -> [AppState.Change] {
    func item(_ id: UUID) throws -> TodoItem {
      guard let item = state.items[id: id] else {
        throw WebRefusal(.conflict, "The item isn't in the list any more: it was removed elsewhere.")
      }
      return item
    }
    switch self {
    case .add(let text):
      guard !text.contains(where: \.isNewline) else { throw WebRefusal(.unprocessableContent, "An item is a single line.") }
      let item: TodoItem
      do { item = try TodoItem(id: UUID(), adding: Array(text.utf8)[...], today: today) } catch {
        throw WebRefusal(.unprocessableContent, "Can't add the item: \(error).")
      }
      guard !item.text.allSatisfy(\.isWhitespace) else { throw WebRefusal(.unprocessableContent, "The text is empty: type one.") }
      return [.add(.item(item))]
    case .complete(let id): return try item(id).completed ? [] : item(id).changes(completedOn: today)
    case .reopen(let id): return try item(id).completed ? [.item(id, .completed(false))] : []
    case .remove(let id): return [.remove(.item(try item(id).id))]
    case .undo, .redo: return []
    }
  }
}

/// The reason why a request fails: a status for programs, and a sentence for people.
struct WebRefusal: HTTPResponseError {
  let status: HTTPResponse.Status
  let why: String

  init(_ status: HTTPResponse.Status, _ why: String) { (self.status, self.why) = (status, why) }

  /// The refusal of an error. 409: the present list does not allow the command. 503: the list can't be written.
  init(_ error: any Error) {
    if let refusal = error as? WebRefusal {
      self = refusal
    } else {
      let error = CommandError(error)
      self.init([.refused, .noSuchThing].contains(error.status) ? .conflict : .serviceUnavailable, error.message)
    }
  }

  /// `{"error":"…"}`
  var response: Response { .json(["error": .string(why)], status) }

  func response(from request: Request, context: some RequestContext) -> Response { response }
}

extension Response {
  static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
    let data = value.data
    return Response(
      status: status, headers: [.contentType: "application/json", .contentLength: "\(data.count)"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}
