import Alter
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server with the interface of the Official Joke API: `GET types` returns the names of the categories, and `GET jokes/NAME/ten` up to ten
/// jokes of one. This is the environment of the data layer's work.
struct JokeServer: Sendable {
  let url: URL
  private let session: URLSession

  init(_ url: URL) {
    self.url = url
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10  // seconds
    session = URLSession(configuration: configuration)
  }

  /// Returns the work that gets a document from a server and decodes it.
  ///
  /// - Parameter path: The components of the path below the server's URL.
  static func document<Document: Decodable & Sendable>(_ path: String...) -> AsyncResult<JokeServer, Document, LoadError> {
    bytes(path).flatMap(decoded)
  }

  /// The bytes at a path. Cancelling the task cancels the request.
  private static func bytes(_ path: [String]) -> AsyncResult<JokeServer, Data, LoadError> {
    AsyncResult(catching: { server throws(LoadError) in
      let url = path.reduce(server.url) { $0.appending(component: $1) }
      guard let (data, response) = try? await server.session.data(from: url) else { throw .unreachable(server.name) }
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard status == 200 else { throw .status(status) }
      return data
    })
  }

  private static func decoded<Document: Decodable & Sendable>(_ data: Data) -> AsyncResult<JokeServer, Document, LoadError> {
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else { return .failure(.unreadable) }
    return .success(document)
  }

  /// The name of the server in messages: its host and port.
  private var name: String { (url.host() ?? "") + (url.port.map { ":\($0)" } ?? "") }
}

extension JokeRepository {
  /// A repository that reads from a server with the interface of the Official Joke API.
  ///
  /// - Parameter url: The URL of the server.
  public static func http(_ url: URL) -> JokeRepository {
    let server = JokeServer(url)
    return JokeRepository(
      categories: JokeServer.document("types").provide(server),
      jokes: { category in JokeServer.document("jokes", category.id, "ten").provide(server) })
  }
}
