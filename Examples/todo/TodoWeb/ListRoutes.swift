import Alter
import AlterInspectorServer
import Hummingbird
import TodoCommands
import TodoCore
import TodoPage
import _AlterTerminal
import _AlterWeb

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ListService {
  /// The maximum size of a request's body, in bytes.
  static let largestRequest = 65_536

  /// Adds the routes of the list, in addition to the files.
  func addRoutes(to router: Router<WebContext>) {
    router.add(middleware: Doorkeeper(allowed: Self.allowed))
    for route in ListRoute.allCases {
      router.on(RouterPath(route.path), method: HTTPRequest.Method(rawValue: route.method) ?? .get) { request, context in
        switch route {
        case .list: try await list(request)
        case .events: try await events(request, context)
        case .changes: try await change(try await Self.json(of: request))
        case .undo: try await undo(try await Self.json(of: request))
        case .redo: try await redo(try await Self.json(of: request))
        case .refusals: try await decide(try await Self.json(of: request))
        }
      }
    }
  }

  /// The method of each path, for the answer to a request with another one.
  private static var allowed: [String: String] {
    var methods = Dictionary(uniqueKeysWithValues: (WebAsset.library + assets).map { ($0.path, "GET") })
    for route in ListRoute.allCases { methods[route.path] = route.method }
    return methods
  }

  /// The files of this page and of the inspector's page.
  static var assets: [WebAsset] {
    TodoPage.files.map { WebAsset($0.path, $0.bytes) } + InspectorRoutes.assets(under: inspector, of: ("/", "List"))
  }

  /// The path of the list's inspector.
  static let inspector = "/inspector"

  /// The JSON body of a request.
  ///
  /// - Throws: ``WebRefusal`` 415, 413 or 400.
  private static func json(of request: Request) async throws -> JSONValue {
    let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard type == "application/json" else {
      throw WebRefusal(.unsupportedMediaType, "The request's content must be JSON: send it with 'Content-Type: application/json'.")
    }
    let tooLarge = WebRefusal(.contentTooLarge, "The request is too large: it may have \(largestRequest) bytes. Send it in parts.")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > largestRequest { throw tooLarge }
    let body: ByteBuffer
    do { body = try await request.body.collect(upTo: largestRequest) } catch let error as any HTTPResponseError {
      throw error.status == .contentTooLarge ? tooLarge : error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The parser failed, or the connection is gone and no client reads the answer.
      throw WebRefusal(.badRequest, "The body of the request is malformed HTTP. Send it with its length, or in valid chunks.")
    }
    do throws(JSONValue.ParsingError) { return try JSONValue(parsing: Data(body.readableBytesView)) } catch {
      throw WebRefusal(.badRequest, "The request is \(error).")
    }
  }
}

/// Answers all errors in one form, including unknown paths and wrong methods.
private struct Doorkeeper: RouterMiddleware {
  let allowed: [String: String]

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch let error as HTTPError where error.status == .notFound {
      guard let method = allowed[request.uri.path] else {
        return WebRefusal(.notFound, "There is nothing at '\(request.uri.path.printable)'. The list is at '/'.").response
      }
      var response = WebRefusal(.methodNotAllowed, "\(request.method) is not allowed here: use \(method).").response
      response.headers[.allow] = method
      return response
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return WebRefusal(error).response
    }
  }
}
