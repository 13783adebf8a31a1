#if Postgres
  import Alter
  import AlterPostgres
  import CBareLibPQ
  import Foundation

  // Journals in PostgreSQL, against the same server with a bare libpq pipeline, and with pgbench and the same statement.

  func postgresWorks(_ options: Options) -> [Work] {
    let writers = options.isQuick ? [8] : [1, 8, 64]
    let many = writers.map { manyJournals(writers: $0, options) }
    let one = writers.map { oneJournal(writers: $0, options) }
    let long = options.isQuick ? [] : [longJournal(options)]
    return many + one + [notice(options), catchUp(options)] + long
  }

  private func draft(_ origin: Origin, _ sequence: Int) -> Entry.Draft {
    Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: Int64(sequence)), time: Int64(sequence), payload: postgresPayload)
  }

  private func nanoseconds(of work: () -> Void) -> Double {
    let start = BenchmarkClock.wall.nanoseconds
    work()
    return Double(BenchmarkClock.wall.nanoseconds - start)
  }

  // MARK: - Works

  /// Each writer makes one append after the other, to journals without other writers.
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

  /// Appends to the journals with several tasks at once. Each task has its own part of the journals.
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

  /// Several stores write one journal, and each change is durable before the next: conflicts, turns, rebases.
  private func oneJournal(writers: Int, _ options: Options) -> Work {
    let goals: [String: Goal] = writers == 8 ? ["a short one by bare libpq": .ratio(atMost: 3)] : [:]
    return Work("postgres, one journal, appends by", writers, unit: .nanoseconds, goals: goals) {
      let key = "hot \(UUID().uuidString.prefix(8))"
      let count = options.isQuick ? 100 : 800
      // Each store has its own connections, as on a separate machine, for up to eight machines.
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

  /// The median nanoseconds for each operation of contenders that take turns.
  func rounds(_ options: Options, _ contenders: [(name: String, work: () -> Double)]) -> [(name: String, value: Double)] {
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

  /// The time from the acknowledgement of an append until another process or machine has received it.
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
          // The reader then waits for the notification that must wake it.
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

  /// The time from the return of `NOTIFY` on one connection until another connection has the notification. Either may happen first.
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

  /// Reading missed entries one by one.
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
                guard PQresultStatus(result) == PGRES_TUPLES_OK else {
                  fatalError("The baseline failed: \(String(cString: PQresultErrorMessage(result)))")
                }
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
