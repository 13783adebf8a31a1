/// What an acknowledged append survives.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Power loss. Each append waits for the disk: a fraction of a millisecond to some milliseconds. The default.
  case full

  /// The crash of the process, not always of the machine that stores the journal: after a power loss the last moments may be missing. What is
  /// left is still a prefix, with batches whole.
  case relaxed
}
