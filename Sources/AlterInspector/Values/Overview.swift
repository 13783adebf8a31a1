/// What is known of a journal as a whole.
public struct Overview: Codable, Sendable, Hashable {
  /// What one replica has written.
  public struct Maker: Codable, Sendable, Hashable {
    /// The replica: its whole id.
    public var origin: String
    /// How many entries it wrote, of those ``Overview/indexed``.
    public var count: Int
    /// Its last entry.
    public var last: Int64
  }

  /// What errors call it: a path, a key, a URL without its password.
  public var name: String
  /// The journal's id.
  public var journal: String
  /// Where it ends.
  public var revision: Int64
  /// Covers everything up to there.
  public var checksum: String
  /// The schema of its last entry; nil when it is empty.
  @OrNull public var schema: Int?
  /// The type of the state; nil when the journal is read without it.
  @OrNull public var types: String?
  /// Whether a store of this process is shown.
  public var isLive: Bool
  /// The keys whose values are hidden.
  public var hidden: [String]
  /// The conditions that can be bisected by.
  public var conditions: [String]
  /// The time of the first entry: microseconds since 1970 UTC.
  @OrNull public var firstTime: Int64?
  /// The time of the last entry.
  @OrNull public var lastTime: Int64?
  /// How many entries have been read into the index, newest first. What is counted here counts those; it is all when it equals `revision`.
  public var indexed: Int64
  /// Who wrote it, most entries first.
  public var origins: [Maker]
  /// How many entries there are, by kind.
  public var kinds: [String: Int]
  /// Whose undos there are.
  public var scopes: [String]
  /// How many entries are taken back.
  public var takenBack: Int
  /// What keeps the journal from being read whole; nil when nothing does.
  @OrNull public var problem: String?
}

/// What takes how much of a journal.
public struct Stats: Codable, Sendable, Hashable {
  /// A count and bytes.
  public struct Share: Codable, Sendable, Hashable {
    /// What it is a share of: a kind, an origin, a feedback, a day (UTC, as in 2026-12-01).
    public var name: String
    /// How many entries.
    public var count: Int
    /// About how many bytes they take.
    public var bytes: Int64
  }

  /// The sizes of payloads, in bytes.
  public struct Sizes: Codable, Sendable, Hashable {
    /// Half of the payloads are no larger.
    public var median: Int
    /// The largest.
    public var largest: Int
    /// The entry that has it.
    @OrNull public var revision: Int64?
  }

  /// A kept snapshot.
  public struct Kept: Codable, Sendable, Hashable {
    /// Up to where its undos count.
    public var revision: Int64
    /// The last entry that is folded in.
    public var base: Int64
    /// The schema that it is written in.
    public var schema: Int
    /// The bytes of its payload.
    public var bytes: Int
  }

  /// Where the journal ends.
  public var revision: Int64
  /// How many entries are counted here.
  public var indexed: Int64
  /// About how many bytes those take.
  public var bytes: Int64
  /// By kind.
  public var kinds: [Share]
  /// By who made them, most first.
  public var origins: [Share]
  /// By the feedback that answered.
  public var feedbacks: [Share]
  /// By day, oldest first.
  public var days: [Share]
  /// The sizes of payloads.
  public var payloads: Sizes
  /// The snapshots that are kept, newest first.
  public var snapshots: [Kept]
}

/// What a check of the whole journal has found.
public struct Verification: Codable, Sendable, Hashable {
  /// Whether everything is as it was written.
  public var isSound: Bool
  /// How many entries there are.
  public var revision: Int64
  /// How long it took.
  public var seconds: Double
  /// What is wrong, and what to do; nil when nothing is.
  @OrNull public var problem: String?
  /// Where it is wrong.
  @OrNull public var at: Int64?
}

/// Where a condition turned.
public struct Turning: Codable, Sendable, Hashable {
  /// The entry with which it turned; nil when it is the same at both ends.
  @OrNull public var revision: Int64?
  /// What it was before.
  public var was: Bool
  /// What it is from there on.
  public var `is`: Bool
}
