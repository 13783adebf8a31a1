import Foundation
import ProcessTesting

/// Checks the files of a server and of devices by SQL alone, with the command `sqlite3`: no code of Alter's reads them.
///
/// `Design/0003-journal-format.md` specifies the tables. The laws are those of `docs/sync-simulation.md`.
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
          SELECT count(*) FROM acked WHERE (origin, sequence) NOT IN (SELECT origin, sequence FROM drafted UNION SELECT origin, sequence FROM decided)
          """
        ),
        (
          "1: acknowledged changes whose order in the outbox is another one",
          """
          SELECT count(*) FROM (SELECT place, lag(place) OVER (ORDER BY line) AS before FROM acked JOIN drafted USING (origin, sequence))
            WHERE place < before
          """
        ),
        (
          "5: entries of the mirror that the server does not have",
          """
          SELECT count(*) FROM (
            SELECT \(Self.columns) FROM main.entries WHERE revision > (SELECT floor FROM s.journals)
            EXCEPT SELECT \(Self.columns) FROM s.entries)
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
            SELECT count(*) FROM acked WHERE 1 <> (SELECT count(*) FROM decided d WHERE d.origin = acked.origin AND d.sequence = acked.sequence)
            """
          ),
          (
            "2: told verdicts that are not the server's",
            """
            SELECT count(*) FROM log WHERE word IN ('accepted', 'refused') AND NOT EXISTS (
              SELECT 1 FROM decided d WHERE d.origin = log.origin AND d.sequence = log.sequence
                AND CASE word WHEN 'accepted' THEN d.code IS NULL AND d.revision = CAST(rest AS INTEGER) ELSE d.code = rest END)
            """
          ),
          (
            "3: changes that the server has decided in another order than that of the outbox",
            """
            SELECT count(*) FROM (SELECT revision, lag(revision) OVER (ORDER BY line) AS before FROM acked JOIN decided USING (origin, sequence))
              WHERE revision < before
            """
          ),
        ])
  }

  /// The server's file alone.
  func serverProblems() throws -> [String] {
    let text = try Child.run([
      "/usr/bin/env", "sqlite3", server,
      """
      WITH \(Self.decided("main"))
        SELECT count(*) - count(DISTINCT origin || sequence) + (count(*) <> max(revision)) + count(*) - count(DISTINCT revision) FROM decided;
      WITH \(Self.decided("main"))
        SELECT count(*) FROM (SELECT sequence, lag(sequence) OVER (PARTITION BY origin ORDER BY revision) AS before FROM decided)
        WHERE sequence <= before;
      SELECT count(*) FROM entries WHERE revision = (SELECT floor FROM journals) + 1;
      """,
    ])
    return text == "0\n0\n1" ? [] : ["2, 3, 10: ids that appear twice, gaps, and sequences that do not ascend: \(text)"]
  }

  /// The decided drafts of a server's file, as a table of a query: entries, and the runs of the removed ones.
  private static func decided(_ file: String) -> String {
    """
    RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 63),
      decided AS (
        SELECT hex(origin) AS origin, sequence, revision, CASE kind WHEN 'refused' THEN payload ->> 'code' END AS code FROM \(file).entries
        UNION ALL
        SELECT hex(origin), first + n, revision + n, nullif(verdict, 'accepted') FROM \(file).verdicts JOIN n ON first + n <= last)
    """
  }

  /// The floors of a file's journals, and the number of runs of verdicts in it.
  func floors(of file: String) throws -> (floor: Int, runs: Int) {
    let text = try Child.run(["/usr/bin/env", "sqlite3", file, "SELECT floor FROM journals; SELECT count(*) FROM verdicts;"])
    let numbers = text.split(separator: "\n").compactMap { Int($0) }
    return (numbers.first ?? 0, numbers.last ?? 0)
  }

  /// Changes a copy of a device's file, or of the server's, as no process may, and checks it.
  ///
  /// - Parameters:
  ///   - damage: An SQL statement.
  ///   - isOfServer: Whether the server's file is changed.
  /// - Returns: The broken laws.
  func problems(of device: String, log: String, after damage: String, isOfServer: Bool = false) throws -> [String] {
    let copy = device + "-damaged"
    let original = isOfServer ? server : device
    try? FileManager.default.removeItem(atPath: copy)
    try Child.run(["/usr/bin/env", "sqlite3", original, "VACUUM INTO '\(copy)'"])
    try Child.run(["/usr/bin/env", "sqlite3", copy, damage])
    return try isOfServer ? SyncFiles(server: copy).finalProblems(of: device, log: log) : finalProblems(of: copy, log: log)
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
        "CREATE TEMP TABLE drafted AS SELECT hex(origin) AS origin, sequence, place FROM drafts;",
        "CREATE TEMP TABLE decided AS WITH \(Self.decided("s")) SELECT * FROM decided;",
        "CREATE INDEX temp.drafted_id ON drafted (origin, sequence);", "CREATE INDEX temp.decided_id ON decided (origin, sequence);",
      ] + checks.map { "\($0.sql.split(separator: "\n").joined(separator: " "));" }
    let file = log + ".sql"
    try script.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let numbers = try Child.run(["/usr/bin/env", "sqlite3", device, ".read \(file)"]).split(separator: "\n")
    guard numbers.count == checks.count else { return ["sqlite3 says \(numbers)"] }
    return zip(checks, numbers).compactMap { $1 == "0" ? nil : "law \($0.name): \($1)" }
  }
}
