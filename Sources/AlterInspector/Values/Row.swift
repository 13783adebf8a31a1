package import AlterJournal

/// An entry of a journal as a row of the timeline.
package struct Row: Codable, Sendable, Hashable {
  /// The recorded cause of an entry.
  package struct Cause: Codable, Sendable, Hashable {
    /// The revision of the entry that this one answers; nil if it answers none, or one that is not found.
    @OrNull package var answers: Int64?
    /// The name of the feedback that made the entry.
    @OrNull package var feedback: String?
    /// The metadata of the cause; nil if there is none.
    @OrNull package var metadata: [String: String]?
    /// The entry or draft without which this one makes no sense: if a server refuses that one, it refuses this one, too.
    @OrNull package var requires: Reference?
    /// The first attempt of the refused change that this entry repeats.
    @OrNull package var retries: Reference?
  }

  /// The server's note on an entry of a synced journal.
  package struct ServerNote: Codable, Sendable, Hashable {
    /// The pseudonym of the user who has sent the draft: 16 hexadecimal digits.
    package var author: String
    /// The time of arrival, in microseconds since 1970 UTC, by the server's clock.
    package var arrival: Int64
    /// The name of the user, which the server's journal alone has; '•••' if any key is hidden, because it is a text without keys.
    @OrNull package var principal: String? = nil

    /// The pseudonym, and the name where it is known.
    var sender: String { principal.map { "'\($0)' (\(author))" } ?? author }
  }

  /// The verdict in an entry of the kind `refused`.
  package struct Refusal: Codable, Sendable, Hashable {
    /// The code of the refusal.
    package var code: String
    /// The hash of the refused draft. Its id is that of the entry.
    package var hash: String
    /// The server's explanation, where the journal has it; '•••' if any key is hidden, because it is a text without keys.
    @OrNull package var reason: String?
  }

  /// The revision.
  package var revision: Int64
  /// The time in microseconds since 1970 UTC, by the clock of the writer.
  package var time: Int64
  /// The id of the origin that made the entry.
  package var origin: String
  /// The number of the entry within its origin.
  package var sequence: Int64
  /// The kind of the entry.
  package var kind: Entry.Kind
  /// The undo scope; 'journal' for the scope that all users share.
  package var scope: String
  /// The content as Swift-like text. A long text is truncated and ends with '…'.
  package var text: String
  /// The number of changes in the entry; 0 for other kinds.
  package var changes: Int
  /// The cause; nil if none is recorded.
  @OrNull package var cause: Cause?
  /// Whether the entry is undone at the journal's head. False while the index does not contain the entries after it; see
  /// ``Overview/indexed``.
  package var undone: Bool
  /// Whether the state refused the entry, so that it has no effect although it is not undone; nil if that is unknown.
  @OrNull package var suppressed: Bool?
  /// The revisions that an undo or a redo undoes.
  package var targets: [Int64]
  /// The server's note; nil for an entry without one.
  @OrNull package var receipt: ServerNote?
  /// The verdict in an entry of the kind `refused`; nil for other kinds.
  @OrNull package var refusal: Refusal?
}

/// A page of the timeline.
package struct Rows: Codable, Sendable, Hashable {
  /// The entries.
  package var entries: [Row]
  /// The revision of the newest entry of the journal.
  package var revision: Int64
  /// The reason why entries of the page are missing; nil if none are.
  @OrNull package var problem: String?
}

/// The result of one step of a search.
package struct Found: Codable, Sendable, Hashable {
  /// The entries, newest first.
  package var entries: [Row]
  /// The position for the next step, for the parameter `before`; nil if the search has reached the beginning.
  @OrNull package var next: Int64?
  /// The number of examined entries.
  package var searched: Int
}

/// All details of one entry.
package struct Detail: Codable, Sendable, Hashable {
  /// The row of the timeline. Its members are encoded in the same object.
  package var row: Row
  /// The payload as JSON.
  package var payload: JSONValue
  /// The metadata of the cause.
  package var causeMetadata: [String: String]
  /// The checksum, which covers the entry and all before it.
  package var checksum: String
  /// The approximate size in the storage, in bytes.
  package var size: Int64
  /// The version of the state's schema at the time of writing.
  package var schema: Int
  /// The revisions of the entries that answer it.
  package var answers: [Int64]
  /// The revisions of the entries that it undoes.
  package var takesBack: [Int64]
  /// The revision of the entry that undoes it; nil if it is in force.
  @OrNull package var takenBackBy: Int64?
  /// Whether the state refused the entry; nil if that is unknown.
  @OrNull package var isSuppressed: Bool?
  /// The line of an export.
  package var raw: String

  private enum CodingKeys: String, CodingKey {
    case payload, causeMetadata, checksum, size, schema, answers, takesBack, takenBackBy, isSuppressed, raw
  }

  /// Creates the details of an entry.
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

  /// Decodes the result of ``encode(to:)``.
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

  /// Encodes the members of the row and the others as one object.
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
