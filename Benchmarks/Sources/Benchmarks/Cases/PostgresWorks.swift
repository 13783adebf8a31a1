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

  /// What an append comes down to: a head moves, and a row is inserted. $1: number, $2: checksum, $3: origin, $4: sequence, $5: payload.
  private let bareAppend = """
    WITH advanced AS (UPDATE bare.journal SET head = head + 1, checksum = $2 WHERE number = $1 RETURNING number, head)
    INSERT INTO bare.entry (journal, revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum)
    SELECT number, head, 1, $3, $4, '', 1, 'changes', $5, NULL, $2 FROM advanced
    """

  /// The same tables, without Alter.
  private let bareTables: Void = BenchmarkServer.shared.sql(
    PostgresJournal.setup(schema: "bare") + """
      INSERT INTO bare.journal SELECT number, 'j' || number, gen_random_uuid(), 0, decode(repeat('00', 16), 'hex'), 0
      FROM generate_series(1, 1000) AS number;
      """)

  /// Connections in pipeline mode, driven by one thread that does nothing else.
  private final class BarePipeline {
    private struct Line {
      let handle: OpaquePointer
      var inFlight = 0
    }
    private var lines: [Line] = []
    private let depth: Int
    private let journals: Int
    private let origin = [UInt8](withUnsafeBytes(of: UUID().uuid) { Data($0) })
    private var sequence: Int64 = 0

    init(writers: Int, journals: Int) {
      _ = bareTables
      self.journals = journals
      let connections = min(writers, 8)
      depth = max(1, writers / connections)
      for _ in 0..<connections {
        guard let handle = PQconnectdb(BenchmarkServer.shared.address("bare").address), PQstatus(handle) == CONNECTION_OK else {
          fatalError("No bare connection.")
        }
        let types: [Oid] = [20, 17, 2950, 20, 17]
        PQclear(PQprepare(handle, "append", bareAppend, 5, types))
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
            }
            PQclear(result)
          }
        }
      }
    }

    private func send(_ handle: OpaquePointer) {
      sequence += 1
      var number = (1 + sequence % Int64(journals)).bigEndian
      var own = sequence.bigEndian
      withUnsafeBytes(of: &number) { number in
        withUnsafeBytes(of: &own) { own in
          origin.withUnsafeBytes { origin in
            payload.withUnsafeBytes { payload in
              let values = [number, origin, origin, own, payload]
              let pointers = values.map { $0.assumingMemoryBound(to: CChar.self).baseAddress }
              PQsendQueryPrepared(handle, "append", 5, pointers, values.map { Int32($0.count) }, [1, 1, 1, 1, 1], 1)
            }
          }
        }
      }
      PQpipelineSync(handle)
    }
  }

  private func pgbenchScript(journals: Int) -> String {
    let statement = bareAppend.replacing("$1", with: ":j").replacing("$2", with: "decode(repeat('00', 16), 'hex')")
      .replacing("$3", with: "gen_random_uuid()").replacing("$4", with: "1")
      .replacing("$5", with: "'\(String(decoding: payload, as: UTF8.self))'::bytea").replacing("\n", with: " ")
    return "\\set j random(1, \(journals))\n\(statement);\n"
  }

  // MARK: - Works

  /// One append after the other by each writer, to journals that nobody else writes meanwhile.
  private func manyJournals(writers: Int, _ options: Options) -> Work {
    Work(
      "postgres, 1,000 journals, appends by", writers, unit: .nanoseconds,
      goals: writers == 8 ? ["a bare libpq pipeline": .ratio(atMost: 1.43)] : [:]
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
      let pipeline = BarePipeline(writers: writers, journals: 1_000)
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
            "a bare libpq pipeline",
            {
              pipeline.append(count)
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
      let pipeline = BarePipeline(writers: writers, journals: 1)
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
            "a bare libpq pipeline",
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
