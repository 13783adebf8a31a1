import Alter
import AlterPostgres
import AlterSQLite
import AlterSyncServer
import CMemory
import Foundation
import Hummingbird
import Logging

/// A server process: `SyncService` with its durable settings, and beside it the bare routes that it is compared with. It prints `ready PORT`,
/// and runs until SIGTERM, or until its input ends.
///
/// | path | |
/// |---|---|
/// | `sync` | the routes of `SyncService` |
/// | `echo` | a bare Hummingbird route: it sends the body to each listener of `listen` |
/// | `listen` | a bare stream of server-sent events |
/// | `memory` | the allocated bytes of the process, as decimal text; `memory?trim=1` returns free memory to the system first |
struct LoadServer {
  /// The number of lines of a new journal's state: `--lines`, for a server and its devices alike.
  static let lines = (try? Arguments(Array(CommandLine.arguments.dropFirst())))?.number("lines", default: 100) ?? 100

  let places: JournalPlaces
  let port: Int
  /// The most stores that are open at once. Their descriptors are not available to connections.
  let stores: Int

  init(_ arguments: Arguments) throws {
    port = arguments.number("port", default: 0)
    stores = arguments.number("stores", default: 4_000)
    if let folder = arguments["folder"] {
      places = .folder(folder)
    } else if let address = arguments["postgres"] {
      #if Postgres
        places = .postgres(PostgresServer(address, maximumConnections: 8))
      #else
        throw Failure("built without the trait Postgres: \(address)")
      #endif
    } else {
      throw Failure("serve needs --folder or --postgres")
    }
  }

  func run() async throws {
    var logger = Logger(label: "sync-load")
    logger.logLevel = .error
    var options = SyncOptions()
    // The works measure the cost of requests, not their limits.
    (options.limits.pushesPerMinute, options.limits.refusalsPerMinute) = (1_000_000_000, 1_000_000)
    options.limits.streamsPerPrincipal = 20_000
    let stores = Stores(in: places, budget: StoresBudget(stores: stores)) { _ in Document(lineCount: Self.lines) }
    let service = SyncService(
      stores, secret: SyncSecret("0123456789abcdef"), authenticator: OpenTokens(), policy: OpenPolicy(), options: options, logger: logger)
    let router = Router()
    service.addRoutes(to: router.group("sync"))
    let listeners = Listeners()
    listeners.addRoutes(to: router)
    router.get("memory") { request, _ in
      if request.uri.queryParameters["trim"] != nil { returnFreeMemory() }
      return "\(allocatedBytes())"
    }
    var application = Application(
      router: router, server: service.server,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { say("ready \($0.localAddress?.port ?? 0)") }, logger: logger)
    application.addServices(service)
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
    try await application.runService()
    _ = await stores.close()
  }
}

/// A token is the name of its principal.
private struct OpenTokens: SyncAuthenticator {
  func authenticate(_ token: String) async -> SyncIdentity? { SyncIdentity(principal: token) }
}

/// Every principal may do everything.
private struct OpenPolicy: SyncPolicy {
  typealias State = Document
  func mayRead(_ key: String, _ principal: String) async -> Bool { true }
  func mayCreate(_ key: String, _ principal: String) async -> Bool { true }
  func grants(_ scope: UndoScope, in key: String, to principal: String) async -> Bool { true }
}

/// A server without journals, as little as Hummingbird needs for the same exchange: a request on one connection, an event on another.
private actor Listeners {
  private var last = 0
  private var streams: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]

  private func send(_ text: ByteBuffer) { for stream in streams.values { stream.yield(text) } }

  private func add() -> (Int, AsyncStream<ByteBuffer>) {
    last += 1
    let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    streams[last] = continuation
    return (last, stream)
  }

  private func remove(_ id: Int) { streams[id] = nil }

  nonisolated func addRoutes(to router: Router<BasicRequestContext>) {
    router.post("echo") { request, _ in
      let body = try await request.body.collect(upTo: 1 << 20)
      await self.send(ByteBuffer(string: "data: \(String(buffer: body))\n\n"))
      return Response(status: .ok, body: ResponseBody(byteBuffer: body))
    }
    router.get("listen") { request, _ in
      Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          let (id, stream) = await self.add()
          try await writer.write(ByteBuffer(string: ":\n\n"))
          try? await request.body.consumeWithCancellationOnInboundClose { _ in
            for await part in stream.cancelOnGracefulShutdown() { try await writer.write(part) }
          }
          await self.remove(id)
          try await writer.finish(nil)
        })
    }
  }
}

/// Fills a journal in the folder of a server that does not run: `entries` changes of `items` lines, as an app without a server makes them.
func fill(_ arguments: Arguments) async throws {
  let folder = try arguments.text("folder")
  let (entries, items) = (arguments.number("entries", default: 100_000), arguments.number("items", default: 10_000))
  let journal = try await SQLiteJournal(at: JournalFolder(folder).file(of: try arguments.text("key")), durability: .relaxed)
  let store = try await Store.open(Document(lineCount: items), in: journal)
  var last: Commit<Document>?
  for number in 0..<entries {
    last = try store.change(.line(number &* 7_919 % items, .text("A line of some words, changed \(number)")))
    if number % 10_000 == 9_999 { try await last?.durable() }
  }
  try await last?.durable()
  await store.close()
}
