package import AlterJournal

/// An entry of a journal as a line of the timeline.
package struct Row: Codable, Sendable, Hashable {
  /// Why an entry was made, as far as it says.
  package struct Cause: Codable, Sendable, Hashable {
    /// The revision of the entry that this one answers; nil when it answers none, or one that isn't found.
    @OrNull package var answers: Int64?
    /// The feedback that answered.
    @OrNull package var feedback: String?
    /// What else is known.
    @OrNull package var metadata: [String: String]?
  }

  /// Its place in the journal.
  package var revision: Int64
  /// When it was made: microseconds since 1970 UTC, by the maker's clock.
  package var time: Int64
  /// The replica that made it: its whole id.
  package var origin: String
  /// Its number there.
  package var sequence: Int64
  /// What it records.
  package var kind: Entry.Kind
  /// Whose undo takes it back: "journal" for everybody's.
  package var scope: String
  /// What it records, as Swift-like text; cut short with "…" when it is long.
  package var text: String
  /// How many changes it holds.
  package var changes: Int
  /// Why it was made.
  @OrNull package var cause: Cause?
  /// Whether it is taken back at the journal's end. False, too, as long as what follows it has not been looked at: see ``Overview/indexed``.
  package var undone: Bool
  /// Whether it is in force, and yet no part of the state, because the state refused it; nil when that is not known.
  @OrNull package var suppressed: Bool?
  /// The revisions that an undo or a redo takes back.
  package var targets: [Int64]
}

/// A page of the timeline.
package struct Rows: Codable, Sendable, Hashable {
  /// The entries.
  package var entries: [Row]
  /// Where the journal ends.
  package var revision: Int64
  /// What is wrong with entries that are missing here; nil when none is.
  @OrNull package var problem: String?
}

/// What a search has found so far.
package struct Found: Codable, Sendable, Hashable {
  /// The entries, newest first.
  package var entries: [Row]
  /// Where to go on: what to ask for as `before`; nil when the beginning was reached.
  @OrNull package var next: Int64?
  /// How many entries were looked at.
  package var searched: Int
}

/// Everything that is known of one entry.
package struct Detail: Codable, Sendable, Hashable {
  /// The line of the timeline. Its members are written beside the others.
  package var row: Row
  /// What it records, as JSON.
  package var payload: JSONValue
  /// What its cause says beside the entry and the feedback.
  package var causeMetadata: [String: String]
  /// Covers it and everything before.
  package var checksum: String
  /// About how many bytes it takes where it is stored.
  package var size: Int64
  /// The version of the state's schema that it was written in.
  package var schema: Int
  /// The entries that answer it.
  package var answers: [Int64]
  /// The entries that it takes back.
  package var takesBack: [Int64]
  /// The entry that takes it back; nil when it is in force.
  @OrNull package var takenBackBy: Int64?
  /// Whether the state refused it; nil when that is not known.
  @OrNull package var isSuppressed: Bool?
  /// The line of an export.
  package var raw: String

  private enum CodingKeys: String, CodingKey {
    case payload, causeMetadata, checksum, size, schema, answers, takesBack, takenBackBy, isSuppressed, raw
  }

  /// Details of an entry.
  init(
    row: Row, payload: JSONValue, causeMetadata: [String: String], checksum: String, size: Int64, schema: Int, answers: [Int64],
    takesBack: [Int64], takenBackBy: Int64?, isSuppressed: Bool?, raw: String
  ) {
    self.row = row
    self.payload = payload
    self.causeMetadata = causeMetadata
    self.checksum = checksum
    self.size = size
    self.schema = schema
    self.answers = answers
    self.takesBack = takesBack
    self.takenBackBy = takenBackBy
    self.isSuppressed = isSuppressed
    self.raw = raw
  }

  /// Reads what ``encode(to:)`` writes.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    row = try Row(from: decoder)
    payload = try container.decode(JSONValue.self, forKey: .payload)
    causeMetadata = try container.decode([String: String].self, forKey: .causeMetadata)
    checksum = try container.decode(String.self, forKey: .checksum)
    size = try container.decode(Int64.self, forKey: .size)
    schema = try container.decode(Int.self, forKey: .schema)
    answers = try container.decode([Int64].self, forKey: .answers)
    takesBack = try container.decode([Int64].self, forKey: .takesBack)
    _takenBackBy = try container.decode(OrNull<Int64>.self, forKey: .takenBackBy)
    _isSuppressed = try container.decode(OrNull<Bool>.self, forKey: .isSuppressed)
    raw = try container.decode(String.self, forKey: .raw)
  }

  /// Writes the row's members and its own as one object.
  package func encode(to encoder: any Encoder) throws {
    try row.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(payload, forKey: .payload)
    try container.encode(causeMetadata, forKey: .causeMetadata)
    try container.encode(checksum, forKey: .checksum)
    try container.encode(size, forKey: .size)
    try container.encode(schema, forKey: .schema)
    try container.encode(answers, forKey: .answers)
    try container.encode(takesBack, forKey: .takesBack)
    try container.encode(_takenBackBy, forKey: .takenBackBy)
    try container.encode(_isSuppressed, forKey: .isSuppressed)
    try container.encode(raw, forKey: .raw)
  }
}
