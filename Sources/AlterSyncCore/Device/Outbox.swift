import AlterCore
import AlterJournal

/// The drafts of a device whose verdict is not in its mirror, in the order in which they were made, and the verdicts that are known already.
///
/// Invariants: the ids are unique; drafts are only appended and removed, never changed or moved; a known verdict is that of a draft here.
package struct Outbox: Sendable, Hashable {
  package private(set) var drafts: [Draft] = []
  /// The verdicts that the server has told and the mirror does not cover.
  package private(set) var known: [EntryID: Verdict] = [:]
  /// The hash of each draft, by its id.
  private var hashes: [EntryID: Checksum] = [:]

  package init() {}

  package var isEmpty: Bool { drafts.isEmpty }

  /// Whether a draft has no known verdict, so that there is something to send.
  ///
  /// - Complexity: O(1).
  package var hasUndecided: Bool { known.count < drafts.count }

  package var ids: [EntryID] { drafts.map { $0.id } }

  /// The newest revision of a known verdict.
  package var newestVerdict: Revision { known.values.reduce(.zero) { max($0, $1.revision ?? .zero) } }

  /// Whether this very draft is here.
  package func contains(_ draft: Draft) -> Bool { hashes[draft.id] == draft.hash }

  /// Appends a draft. The processes of a device share the outbox, so the order is that of their transactions.
  ///
  /// - Complexity: O(1).
  package mutating func append(_ draft: Draft) {
    let other = hashes.updateValue(draft.hash, forKey: draft.id)
    precondition(other == nil, "The draft \(draft.id) is in the outbox already.")
    drafts.append(draft)
  }

  /// Records a verdict, if the draft is here with the same hash.
  ///
  /// - Complexity: O(1).
  package mutating func learn(_ line: VerdictLine) {
    if hashes[line.id] == line.hash { known[line.id] = line.verdict }
  }

  /// Forgets known verdicts: of all drafts, or of one. The drafts are sent again, and the server repeats the verdicts that are still true.
  package mutating func forgetVerdicts() { known = [:] }

  package mutating func forgetVerdict(of id: EntryID) { known[id] = nil }

  /// Replaces the ids of all drafts: the wrong rule, which tests use to show its effect.
  mutating func rename(to origin: Origin) {
    known = [:]
    drafts = drafts.enumerated().map { place, draft in
      Draft(
        id: EntryID(origin: origin, sequence: Int64(place + 1)), time: draft.time, scope: draft.scope, schema: draft.schema,
        content: draft.content, answers: draft.answers, requires: draft.requires, retries: draft.retries)
    }
    hashes = [:]
    for draft in drafts { hashes[draft.id] = draft.hash }
  }

  /// Removes drafts, because their verdicts are covered.
  ///
  /// - Complexity: O(drafts), however many are removed.
  package mutating func remove(_ ids: Set<EntryID>) {
    guard !ids.isEmpty else { return }
    drafts.removeAll { ids.contains($0.id) }
    for id in ids {
      known[id] = nil
      hashes[id] = nil
    }
  }

  /// The drafts to send, in order, each with the draft before it that is still here.
  ///
  /// The predecessor is named even if its verdict is known: if the server was restored and lacks that verdict, it holds this draft, and
  /// the device sends both again in order.
  ///
  /// - Parameters:
  ///   - limit: The number of drafts in one push.
  ///   - bytes: The bytes that the server accepts for one draft. A larger one is sent as id, size and hash.
  package func submissions(limit: Int, bytes: Int) -> [Submission] {
    var submissions: [Submission] = []
    for (place, draft) in drafts.enumerated() where known[draft.id] == nil {
      guard submissions.count < limit else { break }
      let after = place > 0 ? drafts[place - 1].id : nil
      let body: Submission.Body =
        draft.size > bytes ? .oversized(draft.id, size: draft.size, hash: draft.hash) : .draft(draft)
      submissions.append(Submission(body, after: after))
    }
    return submissions
  }
}
