/// What an acknowledged append survives.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Power loss. Each append waits for the disk: a fraction of a millisecond to some milliseconds. The default.
  case full

  /// The crash of the process, not always of the machine: after a power loss the last moments may be missing. What is left is
  /// still a prefix, with batches whole.
  case relaxed

  /// The level for `PRAGMA synchronous`. In WAL mode FULL syncs the log at each commit, NORMAL only at checkpoints.
  var synchronous: Int { self == .full ? 2 : 1 }
}
