import Foundation
import ProcessTesting

/// Checks the tables of a server and the files of devices by SQL alone, with the commands `psql` and `sqlite3`: no code of Alter's reads them.
///
/// `Design/0003-journal-format.md` and `Design/0010-postgres.md` specify the tables. The laws are those of `docs/sync-simulation.md`.
struct FaultFiles {
  /// A device's file, as it is checked.
  struct Device {
    let file: String
    let log: String
    /// Whether the device has ended, so that it has not heard of later restores.
    var hasEnded = false
    /// Whether its outbox was sent from two copies of the file, so that a draft may come late.
    var isCopied = false
  }

  let server: TestServer
  let database: String
  let folder: String
  /// The entries of the server, and those that restores have removed, as the checks read them.
  var tables: String { folder + "/tables.db" }
  private var removed: String { folder + "/removed.csv" }

  private static let columns = """
    revision, time, hex(origin) AS origin, sequence, hex(scope) AS scope, schema, kind, hex(payload) AS payload, coalesce(hex(cause), '') AS cause,
    hex(checksum) AS checksum, coalesce(CAST(author AS TEXT), '') AS author, coalesce(CAST(arrival AS TEXT), '') AS arrival
    """
  private static let names = "revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum, author, arrival"

  // MARK: The server

  /// The revision of the last entry.
  func head() async throws -> Int64 {
    Int64(try await server.sql("SELECT coalesce(max(revision), 0) FROM sync.entry", database: database)) ?? -1
  }

  /// The whole journal as CSV.
  func export() async throws -> String {
    try await server.sql(
      """
      COPY (SELECT revision, time, upper(replace(origin::text, '-', '')), sequence, upper(encode(scope, 'hex')), schema, kind,
          upper(encode(payload, 'hex')), upper(encode(cause, 'hex')), upper(encode(checksum, 'hex')), author, arrival,
          CASE kind WHEN 'refused' THEN convert_from(payload, 'UTF8')::json ->> 'code' END
        FROM sync.entry ORDER BY revision) TO STDOUT (FORMAT csv)
      """, database: database)
  }

  /// Remembers the entries that a restore has removed.
  ///
  /// - Parameters:
  ///   - before: The journal before the restore.
  ///   - after: The journal after the operator's decision.
  ///   - areDiscarded: Whether the operator has given them up. If not, no device has known them, and each draft is decided again.
  /// - Returns: Their number.
  func remember(_ before: String, without after: String, areDiscarded: Bool) throws -> Int {
    let kept = Set(after.split(separator: "\n"))
    let lost = before.split(separator: "\n").filter { !kept.contains($0) }.map { "\($0),\(areDiscarded ? 1 : 0)\n" }
    let known = (try? String(contentsOfFile: removed, encoding: .utf8)) ?? ""
    try (known + lost.joined()).write(toFile: removed, atomically: true, encoding: .utf8)
    return lost.count
  }

  /// Reads the server's journal for the checks.
  ///
  /// - Returns: The broken laws of the journal alone.
  func load() async throws -> [String] {
    let rows = folder + "/entries.csv"
    try (try await export() + "\n").write(toFile: rows, atomically: true, encoding: .utf8)
    if !FileManager.default.fileExists(atPath: removed) { try Data().write(to: URL(fileURLWithPath: removed)) }
    try? FileManager.default.removeItem(atPath: tables)
    let columns = """
      revision INTEGER, time INTEGER, origin, sequence INTEGER, scope, schema INTEGER, kind, payload, cause, checksum, author, arrival, code
      """
    let text = try Self.run(
      tables, folder + "/load.sql",
      [
        ".bail on", "CREATE TABLE entries (\(columns));", "CREATE TABLE removed (\(columns), discarded INTEGER);", ".mode csv",
        ".import '\(rows)' entries", ".import '\(removed)' removed", ".mode list",
        "CREATE INDEX entries_id ON entries (origin, sequence);", "CREATE INDEX removed_id ON removed (origin, sequence);",
        "SELECT count(*) - count(DISTINCT origin || sequence) + (count(*) <> max(revision)) FROM entries;",
        """
        SELECT count(*) FROM (SELECT sequence, lag(sequence) OVER (PARTITION BY origin ORDER BY revision) AS before FROM entries \
        WHERE code <> 'late') WHERE sequence <= before;
        """,
      ])
    return text == "0\n0" ? [] : ["laws 2, 3, 10: ids that appear twice, gaps, and sequences that do not ascend: \(text)"]
  }

  // MARK: Devices

  /// The head of a device's mirror.
  static func head(of file: String) throws -> Int64 {
    Int64(try Child.run(["/usr/bin/env", "sqlite3", "-readonly", file, ".timeout 60000", "SELECT head FROM journals"])) ?? -1
  }

  /// The file of a device whose outbox has drained, and its log of acknowledged changes, against the server.
  ///
  /// - Returns: The broken laws, as text.
  func problems(of device: Device, tables: String? = nil) throws -> [String] {
    let isDiscarded = "(origin, sequence) IN (SELECT origin, sequence FROM s.removed WHERE discarded)"
    let isRemoved = "(origin, sequence) IN (SELECT origin, sequence FROM s.removed)"
    // A device that has not ended must tell its user of each accepted change that was given up.
    let isTold =
      device.hasEnded
      ? "1"
      : """
      ((origin, sequence) IN (SELECT origin, sequence FROM s.removed WHERE kind = 'refused')
        OR (origin, sequence) IN (SELECT hex(origin), sequence FROM main.refusals WHERE verdict = 'lost'))
      """
    var checks = [
      (
        "1, 2, 4, 7: acknowledged changes without exactly one verdict, which were not given up explicitly",
        """
        SELECT count(*) FROM acked WHERE 1 <> (SELECT count(*) FROM s.entries e WHERE e.origin = acked.origin AND e.sequence = acked.sequence)
          AND NOT (\(isDiscarded) AND \(isTold))
        """
      ),
      (
        "2: told verdicts that are not the server's, and that no restore has removed",
        """
        SELECT count(*) FROM log WHERE word IN ('accepted', 'refused') AND NOT \(isRemoved) AND rest <> 'lost' AND NOT EXISTS (
          SELECT 1 FROM s.entries e WHERE e.origin = log.origin AND e.sequence = log.sequence
            AND CASE word WHEN 'accepted' THEN e.kind <> 'refused' AND e.revision = CAST(rest AS INTEGER) ELSE e.code = rest END)
        """
      ),
      (
        "7: changes that were called lost, and that no operator has given up",
        "SELECT count(*) FROM log WHERE word = 'refused' AND rest = 'lost' AND NOT \(isDiscarded)"
      ),
      (
        "3: changes that the server has decided in another order than that of the outbox",
        """
        SELECT count(*) FROM (SELECT revision, lag(revision) OVER (ORDER BY line) AS before
          FROM acked JOIN s.entries USING (origin, sequence) WHERE code <> 'late') WHERE revision < before
        """
      ),
      (
        "3: changes that were late without a reason",
        """
        SELECT count(*) FROM acked JOIN s.entries USING (origin, sequence)
          WHERE \(device.isCopied ? 0 : 1) AND code = 'late' AND NOT \(isDiscarded)
        """
      ),
    ]
    if !device.hasEnded {
      checks += [
        ("8: drafts in the outbox", "SELECT count(*) FROM main.drafts"),
        (
          "5: entries of the mirror that the server does not have",
          """
          SELECT count(*) FROM (SELECT \(Self.columns) FROM main.entries EXCEPT SELECT \(Self.names) FROM s.entries)
          """
        ),
        (
          "5: entries of the server that the mirror does not have",
          """
          SELECT count(*) FROM (SELECT \(Self.names) FROM s.entries WHERE revision > (SELECT floor FROM main.journals)
            EXCEPT SELECT \(Self.columns) FROM main.entries)
          """
        ),
        (
          "5: gaps in the mirror, or another head",
          """
          SELECT count(*) FROM main.journals WHERE head <> (SELECT max(revision) FROM s.entries)
            OR hex(checksum) <> (SELECT checksum FROM s.entries ORDER BY revision DESC LIMIT 1)
            OR head - floor <> (SELECT count(*) FROM main.entries)
          """
        ),
      ]
    }
    let script =
      [
        ".bail on", ".timeout 60000", "ATTACH '\(tables ?? self.tables)' AS s;",
        "CREATE TEMP TABLE log (word TEXT, origin TEXT, sequence INTEGER, rest TEXT);", ".mode list", ".separator |",
        ".import '\(device.log)' log",
        "CREATE TEMP TABLE acked AS SELECT rowid AS line, origin, sequence FROM log WHERE word = 'durable';",
      ] + checks.map { "\($0.1.split(separator: "\n").joined(separator: " "));" }
    let numbers = try Self.run(device.file, device.log + ".sql", script, isReadOnly: true).split(separator: "\n")
    guard numbers.count == checks.count else { return ["sqlite3 says \(numbers)"] }
    return zip(checks, numbers).compactMap { $1 == "0" ? nil : "law \($0.0): \($1)" }
  }

  /// Changes a copy of a device's file, or of the server's tables, as no process may, and checks it.
  func problems(of device: Device, after damage: String, isOfServer: Bool) throws -> [String] {
    let (original, copy) = (isOfServer ? tables : device.file, folder + "/damaged.db")
    try? FileManager.default.removeItem(atPath: copy)
    try Child.run(["/usr/bin/env", "sqlite3", original, "VACUUM INTO '\(copy)'"])
    try Child.run(["/usr/bin/env", "sqlite3", copy, damage])
    var changed = Device(file: isOfServer ? device.file : copy, log: device.log)
    changed.isCopied = device.isCopied
    return try problems(of: changed, tables: isOfServer ? copy : nil)
  }

  private static func run(_ file: String, _ script: String, _ lines: [String], isReadOnly: Bool = false) throws -> String {
    try lines.joined(separator: "\n").write(toFile: script, atomically: true, encoding: .utf8)
    return try Child.run(["/usr/bin/env", "sqlite3"] + (isReadOnly ? ["-readonly"] : []) + [file, ".read \(script)"])
  }
}
