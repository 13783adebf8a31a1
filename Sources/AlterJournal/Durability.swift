/// The failures that an acknowledged append survives.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Survives a power loss. Each append waits for the disk, from a fraction of a millisecond to some milliseconds. The default.
  case full

  /// Survives a crash of the process, but not always of the machine that stores the journal: after a power loss the latest appends may be
  /// missing. The entries that remain are a prefix of the journal, and each batch is complete.
  case relaxed
}
