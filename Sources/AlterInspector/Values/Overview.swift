/// What is known of a journal as a whole.
package struct Overview: Codable, Sendable, Hashable {
  /// What one replica has written.
  package struct Maker: Codable, Sendable, Hashable {
    /// The replica: its whole id.
    package var origin: String
    /// How many entries it wrote, of those ``Overview/indexed``.
    package var count: Int
    /// Its last entry.
    package var last: Int64
  }

  /// What errors call it: a path, a key, a URL without its password.
  package var name: String
  /// The journal's id.
  package var journal: String
  /// Where it ends.
  package var revision: Int64
  /// Covers everything up to there.
  package var checksum: String
  /// The schema of its last entry; nil when it is empty.
  @OrNull package var schema: Int?
  /// The type of the state; nil when the journal is read without it.
  @OrNull package var types: String?
  /// Whether a store of this process is shown.
  package var isLive: Bool
  /// The keys whose values are hidden.
  package var hidden: [String]
  /// The conditions that can be bisected by.
  package var conditions: [String]
  /// The time of the first entry: microseconds since 1970 UTC.
  @OrNull package var firstTime: Int64?
  /// The time of the last entry.
  @OrNull package var lastTime: Int64?
  /// How many entries have been read into the index, newest first. What is counted here counts those; it is all when it equals `revision`.
  package var indexed: Int64
  /// Who wrote it, most entries first.
  package var origins: [Maker]
  /// How many entries there are, by kind.
  package var kinds: [String: Int]
  /// Whose undos there are.
  package var scopes: [String]
  /// How many entries are taken back.
  package var takenBack: Int
  /// What keeps the journal from being read whole; nil when nothing does.
  @OrNull package var problem: String?
}

/// What takes how much of a journal.
package struct Stats: Codable, Sendable, Hashable {
  /// A count and bytes.
  package struct Share: Codable, Sendable, Hashable {
    /// What it is a share of: a kind, an origin, a feedback, a day (UTC, as in 2026-12-01).
    package var name: String
    /// How many entries.
    package var count: Int
    /// About how many bytes they take.
    package var bytes: Int64
  }

  /// The sizes of payloads, in bytes.
  package struct Sizes: Codable, Sendable, Hashable {
    /// Half of the payloads are no larger.
    package var median: Int
    /// The largest.
    package var largest: Int
    /// The entry that has it.
    @OrNull package var revision: Int64?
  }

  /// A kept snapshot.
  package struct Kept: Codable, Sendable, Hashable {
    /// Up to where its undos count.
    package var revision: Int64
    /// The last entry that is folded in.
    package var base: Int64
    /// The schema that it is written in.
    package var schema: Int
    /// The bytes of its payload.
    package var bytes: Int
  }

  /// Where the journal ends.
  package var revision: Int64
  /// How many entries are counted here.
  package var indexed: Int64
  /// About how many bytes those take.
  package var bytes: Int64
  /// By kind.
  package var kinds: [Share]
  /// By who made them, most first.
  package var origins: [Share]
  /// By the feedback that answered.
  package var feedbacks: [Share]
  /// By day, oldest first.
  package var days: [Share]
  /// The sizes of payloads.
  package var payloads: Sizes
  /// The snapshots that are kept, newest first.
  package var snapshots: [Kept]
}

/// What a check of the whole journal has found.
package struct Verification: Codable, Sendable, Hashable {
  /// Whether everything is as it was written.
  package var isSound: Bool
  /// How many entries there are.
  package var revision: Int64
  /// How long it took.
  package var seconds: Double
  /// What is wrong, and what to do; nil when nothing is.
  @OrNull package var problem: String?
  /// Where it is wrong.
  @OrNull package var at: Int64?
}

/// Where a condition turned.
package struct Turning: Codable, Sendable, Hashable {
  /// The entry with which it turned; nil when it is the same at both ends.
  @OrNull package var revision: Int64?
  /// What it was before.
  package var was: Bool
  /// What it is from there on.
  package var `is`: Bool
}
