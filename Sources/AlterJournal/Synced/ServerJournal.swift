import AlterCore

/// A journal whose entries a server decides: the part of a journal that several server processes share.
///
/// A process reads the position, decides drafts on its own copy of the state there, and appends the outcomes at that position. If another
/// process was faster, the append throws `conflict`, and the process reads the news and decides again. All that a decision depends on changes
/// only together with the position, so an append that succeeds was decided on the truth.
package protocol ServerJournal: Journal {
  /// Makes the server the only writer of this journal, or begins another generation of a journal that it writes already. Existing entries
  /// stay as they are, without receipts.
  ///
  /// - Parameters:
  ///   - lineage: The new generation, and those before it.
  ///   - schema: The newest schema of drafts that is decided.
  ///   - present: The generation that the caller knows as the present one; nil if no server writes the journal yet.
  /// - Throws: ``JournalError``; `conflict` if the journal has another generation: another process has been faster, and nothing was changed.
  ///   `readOnly` for a mirror.
  func serve(_ lineage: Lineage, schema: Int, replacing present: Generation?) async throws(JournalError)

  /// Returns the position on which the next drafts are decided.
  ///
  /// - Throws: ``JournalError``; `failed` if no server writes this journal.
  func position() async throws(JournalError) -> ServerPosition

  /// Answers questions about drafts, ids and origins, in one read.
  ///
  /// - Complexity: O(number of questions · log of the journal's length).
  func facts(about questions: ServerQuestions) async throws(JournalError) -> ServerFacts

  /// Appends decided drafts, with all that later decisions depend on, in one transaction.
  ///
  /// - Parameters:
  ///   - decided: At least one draft, in order.
  ///   - position: The position on which they were decided.
  ///   - leases: The leases under which they were made.
  /// - Returns: The position of the entries.
  /// - Throws: ``JournalError``: `conflict` if the position has changed; then nothing was written. `staleLease` if a lease was taken over.
  ///   `unknownOutcome` if it is unknown whether the drafts were written: decide again after reading the position, because decided drafts are
  ///   recognised by their ids.
  func append(_ decided: [DecidedDraft], at position: ServerPosition, under leases: [Lease]) async throws(JournalError) -> Appended

  /// Returns the explanations of refusals, for their authors, by the ids of the drafts.
  func reasons(of ids: [EntryID]) async throws(JournalError) -> [EntryID: String]
}

extension ServerJournal {
  /// Appends decided drafts that were made under no lease.
  package func append(_ decided: [DecidedDraft], at position: ServerPosition) async throws(JournalError) -> Appended {
    try await append(decided, at: position, under: [])
  }

  /// The time at which the accepted attempt of a change arrived; nil if the journal does not have it any more, or has had it before it was served.
  ///
  /// - Parameter family: The first attempt.
  package func arrival(of family: EntryID) async throws(JournalError) -> Int64? {
    var questions = ServerQuestions()
    questions.families = [family]
    return try await entry(facts(about: questions).attempts[family] ?? family)?.receipt?.arrival
  }

  /// Makes the server the only writer of this journal, or begins another generation, whatever the present one is.
  package func serve(_ lineage: Lineage, schema: Int) async throws(JournalError) {
    while true {
      let present = try await role() == .server ? position().lineage.generation : nil
      do throws(JournalError) { return try await serve(lineage, schema: schema, replacing: present) } catch {
        guard error.code == .conflict else { throw error }
      }
    }
  }
}

/// The end of a served journal, with the rest on which decisions depend.
package struct ServerPosition: Sendable, Hashable {
  /// The last entry.
  package let head: Head
  /// The present generation, and the former ones.
  package let lineage: Lineage
  /// The last entry that compaction has removed; revision 0 if there is none.
  package let floor: Head
  /// The newest schema of drafts that is decided.
  package let schema: Int

  package init(head: Head, lineage: Lineage, floor: Head, schema: Int) {
    self.head = head
    self.lineage = lineage
    self.floor = floor
    self.schema = schema
  }
}

/// The ids about which a server asks its journal before it decides.
package struct ServerQuestions: Sendable {
  /// Drafts that may be decided already.
  package var ids: Set<EntryID> = []
  /// Origins that may be bound to a principal.
  package var origins: Set<Origin> = []
  /// First attempts of changes that may have been accepted in another attempt.
  package var families: Set<EntryID> = []

  package init() {}
}

/// A decided draft, as the journal knows it.
package struct DecidedStanding: Sendable, Hashable {
  /// The hash of the draft.
  package let hash: Checksum
  /// The code of the refusal; nil if the draft was accepted.
  package let code: String?
  /// The revision of the entry.
  package let revision: Revision

  package init(hash: Checksum, code: String?, revision: Revision) {
    self.hash = hash
    self.code = code
    self.revision = revision
  }
}

/// The principal of an origin, and the last sequence that it has used.
package struct OriginStanding: Sendable, Hashable {
  /// The name of the principal that used the origin first; empty if it is not known, which happens after ``Journal/recover(from:author:)`` alone.
  /// The next principal that uses the origin is noted then.
  package let principal: String
  /// The last decided sequence; 0 if the origin is only known as that of a first attempt.
  package var last: Int64

  package init(principal: String, last: Int64) {
    self.principal = principal
    self.last = last
  }

  /// Notes that a principal has used the origin up to a sequence. The first known one keeps it.
  package func used(by principal: String, upTo sequence: Int64) -> OriginStanding {
    OriginStanding(principal: self.principal.isEmpty ? principal : self.principal, last: max(last, sequence))
  }
}

/// The answers to ``ServerQuestions``. An absent one means that the journal does not know the id.
package struct ServerFacts: Sendable {
  /// The position at which the answers are true.
  package var position: ServerPosition
  package var standings: [EntryID: DecidedStanding] = [:]
  package var origins: [Origin: OriginStanding] = [:]
  /// The accepted attempts by their first attempts.
  package var attempts: [EntryID: EntryID] = [:]

  package init(_ position: ServerPosition) { self.position = position }
}

/// A draft with the outcome of its decision, as it is appended.
package struct DecidedDraft: Sendable, Hashable {
  /// The accepted draft, byte for byte, or the refusal under its id.
  package let draft: Entry.Draft
  package let receipt: Receipt
  /// The name of the principal that has sent it; empty if it is not known, as in ``OriginStanding``.
  package let principal: String
  /// The first attempt of the change, if this entry is an accepted retry.
  package let retries: EntryID?
  /// The explanation of a refusal, for its author.
  package let reason: String?

  package init(_ draft: Entry.Draft, receipt: Receipt, principal: String, retries: EntryID? = nil, reason: String? = nil) {
    self.draft = draft
    self.receipt = receipt
    self.principal = principal
    self.retries = retries
    self.reason = reason
  }
}

extension Entry {
  /// The decided draft of this entry, as a look-up finds it. The initial state counts as accepted: its id is taken.
  ///
  /// - Complexity: O(bytes of the entry).
  package var standing: DecidedStanding? {
    switch kind {
    case .refused: refusal.map { DecidedStanding(hash: $0.hash, code: $0.code, revision: revision) }
    case .initial, .changes, .reset, .undo, .redo: DecidedStanding(hash: draft.hash, code: nil, revision: revision)
    }
  }
}

extension JournalError {
  /// The error of a new generation that another process has begun first.
  package static func otherGeneration(_ name: String) -> JournalError {
    JournalError(
      .conflict, journal: name,
      message: "has another generation than expected, because another process has begun one. Nothing was changed. Read it and decide again."
    )
  }

  /// The error of a call that only a served journal answers.
  package static func notServed(_ name: String) -> JournalError {
    JournalError(
      .failed, journal: name,
      message:
        "is not served: no server decides its entries. Check that this is the server's journal: a SyncService begins to serve a journal at the first request for its key."
    )
  }

  /// The error of reading entries from before the first one.
  package static func belowFloor(_ name: String, at revision: Revision, floor: Revision) -> JournalError {
    JournalError(
      .noSuchRevision, journal: name, revision: revision,
      message:
        "does not have the entries up to revision \(floor), its floor: it was compacted, or is a device's copy of a server's journal. Nothing is damaged. Read from revision \(floor.next)."
    )
  }

  /// The error of a retry that loses the race. Two retries would make the change twice.
  package static func settledElsewhere(_ name: String, _ refused: EntryID) -> JournalError {
    JournalError(
      .conflict, journal: name,
      message: "does not list the refused change \(refused) any more: another process of the device has retried or dismissed it.")
  }

  /// The error of a call that only a device's file answers.
  package static func noMirror(_ name: String) -> JournalError {
    JournalError(.failed, journal: name, message: "is not a device's copy of a server's journal. Open it as the journal that it is.")
  }

  /// The error of an append by a store to a journal that only a server writes.
  package static func decidedElsewhere(_ name: String, _ role: JournalRole) -> JournalError {
    JournalError(
      .readOnly, journal: name,
      message: role == .mirror
        ? "is a device's copy of a server's journal, so it can only be read this way. Open it as a synced journal to change it."
        : "is decided by a server, so it can only be read this way. Send changes to the server.")
  }
}
