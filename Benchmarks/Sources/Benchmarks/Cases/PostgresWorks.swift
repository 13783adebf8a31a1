#if Postgres
  import Alter
  import AlterPostgres
  import CBareLibPQ
  import Foundation

  // Journals in PostgreSQL, against what the same server does for a bare pipeline of libpq's and for pgbench with the same statement.

  func postgresWorks(_ options: Options) -> [Work] {
    let writers = options.isQuick ? [8] : [1, 8, 64]
    let many = writers.map { manyJournals(writers: $0, options) }
    let one = writers.map { oneJournal(writers: $0, options) }
    let long = options.isQuick ? [] : [longJournal(options)]
    return many + one + [notice(options), catchUp(options)] + long
  }

  // MARK: - The server

  /// A server of this run's own, with `fsync`, removed at the end.
  private struct BenchmarkServer {
    let folder: String
    let programs: String

    static let shared = BenchmarkServer()

    private init() {
      folder = "/tmp/alter-benchmark-\(getpid())-postgres"
      programs = Self.output("ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; true").first ?? ""
      let path = programs.isEmpty ? "" : "PATH=\(programs):$PATH; "
      let asUser = getuid() == 0 ? "runuser -u postgres -- " : ""
      let script = """
        set -e; \(path)mkdir \(folder); \(getuid() == 0 ? "chown postgres \(folder);" : "") cd /
        \(asUser)env PATH="$PATH" initdb -D \(folder)/data -A trust -U alter --no-sync -E UTF8 --locale=C.UTF-8
        chmod 711 \(folder)
        \(asUser)env PATH="$PATH" pg_ctl -D \(folder)/data -w -s -l \(folder)/data/log -o "-c listen_addresses='' -k \(folder) -c max_connections=200" start
        """
      guard Self.status(script) == 0 else { fatalError("No PostgreSQL server could be started.") }
      Self.stopping = "cd /; \(path)\(asUser)env PATH=\"$PATH\" pg_ctl -D \(folder)/data -s -m immediate stop; rm -rf \(folder)"
      atexit { _ = BenchmarkServer.status(BenchmarkServer.stopping) }
    }

    nonisolated(unsafe) private static var stopping = ""

    func address(_ name: String = "benchmark") -> PostgresServer {
      PostgresServer("host=\(folder) user=alter dbname=postgres application_name=\(name)")
    }

    func sql(_ text: String) {
      let file = "\(NSTemporaryDirectory())/alter-benchmark-\(getpid()).sql"
      FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
      let path = programs.isEmpty ? "" : "PATH=\(programs):$PATH; "
      guard Self.status("\(path)psql -X -q -v ON_ERROR_STOP=1 -h \(folder) -U alter -d postgres -f \(file)") == 0 else {
        fatalError("A benchmark's SQL failed.")
      }
      unlink(file)
    }

    /// Runs pgbench with a script.
    ///
    /// - Returns: Nanoseconds for each transaction.
    func pgbench(_ script: String, clients: Int, seconds: Int) -> Double {
      let file = "\(NSTemporaryDirectory())/alter-benchmark-\(getpid()).pgbench"
      FileManager.default.createFile(atPath: file, contents: Data(script.utf8))
      defer { unlink(file) }
      let path = programs.isEmpty ? "" : "PATH=\(programs):$PATH; "
      let lines = Self.output(
        "\(path)pgbench -n -M prepared -c \(clients) -j 2 -T \(seconds) -f \(file) -h \(folder) -U alter postgres 2>/dev/null")
      let rate = lines.first { $0.hasPrefix("tps = ") }.flatMap { Double($0.split(separator: " ")[2]) } ?? .nan
      return 1e9 / rate
    }

    private static func status(_ script: String) -> Int32 { system("{ \(script)\n} >/dev/null 2>&1 </dev/null") }

    private static func output(_ script: String) -> [String] {
      guard let pipe = popen(script, "r") else { return [] }
      defer { pclose(pipe) }
      var lines: [String] = []
      var line = [CChar](repeating: 0, count: 4_096)
      while fgets(&line, 4_096, pipe) != nil {
        lines.append(String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      return lines
    }
  }

  /// A change as it is stored: about 100 bytes.
  private let payload = Data(#"[{"title":"A title that is about as long as titles are in an app, so that it has a hundred bytes"}]"#.utf8)

  private func draft(_ origin: Origin, _ sequence: Int) -> Entry.Draft {
    Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: Int64(sequence)), time: Int64(sequence), payload: payload)
  }

  private func nanoseconds(of work: () -> Void) -> Double {
    let start = BenchmarkClock.wall.nanoseconds
    work()
    return Double(BenchmarkClock.wall.nanoseconds - start)
  }

  // MARK: - What the server does for others

  /// What an append comes down to: a head moves, and a row is inserted.
  ///
  /// $1: number, $2: id, $3: head, $4: its checksum; $5: time, $6: origin, $7: sequence, $8: scope, $9: schema, $10: kind,
  /// $11: payload, $12: cause, $13: checksum; $14: `synchronous_commit`, $15: lock timeout.
  private enum Statement: String {
    /// As short as it can be.
    case short
    /// As Alter sends it (`Statements.appendingOne`): with settings for the transaction, and only after the head that is presented.
    case same

    var sql: String {
      switch self {
      case .short:
        """
        WITH advanced AS (UPDATE short.journal SET head = head + 1, checksum = $4 WHERE number = $1 RETURNING number, head)
        INSERT INTO short.entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
        SELECT number, head, 1, $2, $3, '', 1, 'changes', $5, NULL, $4 FROM advanced
        """
      case .same:
        """
        WITH settings AS MATERIALIZED (
          SELECT set_config('lock_timeout', $15, true),
            CASE WHEN current_setting('synchronous_commit') <> $14 AND NOT ($14 = 'on' AND current_setting('synchronous_commit') = 'remote_apply')
              THEN set_config('synchronous_commit', $14, true) END),
        advanced AS (
          UPDATE same.journal SET head = $3 + 1, checksum = $13 FROM settings
          WHERE number = $1 AND id = $2 AND head = $3 AND checksum = $4 RETURNING number)
        INSERT INTO same.entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
        SELECT number, $3 + 1, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM advanced
        """
      }
    }

    var types: [Oid] {
      switch self {
      case .short: [20, 2950, 20, 17, 17]
      case .same: [20, 2950, 20, 17, 20, 2950, 20, 17, 20, 25, 17, 17, 17, 25, 25]
      }
    }

    /// The same tables as Alter's, without Alter.
    func makeTables() {
      BenchmarkServer.shared.sql(
        PostgresJournal.setup(schema: rawValue) + """
          INSERT INTO \(rawValue).journal
          SELECT number, 'j' || number, '00000000-0000-0000-0000-000000000000', 0, decode(repeat('00', 16), 'hex'), 0
          FROM generate_series(1, 1000) AS number;
          """)
    }
  }

  private let shortTables: Void = Statement.short.makeTables()

  /// Connections in pipeline mode, driven by one thread that does nothing else.
  private final class BarePipeline {
    private struct Line {
      let handle: OpaquePointer
      var inFlight = 0
    }
    private let statement: Statement
    private var lines: [Line] = []
    private let depth: Int
    private let journals: Int
    private let origin = withUnsafeBytes(of: UUID().uuid) { Array($0) }
    private var sequence = 0

    init(_ statement: Statement, writers: Int, journals: Int) {
      switch statement {
      case .short: _ = shortTables
      // Whose heads this pipeline knows.
      case .same:
        BenchmarkServer.shared.sql("DROP SCHEMA IF EXISTS same CASCADE")
        statement.makeTables()
      }
      self.statement = statement
      self.journals = journals
      let connections = min(writers, 8)
      depth = max(1, writers / connections)
      for _ in 0..<connections {
        guard let handle = PQconnectdb(BenchmarkServer.shared.address("bare").address), PQstatus(handle) == CONNECTION_OK else {
          fatalError("No bare connection.")
        }
        PQclear(PQprepare(handle, "append", statement.sql, Int32(statement.types.count), statement.types))
        PQsetnonblocking(handle, 1)
        PQenterPipelineMode(handle)
        lines.append(Line(handle: handle))
      }
    }

    deinit { for line in lines { PQfinish(line.handle) } }

    func append(_ count: Int) {
      var (sent, answered) = (0, 0)
      while answered < count {
        for index in lines.indices {
          while lines[index].inFlight < depth, sent < count {
            send(lines[index].handle)
            lines[index].inFlight += 1
            sent += 1
          }
          PQflush(lines[index].handle)
        }
        var descriptors = lines.map { pollfd(fd: PQsocket($0.handle), events: Int16(POLLIN), revents: 0) }
        poll(&descriptors, nfds_t(descriptors.count), 10_000)
        for index in lines.indices where descriptors[index].revents != 0 {
          let handle = lines[index].handle
          guard PQconsumeInput(handle) == 1 else { fatalError("The bare connection was lost.") }
          while lines[index].inFlight > 0, PQisBusy(handle) == 0 {
            guard let result = PQgetResult(handle) else { continue }
            let status = PQresultStatus(result)
            if status == PGRES_PIPELINE_SYNC {
              lines[index].inFlight -= 1
              answered += 1
            } else if status != PGRES_COMMAND_OK {
              fatalError(String(cString: PQresultErrorMessage(result)))
            } else if String(cString: PQcmdTuples(result)) != "1" {
              fatalError("A bare append found another head.")
            }
            PQclear(result)
          }
        }
      }
    }

    private func send(_ handle: OpaquePointer) {
      let (journal, round) = (sequence % journals, sequence / journals)
      sequence += 1
      func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) } }
      let (zeros, own) = ([UInt8](repeating: 0, count: 16), bytes(sequence))
      let values: [[UInt8]?] =
        switch statement {
        case .short: [bytes(1 + journal), origin, own, zeros, Array(payload)]
        case .same:
          [
            bytes(1 + journal), zeros, bytes(round), zeros, own, origin, own, [], bytes(1), Array("changes".utf8), Array(payload), nil,
            zeros,
            Array("on".utf8), Array("10000ms".utf8),
          ]
        }
      // One buffer for all, as in Alter.
      let all = values.reduce(into: [UInt8(0)]) { $0 += $1 ?? [] }
      all.withUnsafeBufferPointer { all in
        all.baseAddress?.withMemoryRebound(to: CChar.self, capacity: all.count) { base in
          var place = 1
          let pointers = values.map { value -> UnsafePointer<CChar>? in
            defer { place += value?.count ?? 0 }
            return value == nil ? nil : base + place
          }
          let formats = [Int32](repeating: 1, count: values.count)
          PQsendQueryPrepared(handle, "append", Int32(values.count), pointers, values.map { Int32($0?.count ?? 0) }, formats, 1)
        }
      }
      PQpipelineSync(handle)
    }
  }

  private func pgbenchScript(journals: Int) -> String {
    let statement = Statement.short.sql.replacing("$1", with: ":j").replacing("$4", with: "decode(repeat('00', 16), 'hex')")
      .replacing("$2", with: "gen_random_uuid()").replacing("$3", with: "1")
      .replacing("$5", with: "'\(String(decoding: payload, as: UTF8.self))'::bytea").replacing("\n", with: " ")
    return "\\set j random(1, \(journals))\n\(statement);\n"
  }

  // MARK: - Works

  /// One append after the other by each writer, to journals that nobody else writes meanwhile.
  private func manyJournals(writers: Int, _ options: Options) -> Work {
    Work(
      "postgres, 1,000 journals, appends by", writers, unit: .nanoseconds,
      goals: writers == 8 ? ["the same by bare libpq": .ratio(atMost: 1.43)] : [:]
    ) {
      let run = UUID().uuidString.prefix(8)
      let count = options.isQuick ? 400 : writers == 1 ? 1_500 : 8_000
      let journals = waiting {
        try await withThrowingTaskGroup(of: PostgresJournal.self) { group in
          for number in 0..<1_000 {
            group.addTask { try await PostgresJournal(at: BenchmarkServer.shared.address(), key: "\(run) \(number)") }
          }
          return try await group.reduce(into: [PostgresJournal]()) { $0.append($1) }
        }
      }
      let heads = waiting { () -> [Head] in
        var heads: [Head] = []
        for journal in journals { heads.append(try await journal.head()) }
        return heads
      }
      let same = BarePipeline(.same, writers: writers, journals: 1_000)
      let short = BarePipeline(.short, writers: writers, journals: 1_000)
      let script = pgbenchScript(journals: 1_000)
      var current = heads
      var sequence = 0
      return rounds(
        options,
        [
          (
            "Alter",
            {
              let (start, before) = (sequence, current)
              sequence += count
              current = waiting { try await append(count, by: writers, to: journals, at: before, from: start) }
              return Double(count)
            }
          ),
          (
            "the same by bare libpq",
            {
              same.append(count)
              return Double(count)
            }
          ),
          (
            "a short one by bare libpq",
            {
              short.append(count)
              return Double(count)
            }
          ),
        ]) + [("pgbench", BenchmarkServer.shared.pgbench(script, clients: writers, seconds: options.isQuick ? 1 : 4))]
    }
  }

  /// Appends by some tasks at once, each to its own part of the journals.
  private func append(_ count: Int, by writers: Int, to journals: [PostgresJournal], at heads: [Head], from start: Int) async throws
    -> [Head]
  {
    try await withThrowingTaskGroup(of: [(Int, Head)].self) { group in
      for writer in 0..<writers {
        group.addTask {
          let origin = Origin.random()
          let own = Array(stride(from: writer, to: journals.count, by: writers))
          var ends = own.map { heads[$0] }
          for number in 0..<count / writers {
            let place = number % own.count
            ends[place] = try await journals[own[place]].append([draft(origin, start + number + 1)], after: ends[place]).head
          }
          return Array(zip(own, ends))
        }
      }
      return try await group.reduce(into: heads) { heads, ends in for (place, head) in ends { heads[place] = head } }
    }
  }

  /// Stores that all write one journal, each change durable before the next: conflicts, turns, rebases.
  private func oneJournal(writers: Int, _ options: Options) -> Work {
    Work("postgres, one journal, appends by", writers, unit: .nanoseconds) {
      let key = "hot \(UUID().uuidString.prefix(8))"
      let count = options.isQuick ? 100 : 800
      // Each on a machine of its own, as far as connections go, up to eight.
      let stores = waiting {
        var stores: [Store<TenFields>] = []
        for number in 0..<writers {
          stores.append(
            try await Store.open(
              TenFields(), in: PostgresJournal(at: BenchmarkServer.shared.address("machine\(number % 8)"), key: key)))
        }
        return stores
      }
      defer { waiting { for store in stores { await store.close() } } }
      let pipeline = BarePipeline(.short, writers: writers, journals: 1)
      return rounds(
        options,
        [
          (
            "Alter",
            {
              waiting {
                try await withThrowingTaskGroup(of: Void.self) { group in
                  for store in stores {
                    group.addTask { for number in 0..<max(1, count / writers) { try await store.change(.count(number)).durable() } }
                  }
                  try await group.waitForAll()
                }
              }
              return Double(max(1, count / writers) * writers)
            }
          ),
          (
            "a short one by bare libpq",
            {
              pipeline.append(count)
              return Double(count)
            }
          ),
        ]) + [("pgbench", BenchmarkServer.shared.pgbench(pgbenchScript(journals: 1), clients: writers, seconds: options.isQuick ? 1 : 4))]
    }
  }

  /// The median nanoseconds for each operation of contenders who take turns.
  private func rounds(_ options: Options, _ contenders: [(name: String, work: () -> Double)]) -> [(name: String, value: Double)] {
    var times = contenders.map { _ in [Double]() }
    for round in 0..<(options.isQuick ? 1 : 5) {
      for turn in contenders.indices {
        let place = (turn + round) % contenders.count
        var operations = 1.0
        let time = nanoseconds { operations = contenders[place].work() }
        times[place].append(time / operations)
      }
    }
    return zip(contenders, times).map { ($0.name, median($1)) }
  }

  /// How long it takes until another process, or machine, has noticed an append that was acknowledged.
  private func notice(_ options: Options) -> Work {
    Work("postgres, noticed elsewhere", 1, unit: .nanoseconds) {
      let key = "notice \(UUID().uuidString.prefix(8))"
      let count = options.isQuick ? 20 : 300
      let latencies = waiting { () -> [Double] in
        let writer = try await PostgresJournal(at: BenchmarkServer.shared.address("writer"), key: key)
        let reader = try await PostgresJournal(at: BenchmarkServer.shared.address("reader"), key: key)
        let origin = Origin.random()
        var head = try await writer.head()
        var latencies: [Double] = []
        for number in 1...count {
          let revision = head.revision
          let wait = Task {
            try await reader.waitForEntry(after: revision)
            return BenchmarkClock.wall.nanoseconds
          }
          // So that it waits by then: the hint is what is to wake it.
          try await Task.sleep(for: .milliseconds(10))
          head = try await writer.append([draft(origin, number)], after: head).head
          let acknowledged = BenchmarkClock.wall.nanoseconds
          latencies.append(Double(try await wait.value - acknowledged))
        }
        await writer.close()
        await reader.close()
        return latencies
      }
      return [("Alter", median(latencies)), ("a bare NOTIFY", bareNotice(count))]
    }
  }

  /// From the return of `NOTIFY` on one connection until another has the notification. Either may come first.
  private func bareNotice(_ count: Int) -> Double {
    let connections = (0..<2).compactMap { _ in PQconnectdb(BenchmarkServer.shared.address("bare").address) }
    defer { for connection in connections { PQfinish(connection) } }
    PQclear(PQexec(connections[0], "LISTEN bare"))
    var latencies: [Double] = []
    for _ in 0..<count {
      let start = BenchmarkClock.wall.nanoseconds
      PQclear(PQexec(connections[1], "NOTIFY bare"))
      while true {
        if let notification = PQnotifies(connections[0]) {
          PQfreemem(notification)
          break
        }
        var descriptor = pollfd(fd: PQsocket(connections[0]), events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 10_000)
        PQconsumeInput(connections[0])
      }
      latencies.append(Double(BenchmarkClock.wall.nanoseconds - start))
    }
    return median(latencies)
  }

  /// Fills a journal.
  private func fill(_ key: String, _ count: Int) -> (PostgresJournal, Head) {
    waiting {
      let journal = try await PostgresJournal(at: BenchmarkServer.shared.address(), key: key)
      let origin = Origin.random()
      var head = try await journal.head()
      for start in stride(from: 0, to: count, by: 1_000) {
        head = try await journal.append((1...1_000).map { draft(origin, start + $0) }, after: head).head
      }
      return (journal, head)
    }
  }

  /// Reading what one has missed, entry by entry.
  private func catchUp(_ options: Options) -> Work {
    let count = options.isQuick ? 10_000 : 100_000
    return Work("postgres, catching up, entries", count, unit: .nanoseconds) {
      let key = "catch up \(UUID().uuidString.prefix(8))"
      let (journal, _) = fill(key, count)
      let bare = PQconnectdb(BenchmarkServer.shared.address("bare").address)
      defer { PQfinish(bare) }
      let statement = """
        SELECT revision, time, origin, sequence, scope, entry.schema, kind, payload, cause, entry.checksum FROM alter.entry
        WHERE journal = (SELECT number FROM alter.journal WHERE key = '\(key)') AND revision >
        """
      return rounds(
        options,
        [
          (
            "Alter",
            {
              waiting {
                var revision = Revision.zero
                while let last = try await journal.entries(after: revision, limit: 1_000).last { revision = last.revision }
              }
              return Double(count)
            }
          ),
          (
            "libpq, the same pages",
            {
              for start in stride(from: 0, to: count, by: 1_000) {
                let result = PQexecParams(bare, "\(statement) \(start) ORDER BY revision LIMIT 1000", 0, nil, nil, nil, nil, 1)
                consume(Int(PQntuples(result)))
                PQclear(result)
              }
              return Double(count)
            }
          ),
        ])
    }
  }

  /// Appending to a journal of 1,000,000 entries, against one of 100,000.
  private func longJournal(_ options: Options) -> Work {
    Work("postgres, append at", 1_000_000, unit: .nanoseconds, goals: ["at 100,000 entries": .ratio(atMost: 1.3)]) {
      let long = fill("long \(UUID().uuidString.prefix(8))", 1_000_000)
      let short = fill("short \(UUID().uuidString.prefix(8))", 100_000)
      var heads = [long.1, short.1]
      let origin = Origin.random()
      func work(_ place: Int, _ journal: PostgresJournal) -> () -> Double {
        {
          let head = heads[place]
          heads[place] = waiting {
            var head = head
            for _ in 0..<1_000 { head = try await journal.append([draft(origin, Int(head.revision.number) + 1)], after: head).head }
            return head
          }
          return 1_000
        }
      }
      return rounds(options, [("Alter", work(0, long.0)), ("at 100,000 entries", work(1, short.0))])
    }
  }
#else
  func postgresWorks(_ options: Options) -> [Work] { [] }
#endif
