import Alter
import Foundation
import Hummingbird
import TodoServerCore

/// The activity of the users' devices since the server began, in a file for `todo-server status`.
actor Activity {
  private let path: String
  private var report = ActivityReport(process: getpid())
  private var isWaiting = false

  /// - Parameter path: The path of the file.
  init(at path: String) { self.path = path }

  /// Notes a request of a user.
  ///
  /// - Parameter outbox: The undecided changes that the device has reported: the count, and the time of the oldest.
  func saw(_ user: String, _ outbox: (count: Int, oldest: Int64?)?) {
    report.saw(user, at: Int64(Date().timeIntervalSince1970 * 1_000_000), outbox)
    save()
  }

  /// Notes that a stream of a user has begun (1) or ended (-1).
  func stream(of user: String, _ change: Int) {
    report.stream(of: user, change)
    save()
  }

  /// Writes the file, at most once in a second. If that fails, the next change tries again.
  private func save() {
    guard !isWaiting else { return }
    isWaiting = true
    Task {
      try? await Task.sleep(for: .seconds(1))
      write()
    }
  }

  /// Writes the file now: a server that starts names its process before it serves.
  func write() {
    isWaiting = false
    guard let json = try? JournalCoding.encode(report) else { return }
    let temporary = path + ".tmp"
    guard FileManager.default.createFile(atPath: temporary, contents: json, attributes: [.posixPermissions: 0o600]) else { return }
    rename(temporary, path)
  }
}

/// Notes each accepted request in the activity. It reads header fields alone.
struct ActivityMiddleware: RouterMiddleware {
  typealias Context = BasicRequestContext

  let tokens: Tokens
  let activity: Activity

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    guard response.status.code < 300, let field = request.headers[.authorization], field.hasPrefix("Bearer "),
      let user = try await tokens.authenticate(String(field.dropFirst(7)))?.principal
    else { return response }
    await activity.saw(user, Self.outbox(of: request))
    guard request.uri.path.hasSuffix("/live") else { return response }
    let (body, activity) = (response.body, activity)
    response.body = ResponseBody { writer in
      await activity.stream(of: user, 1)
      do { try await body.write(writer) } catch {
        await activity.stream(of: user, -1)
        throw error
      }
      await activity.stream(of: user, -1)
    }
    return response
  }

  /// The field `Alter-Outbox: count=3 oldest=1795600000000001`; nil without it.
  private static func outbox(of request: Request) -> (count: Int, oldest: Int64?)? {
    guard let text = request.headers.first(where: { $0.name.canonicalName == "alter-outbox" })?.value else { return nil }
    var values: [Substring: Int64] = [:]
    for part in text.split(separator: " ") {
      let pair = part.split(separator: "=")
      if pair.count == 2 { values[pair[0]] = Int64(pair[1]) }
    }
    return (Int(values["count"] ?? 0), values["oldest"])
  }
}
