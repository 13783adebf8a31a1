#if Inspector
  import AlterCore
  import AlterJournal
  import AlterSyncCore
  import AlterWeb
  import Foundation
  import Hummingbird

  /// A server process: one journal in memory and in a file, over HTTP, with an operator at its standard input.
  final class ListServer: Sendable {
    private struct Contents {
      /// The journal; nil until the first contact, or until a device's list is adopted.
      var database: Ledger<SyncedList>?
      var process: ServerProcess<SyncedList>?
      /// The newest schema that the operator has enabled.
      var schema: Int
      var version: Int64 = 0
    }

    private let contents: Lock<Contents>
    private let count = EventCount<Int64>(journal: "server")
    private let url: URL

    init(_ url: URL, schema: Int) throws {
      self.url = url
      let database = FileManager.default.fileExists(atPath: url.path) ? try StoredLedger.load(url) : nil
      contents = Lock(Contents(database: database, process: nil, schema: database?.schema ?? schema))
    }

    /// Performs a change of the journal, saves it, and wakes the waiting devices.
    private func perform<Result>(_ body: (inout Contents) throws -> Result) throws -> Result {
      let (result, version) = try contents.withLock { contents in
        let before = name(contents.database)
        let result = try body(&contents)
        if let database = contents.database, name(database) != before { try StoredLedger(database).save(url) }
        contents.version += 1
        return (result, contents.version)
      }
      count.advance(to: version)
      return result
    }

    private func name(_ database: Ledger<SyncedList>?) -> String { SliceClient.name(database?.generation, database?.head) }

    // MARK: - The operator's part

    /// Obeys a command of the operator. The server process reads the journal again afterwards.
    func obey(_ line: String) -> String {
      defer { contents.withLock { $0.process = nil } }
      let words = line.split(separator: " ").map(String.init)
      do {
        switch (words.first, words.dropFirst().first) {
        case ("save", let path?):
          try? FileManager.default.removeItem(atPath: path)
          try FileManager.default.copyItem(at: url, to: URL(fileURLWithPath: path))
          return "saved"
        case ("restore", let path?):
          let old = try StoredLedger.load(URL(fileURLWithPath: path))
          try perform { $0.database = old }
          return "restored: the journal ends at \(old.head.revision), in generation \(old.generation)"
        case ("discard", nil):
          try perform { $0.database?.begin(Generation(.random(in: 1...UInt64.max))) }
          return "discarded: a new generation begins"
        case ("recover", let path?):
          let file = try DeviceLog.read(URL(fileURLWithPath: path)).contents?.file
          return try perform { contents in
            guard let head = contents.database?.head, let mirror = file?.mirror, let lineage = file?.lineage else {
              return "there is nothing to recover"
            }
            let tail = mirror.entries.filter { $0.revision > head.revision }
            guard !tail.isEmpty || mirror.head == head else { return "there is nothing to recover" }
            let names = ListPolicy.principals
            let isRecovered = contents.database?.recover(tail, of: lineage) { author in
              names.first { $0.pseudonym(key: ServerProcess<SyncedList>.key) == author }
            }
            guard isRecovered == true else { return "the mirror does not follow revision \(head.revision)" }
            contents.database?.begin(Generation(.random(in: 1...UInt64.max)))
            return "recovered \(tail.count) entries: a new generation begins"
          }
        case ("schema", let number?):
          let schema = Int(number) ?? 1
          try perform { contents in
            contents.schema = schema
            contents.database?.schema = schema
            if let database = contents.database { try StoredLedger(database).save(self.url) }
          }
          return "schema \(schema) is enabled"
        default: return "commands: save PATH, restore PATH, discard, recover DEVICE-FILE, schema N, quit"
        }
      } catch {
        return "failed: \(error)"
      }
    }

    // MARK: - The devices' part

    /// Adds the routes.
    func addRoutes(to router: Router<WebContext>) {
      router.post("exchange") { request, _ in
        guard let token = Self.token(of: request) else { return Self.status(.unauthorized) }
        let body = try await request.body.collect(upTo: 16 << 20)
        guard let wire = try? JSONDecoder().decode(WireRequest.self, from: Data(body.readableBytesView)) else {
          return Self.status(.unprocessableContent)
        }
        return try self.exchange(wire.request, by: token)
      }
      router.get("live") { request, _ in
        guard let token = Self.token(of: request) else { return Self.status(.unauthorized) }
        guard ListPolicy().mayRead(token) else { return Self.status(.forbidden) }
        return .text(await self.head(after: request.uri.queryParameters["seen"].map(String.init) ?? ""), status: .ok)
      }
      router.post("adopt") { request, _ in
        guard let token = Self.token(of: request) else { return Self.status(.unauthorized) }
        guard ListPolicy().mayWrite(token) else { return Self.status(.forbidden) }
        let state = SyncedList(initial: Data(try await request.body.collect(upTo: 16 << 20).readableBytesView))
        let isNew = try self.perform { contents in
          guard contents.database == nil else { return false }
          Self.create(state, in: &contents)
          return true
        }
        return Self.status(isNew ? .created : .conflict)
      }
    }

    private static func token(of request: Hummingbird.Request) -> Principal? {
      guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else { return nil }
      return Principal(String(field.dropFirst("Bearer ".count)))
    }

    private static func status(_ status: HTTPResponse.Status) -> Response { .text(status.reasonPhrase, status: status) }

    private static func create(_ state: SyncedList, in contents: inout Contents) {
      contents.database = Ledger(
        .random(), lineage: Lineage(Generation(.random(in: 1...UInt64.max))),
        initial: .initial(EntryID(origin: .random(), sequence: 1), state.data), window: 100, schema: contents.schema)
    }

    private func exchange(_ request: AlterSyncCore.Request, by token: Principal) throws -> Response {
      let policy = ListPolicy()
      let (answer, reasons): (Answer<SyncedList>, [EntryID: String]) = try perform { contents in
        if contents.database == nil, policy.mayWrite(token) { Self.create(SyncedList(initial: Data()), in: &contents) }
        guard var database = contents.database else { return (.forbidden, [:]) }
        var process = contents.process ?? ServerProcess(database, limits: SyncLimits())
        var answer = process.begin(request, token: token, arrival: WallClock.now, policy: policy, database: database)
        while answer == nil, process.attempt != nil { answer = process.commit(to: &database, policy: policy) }
        (contents.database, contents.process) = (database, process)
        return (answer ?? .notUnderstood, database.reasons)
      }
      let own = token.pseudonym(key: ServerProcess<SyncedList>.key)
      switch answer {
      case .page(let page):
        return try Self.json(WireAnswer(page: WirePage(page) { $0.receipt?.author == own ? reasons[$0.id] : nil }))
      case .snapshot(let fetched): return try Self.json(WireAnswer(snapshot: WireSnapshot(fetched)))
      case .gone: return try Self.json(WireAnswer(), .gone)
      case .diverged(let lineage): return try Self.json(WireAnswer(generations: WireLineage(lineage)), .conflict)
      case .forbidden: return Self.status(.forbidden)
      case .unauthorised: return Self.status(.unauthorized)
      case .badEnvelope: return Self.status(.unprocessableContent)
      case .busy, .notUnderstood: return Self.status(.internalServerError)
      }
    }

    private static func json(_ answer: WireAnswer, _ status: HTTPResponse.Status = .ok) throws -> Response {
      .json(try JSONEncoder().encode(answer), status: status)
    }

    /// Waits until the head differs from a seen one, or until 15 s have passed.
    private func head(after seen: String) async -> String {
      let deadline = ContinuousClock.now + .seconds(15)
      while true {
        let (head, version) = contents.withLock { (name($0.database), $0.version) }
        guard head == seen, ContinuousClock.now < deadline, !Task.isCancelled else { return head }
        await withTaskGroup(of: Void.self) { group in
          group.addTask { try? await self.count.wait(past: version) }
          group.addTask { try? await Task.sleep(until: deadline, clock: .continuous) }
          await group.next()
          group.cancelAll()
        }
      }
    }
  }
#endif
