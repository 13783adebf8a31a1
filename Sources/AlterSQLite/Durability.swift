import AlterJournal

extension Durability {
  /// The level for `PRAGMA synchronous`. In WAL mode FULL syncs the log at each commit, NORMAL only at checkpoints.
  var synchronous: Int { self == .full ? 2 : 1 }
}
