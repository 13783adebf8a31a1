import Foundation
import ProcessTesting

/// Checks the files of a server and of devices by SQL alone, with the command `sqlite3`: no code of Alter's reads them.
///
/// `Design/0003-journal-format.md` specifies the tables. The laws are those of `docs/sync.md`.
struct SyncFiles {
  let server: String
  private static let columns =
    "revision, time, hex(origin), sequence, scope, schema, kind, payload, cause, hex(checksum), author, arrival"

  /// The device's file against its log of acknowledged changes, and against the server. The device has ended or was killed; the server may
  /// run.
  ///
  /// - Returns: The broken laws, as text.
  func problems(of device: String, log: String) throws -> [String] {
    try query(
      device, log,
      [
        (
          "1 and 4: acknowledged changes that are neither in the outbox nor decided",
          """
          SELECT count(*) FROM acked WHERE NOT EXISTS (SELECT 1 FROM drafts d WHERE hex(d.origin) = acked.origin AND d.sequence = acked.sequence)
            AND NOT EXISTS (SELECT 1 FROM s.entries e WHERE hex(e.origin) = acked.origin AND e.sequence = acked.sequence)
          """
        ),
        (
          "1: acknowledged changes whose order in the outbox is another one",
          """
          SELECT count(*) FROM (SELECT d.place, lag(d.place) OVER (ORDER BY acked.line) AS before FROM acked
            JOIN drafts d ON hex(d.origin) = acked.origin AND d.sequence = acked.sequence) WHERE place < before
          """
        ),
        (
          "5: entries of the mirror that the server does not have",
          """
          SELECT count(*) FROM (SELECT \(Self.columns) FROM main.entries EXCEPT SELECT \(Self.columns) FROM s.entries)
          """
        ),
        (
          "5: gaps in the mirror",
          """
          SELECT count(*) <> coalesce(max(revision) - min(revision) + 1, 0) FROM main.entries
          """
        ),
        (
          "5: a mirror that does not begin after its floor, or not end at its head",
          """
          SELECT count(*) FROM main.journals WHERE head <> (SELECT coalesce(max(revision), floor) FROM main.entries)
            OR (SELECT min(revision) FROM main.entries) <> floor + 1
          """
        ),
        (
          "4: drafts of the outbox that the mirror has",
          """
          SELECT count(*) FROM drafts d JOIN main.entries e USING (origin, sequence)
          """
        ),
      ])
  }

  /// The end, after every outbox has drained: the server's journal against the log of a device.
  func finalProblems(of device: String, log: String) throws -> [String] {
    try problems(of: device, log: log)
      + query(
        device, log,
        [
          ("8: drafts in the outbox", "SELECT count(*) FROM drafts"),
          (
            "6: a mirror that ends at another head",
            """
            SELECT (SELECT head || hex(checksum) FROM main.journals) <> (SELECT head || hex(checksum) FROM s.journals)
            """
          ),
          (
            "2: acknowledged changes without exactly one verdict",
            """
            SELECT count(*) FROM acked WHERE 1 <> (SELECT count(*) FROM s.entries e WHERE hex(e.origin) = acked.origin AND e.sequence = acked.sequence)
            """
          ),
          (
            "2: told verdicts that are not the server's",
            """
            SELECT count(*) FROM log WHERE word IN ('accepted', 'refused') AND NOT EXISTS (
              SELECT 1 FROM s.entries e WHERE hex(e.origin) = log.origin AND e.sequence = log.sequence
                AND CASE word WHEN 'accepted' THEN e.kind <> 'refused' AND e.revision = CAST(rest AS INTEGER)
                  ELSE e.kind = 'refused' AND e.payload ->> 'code' = rest END)
            """
          ),
          (
            "3: changes that the server has decided in another order than that of the outbox",
            """
            SELECT count(*) FROM (SELECT e.revision, lag(e.revision) OVER (ORDER BY acked.line) AS before FROM acked
              JOIN s.entries e ON hex(e.origin) = acked.origin AND e.sequence = acked.sequence) WHERE revision < before
            """
          ),
        ])
  }

  /// The server's file alone.
  func serverProblems() throws -> [String] {
    let text = try Child.run([
      "/usr/bin/env", "sqlite3", server,
      """
      SELECT count(*) - count(DISTINCT hex(origin) || sequence) + (count(*) <> max(revision)) FROM entries;
      SELECT count(*) FROM (SELECT sequence, lag(sequence) OVER (PARTITION BY origin ORDER BY revision) AS before FROM entries)
        WHERE sequence <= before;
      """,
    ])
    return text == "0\n0" ? [] : ["2, 3, 10: ids that appear twice, gaps, and sequences that do not ascend: \(text)"]
  }

  /// The number of a device's acknowledged changes, and of those among them that the server has refused.
  func counts(log: String) throws -> (acknowledged: Int, refused: Int) {
    let text = try String(contentsOfFile: log, encoding: .utf8)
    let lines = text.split(separator: "\n")
    return (lines.count { $0.hasPrefix("durable|") }, lines.count { $0.hasPrefix("refused|") })
  }

  private func query(_ device: String, _ log: String, _ checks: [(name: String, sql: String)]) throws -> [String] {
    let script =
      [
        ".bail on", ".timeout 60000", "ATTACH '\(server)' AS s;",
        "CREATE TEMP TABLE log (word TEXT, origin TEXT, sequence INTEGER, rest TEXT);", ".mode list", ".separator |",
        ".import '\(log)' log",
        "CREATE TEMP TABLE acked AS SELECT rowid AS line, origin, sequence FROM log WHERE word = 'durable';",
      ] + checks.map { "\($0.sql.split(separator: "\n").joined(separator: " "));" }
    let file = log + ".sql"
    try script.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let numbers = try Child.run(["/usr/bin/env", "sqlite3", device, ".read \(file)"]).split(separator: "\n")
    guard numbers.count == checks.count else { return ["sqlite3 says \(numbers)"] }
    return zip(checks, numbers).compactMap { $1 == "0" ? nil : "law \($0.name): \($1)" }
  }
}
