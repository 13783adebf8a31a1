import AlterJournal

extension Durability {
  /// The value for `PRAGMA synchronous`. In WAL mode FULL (2) syncs the log at each commit, and NORMAL (1) only at checkpoints.
  var synchronous: Int { self == .full ? 2 : 1 }

  /// The pragmas to set to 1 in addition to `synchronous`. On Apple platforms SQLite then syncs commits and checkpoints by `F_FULLFSYNC`;
  /// elsewhere they have no effect (https://sqlite.org/pragma.html#pragma_fullfsync). Under `.relaxed` they keep the defaults of the build.
  var syncSettings: [String] { self == .full ? ["fullfsync", "checkpoint_fullfsync"] : [] }
}
