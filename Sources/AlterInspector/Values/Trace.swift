package import AlterJournal

/// The place of one change in one journal, between the device that made it and all others.
package struct Trace: Codable, Sendable, Hashable {
  /// The places of a change.
  package enum Place: String, Codable, Sendable, Hashable {
    /// In the outbox of the device that made it: its server has not decided it, or the device has not received the entry.
    case outbox
    /// In the list of refusals of the device that made it.
    case refusals
    /// In the list of awaited drafts: accepted before the server's journal was restored, and not seen again.
    case awaited
    /// The device that made it has the verdict and no entry, because its copy begins after it.
    case verdict
    /// An entry of the journal.
    case entry
    /// The server has refused it: the journal has an entry with its id and the code.
    case refusal
    /// The journal does not have it.
    case absent
  }

  /// The name of the journal.
  package var journal: String
  /// The permanent id of the journal, which a device's copy shares with the server's journal.
  package var id: String
  /// The role of the journal.
  package var role: JournalRole
  /// The user to whom a device's file belongs; nil for any other journal.
  @OrNull package var user: String? = nil
  /// Whether the change was made with this device's file.
  package var isMaker: Bool
  /// The place of the change.
  package var place: Place
  /// The number of the draft in the outbox, from 1; nil elsewhere.
  @OrNull package var number: Int? = nil
  /// The revision of the change's entry, or of the verdict's; nil if it is unknown.
  @OrNull package var revision: Int64? = nil
  /// 'accepted' or the code of a refusal; nil before the verdict is known, and for an entry of a journal without a server.
  @OrNull package var verdict: String? = nil
  /// The server's explanation of a refusal, where the journal has it.
  @OrNull package var reason: String? = nil
  /// The time of the change in microseconds since 1970 UTC, by the clock of its maker; nil for a refusal, which has no change.
  @OrNull package var time: Int64? = nil
  /// The server's note: the sender and the time of arrival; nil before the entry is known.
  @OrNull package var receipt: Row.ServerNote? = nil
  /// The change as Swift-like text; nil where the journal has only the verdict.
  @OrNull package var text: String? = nil
  /// The revision of the entry that undoes it; nil if none does.
  @OrNull package var undoneBy: Int64? = nil
  /// The drafts in this device's lists that repeat it after its refusal.
  package var retries: [Reference]
  /// The last revision of the journal.
  package var head: Int64
  /// The last revision that the journal does not have; 0 for a whole journal.
  package var floor: Int64
  /// The problem with reading the journal's part in sync; nil if there is none.
  @OrNull package var problem: String? = nil
}
