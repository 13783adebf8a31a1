/// The properties of a journal as a whole.
package struct Overview: Codable, Sendable, Hashable {
  /// The entries of one origin.
  package struct Maker: Codable, Sendable, Hashable {
    /// The id of the origin.
    package var origin: String
    /// The number of its entries among the first ``Overview/indexed``.
    package var count: Int
    /// The revision of its newest entry among them.
    package var last: Int64
  }

  /// The name in error messages: a path, a key, or a URL without its password.
  package var name: String
  /// The journal's id.
  package var journal: String
  /// The revision of the newest entry; 0 for an empty journal.
  package var revision: Int64
  /// The last revision that the journal does not have: a compacted journal begins after it, and a device's copy may. 0 for a whole journal.
  package var floor: Int64
  /// The part that the journal has in sync; nil if it has none.
  @OrNull package var sync: SyncPart?
  /// The checksum of the head, which covers all entries.
  package var checksum: String
  /// The schema version of the newest entry; nil for an empty journal.
  @OrNull package var schema: Int?
  /// The name of the state's type; nil if the journal is inspected without it.
  @OrNull package var types: String?
  /// Whether a store of this process is inspected.
  package var isLive: Bool
  /// The keys whose values are hidden.
  package var hidden: [String]
  /// The names of the conditions for bisecting.
  package var conditions: [String]
  /// The time of the first entry after the floor, in microseconds since 1970 UTC; nil if there is none.
  @OrNull package var firstTime: Int64?
  /// The time of the newest entry, in microseconds since 1970 UTC; nil if there is none.
  @OrNull package var lastTime: Int64?
  /// The number of entries in the index, newest first. All counts here cover only these entries. The index is complete if the number equals
  /// `revision` - `floor`.
  package var indexed: Int64
  /// The origins that have written entries, most entries first.
  package var origins: [Maker]
  /// The number of entries of each kind.
  package var kinds: [String: Int]
  /// The undo scopes of the entries.
  package var scopes: [String]
  /// The number of undone entries.
  package var takenBack: Int
  /// The first problem that prevents reading an entry; nil if there is none.
  @OrNull package var problem: String?
}

/// The sizes of the parts of a journal.
package struct Stats: Codable, Sendable, Hashable {
  /// A number of entries and their size.
  package struct Share: Codable, Sendable, Hashable {
    /// The common property of the entries: a kind, an origin, a feedback, or a day in UTC, like '2026-12-01'.
    package var name: String
    /// The number of entries.
    package var count: Int
    /// Their approximate size in bytes.
    package var bytes: Int64
  }

  /// The sizes of payloads, in bytes.
  package struct Sizes: Codable, Sendable, Hashable {
    /// The median size.
    package var median: Int
    /// The largest size.
    package var largest: Int
    /// The revision of the entry with the largest payload; nil if there is no entry.
    @OrNull package var revision: Int64?
  }

  /// A snapshot in the journal.
  package struct Kept: Codable, Sendable, Hashable {
    /// The revision up to which its undos count.
    package var revision: Int64
    /// The last entry that it includes.
    package var base: Int64
    /// The schema version of its payload.
    package var schema: Int
    /// The size of its payload, in bytes.
    package var bytes: Int
  }

  /// The revision of the newest entry.
  package var revision: Int64
  /// The number of counted entries.
  package var indexed: Int64
  /// The approximate size of the counted entries, in bytes.
  package var bytes: Int64
  /// The entries by kind.
  package var kinds: [Share]
  /// The entries by origin, most entries first.
  package var origins: [Share]
  /// The answers by feedback, sorted by name.
  package var feedbacks: [Share]
  /// The entries by day, oldest first.
  package var days: [Share]
  /// The sizes of payloads.
  package var payloads: Sizes
  /// The snapshots, newest first.
  package var snapshots: [Kept]
  /// The last revision that the journal does not have; 0 for a whole journal. The state there is the last one of ``snapshots``.
  package var floor: Int64
  /// The part that the journal has in sync; nil if it has none.
  @OrNull package var sync: SyncPart?
}

/// The result of verifying a journal.
package struct Verification: Codable, Sendable, Hashable {
  /// Whether the journal is undamaged.
  package var isSound: Bool
  /// The revision of the newest entry.
  package var revision: Int64
  /// The last revision that the journal does not have; 0 for a whole journal. The entries after it were verified.
  package var floor: Int64
  /// The part that the journal has in sync, which was verified, too; nil if it has none.
  @OrNull package var sync: SyncPart?
  /// The duration of the verification, in seconds.
  package var seconds: Double
  /// The problem and the remedy; nil if there is none.
  @OrNull package var problem: String?
  /// The revision of the problem; nil if it concerns no single entry.
  @OrNull package var at: Int64?
  /// The parts of an undamaged journal that can't be read, at most 1,000: the first ones.
  package var findings: [Finding] = []

  /// A part of the journal that can't be read, although its checksum matches.
  package struct Finding: Codable, Sendable, Hashable {
    /// The kind of the part.
    package enum Part: String, Codable, Sendable { case entry, floor, snapshot }
    /// The kind of the part.
    package var part: Part
    /// The revision of the entry, of the floor or of the snapshot's head.
    package var at: Int64
    /// The problem and the remedy.
    package var problem: String
  }
}

/// The result of bisecting.
package struct Turning: Codable, Sendable, Hashable {
  /// The revision at which the condition changes; nil if it is the same at both ends of the range.
  @OrNull package var revision: Int64?
  /// The condition's value at the start of the range.
  package var was: Bool
  /// The condition's value from the revision on.
  package var `is`: Bool
}
