#if SQLite
  /// The names that a format gives to the tables of a file.
  ///
  /// Format 2 renames every table of format 1. A handle that was opened before the conversion then fails in its next statement, instead of
  /// continuing under the rules of format 1, and learns of the conversion (`FileFormat.explained`).
  struct FileTables: Sendable, Hashable {
    /// The version of the format: the value of `PRAGMA user_version`.
    let format: Int64
    let journal: String
    let entry: String
    let lease: String
    let snapshot: String

    /// Whether entries have receipts, and journals have a part in sync.
    var isSynced: Bool { format >= 2 }

    /// The SQL of a journal's floor, in a statement about the table of journals.
    var floor: String { isSynced ? "floor" : "0" }

    /// The SQL of the condition that a row of the table of entries, named by nothing else than its columns, lies above the floor of the journal in
    /// the surrounding statement. Rows below it are about to be removed.
    var isAboveFloor: String { isSynced ? "revision > CASE floor WHEN 0 THEN -9223372036854775807 ELSE floor END" : "1" }

    /// The SQL of the id of the server's journal, for a device's copy, in a statement about the table of journals.
    var source: String { isSynced ? "source" : "NULL" }

    private static let one = FileTables(format: 1, journal: "journal", entry: "entry", lease: "lease", snapshot: "snapshot")
    private static let two = FileTables(format: 2, journal: "journals", entry: "entries", lease: "leases", snapshot: "snapshots")

    /// The formats that this version reads and writes. New files have the first one.
    static let known = [one, two]

    /// Returns the tables of a format; nil if this version does not know it.
    static func of(format: Int64) -> FileTables? { known.first { $0.format == format } }

    /// The tables of a new file. A file is converted when the first of its journals is synced, so that a file that is not synced stays readable
    /// for older versions.
    static let new = one
    /// The tables of a file with a synced journal.
    static let synced = two
  }
#endif
