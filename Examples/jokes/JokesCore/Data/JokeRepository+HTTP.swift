import Alter
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension JokeRepository {
  /// A repository that reads from a server: `GET categories` and `GET categories/NAME`, each a JSON array.
  ///
  /// - Parameter base: The URL of the folder that contains `categories`.
  public static func http(_ base: URL) -> JokeRepository {
    let session = URLSession(configuration: .ephemeral)
    return JokeRepository(
      categories: { await get(base.appending(path: "categories"), session) },
      jokes: { await get(base.appending(path: "categories/\($0.id)"), session) })
  }

  /// Gets a document. Cancelling the task cancels the request.
  private static func get<Document: Decodable & Sendable>(_ url: URL, _ session: URLSession) async -> Result<Document, LoadError> {
    guard let (data, response) = try? await session.data(from: url) else { return .failure(.unreachable) }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { return .failure(.status(status)) }
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else { return .failure(.unreadable) }
    return .success(document)
  }
}
