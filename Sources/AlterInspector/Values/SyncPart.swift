package import AlterJournal

/// The part that a journal has in sync.
package struct SyncPart: Codable, Sendable, Hashable {
  /// The device's side: the contents of its file beside the mirror.
  package struct Device: Codable, Sendable, Hashable {
    /// The name of the user to whom the file belongs.
    package var principal: String
    /// The number of drafts in the outbox.
    package var drafts: Int
    /// The number of those drafts on which the server has told its verdict, and whose entries have not arrived.
    package var decided: Int
    /// The number of refused drafts that the user has neither retried nor dismissed.
    package var refusals: Int
    /// The number of accepted drafts whose entries must arrive again after a restart of the server's journal.
    package var awaited: Int
    /// The number of ranges of verdicts on drafts that have no entry in the file.
    package var verdicts: Int
    /// The number of origins of the file.
    package var origins: Int
    /// The number of transactions of the file. It increases with each change of the outbox, of the lists and of the mirror.
    package var transactions: Int64
  }

  /// The role: a server decides the journal, or it is a device's copy.
  package var role: JournalRole
  /// The generation of the server's journal, in hexadecimal digits; nil before the first contact of a device.
  @OrNull package var generation: String?
  /// The number of generations that have ended.
  package var former: Int
  /// The newest schema of drafts that the server decides; nil on a device.
  @OrNull package var accepts: Int?
  /// The device's side; nil on a server.
  @OrNull package var device: Device?
  /// The problem with reading the part in sync; nil if there is none.
  @OrNull package var problem: String?
}

/// The name of an entry or a draft: it has one before it has a revision.
package struct Reference: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The id of the origin that made it.
  package var origin: String
  /// Its number at that origin.
  package var sequence: Int64
  /// Its revision; nil if the journal does not have it.
  @OrNull package var revision: Int64?

  /// The revision, or the beginning of the origin and the number, as in '1f0c9a3e#7'.
  package var description: String { revision.map(String.init) ?? "\(origin.prefix(8))#\(sequence)" }
}

/// A draft in a list of a device's file.
package struct DraftLine: Codable, Sendable, Hashable {
  /// The place in the file. Places ascend within a list, with gaps.
  package var place: Int64
  /// The id of the origin that made the draft; empty if the row is damaged.
  package var origin: String
  /// The number of the draft at its origin.
  package var sequence: Int64
  /// The time in microseconds since 1970 UTC, by the device's clock.
  package var time: Int64
  /// The kind.
  package var kind: Entry.Kind
  /// The undo scope; 'journal' for the scope that all users share.
  package var scope: String
  /// The version of the state's schema.
  package var schema: Int
  /// The change as Swift-like text, as a row of the timeline has it.
  package var text: String
  /// The number of changes; 0 for other kinds.
  package var changes: Int
  /// The cause; nil if none is recorded.
  @OrNull package var cause: Row.Cause?
  /// The payload as JSON.
  package var payload: JSONValue
  /// The hash of the draft, as its row has to have it.
  package var hash: String
  /// 'accepted' or the code of a refusal, if the server has told its verdict; the generation of the verdict in the list of awaited drafts.
  @OrNull package var verdict: String?
  /// The revision of the verdict's entry.
  @OrNull package var revision: Int64?
  /// The server's explanation of a refusal; '•••' if any key is hidden, because it is a text without keys.
  @OrNull package var reason: String?
  /// The damage of the row, in words; nil for a sound one.
  @OrNull package var problem: String?
}

/// A page of the drafts in a list of a device's file.
package struct Drafts: Codable, Sendable, Hashable {
  /// The drafts, in order.
  package var drafts: [DraftLine]
  /// The place for the next page, for the parameter `after`; nil at the end of the list.
  @OrNull package var next: Int64?
  /// The number of drafts in the list.
  package var count: Int
}

/// Equal verdicts on consecutive drafts of one origin.
package struct VerdictLine: Codable, Sendable, Hashable {
  /// The id of the origin.
  package var origin: String
  /// The first sequence.
  package var first: Int64
  /// The last sequence.
  package var last: Int64
  /// 'accepted' or the code of the refusal.
  package var verdict: String
  /// The revision of the first draft's entry; those of the others follow it. Nil for a verdict without an entry.
  @OrNull package var revision: Int64?
}

/// A page of the verdicts on drafts that have no entry in a device's file.
package struct Verdicts: Codable, Sendable, Hashable {
  /// The ranges, by origin and sequence.
  package var verdicts: [VerdictLine]
  /// The number of ranges.
  package var count: Int
}
