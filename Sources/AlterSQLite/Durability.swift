import AlterJournal

extension Durability {
  /// The level for `PRAGMA synchronous`. In WAL mode FULL syncs the log at each commit, NORMAL only at checkpoints.
  var synchronous: Int { self == .full ? 2 : 1 }

  /// What to set beside `synchronous`, each to 1. On Apple platforms SQLite then syncs commits and checkpoints by `F_FULLFSYNC`; elsewhere the settings
  /// are kept and do nothing (https://sqlite.org/pragma.html#pragma_fullfsync). Under `.relaxed` they stay as SQLite was built.
  var syncSettings: [String] { self == .full ? ["fullfsync", "checkpoint_fullfsync"] : [] }
}
