import AlterCore

/// A journal that may be a device's copy of a server's journal, and then holds the device's side of sync beside the entries: the outbox, the
/// refusals, and verdicts without entries.
///
/// The calls are for inspection alone: they report damaged rows instead of failing at them, and no rule of sync depends on them.
package protocol DeviceJournal: Journal {
  /// Returns the device's side of sync; nil for any other journal.
  ///
  /// - Throws: ``JournalError`` if it cannot be read; `damaged` if the row of the device or a row of verdicts is invalid.
  /// - Complexity: O(drafts).
  func device() async throws(JournalError) -> DeviceReport?

  /// Returns the numbers that change with a device's file; nil for any other journal.
  ///
  /// - Throws: ``JournalError`` if they cannot be read.
  /// - Complexity: O(1).
  func deviceMoment() async throws(JournalError) -> DeviceMoment?

  /// Reads a page of the drafts in a list, in order.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - place: The place after which the page begins; nil for the first page.
  ///   - limit: The maximum number of drafts.
  /// - Returns: The drafts; none for a journal that is no device's copy.
  /// - Throws: ``JournalError`` if they cannot be read. A damaged draft is no error: see ``ListedDraft/problem``.
  /// - Complexity: O(returned drafts).
  func drafts(in list: DeviceList, after place: Int64?, limit: Int) async throws(JournalError) -> [ListedDraft]

  /// Reads the verdicts with which own drafts have left the outbox without an entry in the file, as ranges.
  ///
  /// - Parameters:
  ///   - offset: The number of ranges to skip.
  ///   - limit: The maximum number of ranges.
  /// - Throws: ``JournalError`` if they cannot be read.
  /// - Complexity: O(skipped and returned ranges).
  func verdicts(skipping offset: Int, limit: Int) async throws(JournalError) -> [VerdictRange]

  /// Returns the verdict on an own draft that has left the outbox, and whose entry is not above the floor of the file; nil if there is none. The
  /// draft may never have had an entry in the file.
  ///
  /// - Throws: ``JournalError`` if it cannot be read.
  /// - Complexity: O(log(ranges)).
  func verdict(on id: EntryID) async throws(JournalError) -> (verdict: String, revision: Revision?)?

  /// Returns the origins whose drafts were made with this file; none for any other journal.
  ///
  /// - Throws: ``JournalError`` if they cannot be read.
  /// - Complexity: O(origins).
  func origins() async throws(JournalError) -> Set<Origin>

  /// Returns as soon as a device's file has had more transactions, of any process.
  ///
  /// - Parameter number: The number of the last known transaction.
  /// - Throws: ``JournalError``; `failed` if the journal is no device's copy.
  func waitForTransaction(after number: Int64) async throws(JournalError)

  /// Returns the generation of the server's journal, and those before it; nil for any other journal, and before the first contact.
  func lineage() async throws(JournalError) -> Lineage?
}

/// The lists of drafts in a device's file.
package enum DeviceList: String, Sendable, Hashable, CaseIterable {
  /// The drafts without a verdict in the mirror, in the order in which they are sent.
  case outbox
  /// The refused drafts, until their user retries or dismisses them.
  case refusals
  /// The accepted drafts whose entries must arrive again after a restart of the server's journal.
  case awaited
}

/// A moment of a device's file.
package struct DeviceMoment: Sendable, Hashable {
  /// The number of transactions of the file. It increases with each change of the outbox, of the lists and of the mirror.
  package let transactions: Int64
  /// The number of times that the mirror has begun again: at the first contact, at a floor, or after a restart.
  package let starts: Int64

  /// Creates a moment.
  package init(transactions: Int64, starts: Int64) {
    self.transactions = transactions
    self.starts = starts
  }
}

/// The device's side of sync, as numbers.
package struct DeviceReport: Sendable, Hashable {
  /// The name of the user to whom the file belongs.
  package var principal: String
  /// The generation of the server's journal; nil before the first contact.
  package var generation: Generation?
  /// The number of generations that have ended.
  package var former: Int
  /// The moment of the file.
  package var moment: DeviceMoment
  /// The number of drafts in each list.
  package var counts: [DeviceList: Int]
  /// The number of drafts in the outbox on which the server has told its verdict, and whose entries have not arrived.
  package var decided: Int
  /// The number of origins of this file.
  package var origins: Int
  /// The number of ranges of verdicts without entries.
  package var verdicts: Int

  /// Creates a report.
  package init(
    principal: String, generation: Generation?, former: Int, moment: DeviceMoment, counts: [DeviceList: Int], decided: Int, origins: Int,
    verdicts: Int
  ) {
    self.principal = principal
    self.generation = generation
    self.former = former
    self.moment = moment
    self.counts = counts
    self.decided = decided
    self.origins = origins
    self.verdicts = verdicts
  }
}

/// A draft in a list of a device's file.
package struct ListedDraft: Sendable, Hashable {
  /// The place in the file. Places ascend within a list, with gaps.
  package let place: Int64
  /// The draft, byte for byte; nil if its row cannot be read.
  package let draft: Entry.Draft?
  /// 'accepted' or the code of a refusal, if the server has told its verdict; the generation of the verdict in ``DeviceList/awaited``.
  package let verdict: String?
  /// The revision of the verdict's entry.
  package let revision: Revision?
  /// The server's explanation of a refusal.
  package let reason: String?
  /// The damage of the row, in words; nil for a sound one.
  package let problem: String?

  /// Creates a draft of a list.
  package init(
    place: Int64, draft: Entry.Draft?, verdict: String? = nil, revision: Revision? = nil, reason: String? = nil, problem: String? = nil
  ) {
    self.place = place
    self.draft = draft
    self.verdict = verdict
    self.revision = revision
    self.reason = reason
    self.problem = problem
  }
}

/// Equal verdicts on consecutive drafts of one origin.
package struct VerdictRange: Sendable, Hashable {
  /// The origin of the drafts.
  package let origin: Origin
  /// The sequences of the drafts.
  package let sequences: ClosedRange<Int64>
  /// 'accepted' or the code of the refusal.
  package let verdict: String
  /// The revision of the first draft's entry; those of the others follow it. Nil for a verdict without an entry.
  package let revision: Revision?

  /// Creates a range.
  package init(origin: Origin, sequences: ClosedRange<Int64>, verdict: String, revision: Revision?) {
    self.origin = origin
    self.sequences = sequences
    self.verdict = verdict
    self.revision = revision
  }
}
