import Foundation
import Hummingbird
import Logging

/// The server that a team would write by hand: a change is checked, stored durably, and sent to the others. It uses nothing of Alter.
///
/// ```
/// sync-load hand --folder F | --postgres ADDRESS
/// ```
///
/// | request | |
/// |---|---|
/// | `POST /changes/KEY` | changes as JSON: checked, stored in one transaction with the state, sent to the streams of the key |
/// | `GET /live/KEY` | a stream of server-sent events, each with changes |
///
/// It is what the sync works are compared with, not what they do. A request that is repeated after a lost answer is applied twice. A stream that was
/// interrupted has lost events. Nothing is kept on the device: there are no drafts, no offline work, no undo, no rebase. The check
/// cannot depend on the state. There is no authentication, and no limit. It prints `ready PORT`, and runs until SIGTERM or the end of its input.
struct HandServer {
  private let port: Int
  private let database: any HandDatabase

  init(_ arguments: Arguments) throws {
    port = arguments.number("port", default: 0)
    if let folder = arguments["folder"] {
      database = try HandSQLite(folder + "/changes.db")
    } else if let address = arguments["postgres"] {
      #if Postgres
        database = try HandPostgres(address)
      #else
        throw Failure("built without the trait Postgres: \(address)")
      #endif
    } else {
      throw Failure("hand needs --folder or --postgres")
    }
  }

  func run() async throws {
    var logger = Logger(label: "hand")
    logger.logLevel = .error
    let streams = HandStreams()
    let database = database
    try database.begin { key, changes in streams.send(changes, to: key) }
    let router = Router()
    router.post("changes/:key") { request, context in
      let body = try await request.body.collect(upTo: 1 << 20)
      let changes = try JSONDecoder().decode([HandChange].self, from: Data(buffer: body))
      guard changes.allSatisfy(\.isValid) else { throw HTTPError(.unprocessableContent) }
      let last = try await database.append(changes, text: String(buffer: body), to: try context.parameters.require("key"))
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"last\":\(last)}")))
    }
    router.get("live/:key") { request, context in
      let key = try context.parameters.require("key")
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          let (id, stream) = streams.add(to: key)
          try await writer.write(ByteBuffer(string: ":\n\n"))
          try? await request.body.consumeWithCancellationOnInboundClose { _ in
            for await part in stream.cancelOnGracefulShutdown() { try await writer.write(part) }
          }
          streams.remove(id, from: key)
          try await writer.finish(nil)
        })
    }
    let application = Application(
      router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { say("ready \($0.localAddress?.port ?? 0)") }, logger: logger)
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
    try await application.runService()
  }
}

/// A change: a line gets another text.
struct HandChange: Codable, Sendable {
  let line: Int
  let text: String

  /// Whether the server accepts it.
  var isValid: Bool { (0..<LoadServer.lines).contains(line) && text.utf8.count <= 1_000 }
}

/// The storage of changes and of the state after them.
protocol HandDatabase: Sendable {
  /// Begins to pass on stored changes.
  ///
  /// - Parameter send: Receives each key with the JSON text of its new changes, in the order of the commits.
  func begin(_ send: @escaping @Sendable (_ key: String, _ changes: String) -> Void) throws

  /// Stores changes durably.
  ///
  /// - Returns: The number of the last one.
  func append(_ changes: [HandChange], text: String, to key: String) async throws -> Int64
}

/// The open streams. `@unchecked Sendable`: the lock guards the variables.
private final class HandStreams: @unchecked Sendable {
  private let lock = NSLock()
  private var last = 0
  private var streams: [String: [Int: AsyncStream<ByteBuffer>.Continuation]] = [:]

  func add(to key: String) -> (Int, AsyncStream<ByteBuffer>) {
    let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    return lock.withLock {
      last += 1
      streams[key, default: [:]][last] = continuation
      return (last, stream)
    }
  }

  func remove(_ id: Int, from key: String) { lock.withLock { streams[key]?[id] = nil } }

  func send(_ changes: String, to key: String) {
    let event = ByteBuffer(string: "data: \(changes)\n\n")
    for stream in lock.withLock({ Array((streams[key] ?? [:]).values) }) { stream.yield(event) }
  }
}
