#if Postgres
  import AlterPostgres
  import CBareLibPQ
  import Foundation

  // The performance of the same server without Alter.

  /// A stored change of about 100 bytes.
  let postgresPayload = Data(#"[{"title":"A title that is about as long as titles are in an app, so that it has a hundred bytes"}]"#.utf8)

  /// The minimum of an append: the head is updated and a row is inserted.
  ///
  /// $1: number, $2: id, $3: head, $4: its checksum; $5: time, $6: origin, $7: sequence, $8: scope, $9: schema, $10: kind, $11: payload,
  /// $12: cause, $13: checksum; $14: `synchronous_commit`, $15: lock timeout.
  enum BareStatement: String {
    /// The shortest possible statement.
    case short
    /// The statement of Alter (`Statements.appendingOne`): with settings for the transaction, and a check of the presented head.
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

    /// Creates the same tables as Alter's, without Alter.
    func makeTables() {
      BenchmarkServer.shared.sql(
        PostgresJournal.setup(schema: rawValue) + """
          INSERT INTO \(rawValue).journal
          SELECT number, 'j' || number, '00000000-0000-0000-0000-000000000000', 0, decode(repeat('00', 16), 'hex'), 0
          FROM generate_series(1, 1000) AS number;
          """)
    }
  }

  private let shortTables: Void = BareStatement.short.makeTables()

  /// Connections in pipeline mode, driven by one dedicated thread.
  final class BarePipeline {
    private struct Line {
      let handle: OpaquePointer
      var inFlight = 0
    }
    private let statement: BareStatement
    private var lines: [Line] = []
    private let depth: Int
    private let journals: Int
    private let origin = withUnsafeBytes(of: UUID().uuid) { Array($0) }
    private var sequence = 0

    init(_ statement: BareStatement, writers: Int, journals: Int) {
      switch statement {
      case .short: _ = shortTables
      // The tables are created again, because the pipeline must know their heads.
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
        case .short: [bytes(1 + journal), origin, own, zeros, Array(postgresPayload)]
        case .same:
          [
            bytes(1 + journal), zeros, bytes(round), zeros, own, origin, own, [], bytes(1), Array("changes".utf8), Array(postgresPayload),
            nil,
            zeros, Array("on".utf8), Array("10000ms".utf8),
          ]
        }
      // One buffer for all values, as in Alter.
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

  func pgbenchScript(journals: Int) -> String {
    let statement = BareStatement.short.sql.replacing("$1", with: ":j").replacing("$4", with: "decode(repeat('00', 16), 'hex')")
      .replacing("$2", with: "gen_random_uuid()").replacing("$3", with: "1")
      .replacing("$5", with: "'\(String(decoding: postgresPayload, as: UTF8.self))'::bytea").replacing("\n", with: " ")
    return "\\set j random(1, \(journals))\n\(statement);\n"
  }
#endif
