import Alter
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server with the interface of the Official Joke API: `GET types` returns the names of the categories, and `GET jokes/NAME/ten` up to ten
/// jokes of one. This is the environment of the data layer's work.
struct JokeServer: Sendable {
  let url: URL
  private let clock: any Clock<Duration>
  private let session = URLSession(configuration: .ephemeral)
  /// The limit for a whole answer. The limits of a session would let a server that sends a byte now and then hold a request for days.
  private static let limit = Duration.seconds(10)

  init(_ url: URL, clock: any Clock<Duration>) { (self.url, self.clock) = (url, clock) }

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
      let answer = await withTimeout(limit, on: server.clock) { try? await server.session.data(from: url) }
      guard case .some(.some(let (data, response))) = answer else { throw .unreachable(server.name) }
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
  /// - Parameters:
  ///   - url: The URL of the server.
  ///   - clock: The clock that measures how long an answer takes. Ten seconds are the limit.
  public static func http(_ url: URL, clock: any Clock<Duration> = ContinuousClock()) -> JokeRepository {
    let server = JokeServer(url, clock: clock)
    return JokeRepository(
      categories: JokeServer.document("types").provide(server),
      jokes: { category in
        // In a path these are no names: the request would be for something else.
        guard !["", ".", ".."].contains(category.id) else { return .success([]) }
        return JokeServer.document("jokes", category.id, "ten").provide(server)
      })
  }
}
