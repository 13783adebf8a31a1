import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An entry of a synced journal: an accepted draft, a refusal, or the initial state.
package struct SyncEntry: Sendable, Hashable {
  /// The content of an entry.
  package enum Body: Sendable, Hashable {
    /// The state that the journal begins with. It has the id of its writer.
    case initial(EntryID, Data)
    /// An accepted draft, byte for byte.
    case draft(Draft)
    /// The refusal of a draft: its id, its hash and the code. Folds skip it.
    case refused(EntryID, hash: Checksum, RefusalCode)
  }

  package let revision: Revision
  package let body: Body
  /// The server's note; nil for an initial or imported entry.
  package let receipt: Receipt?
  /// The checksum of all fields above and of the checksum of the entry before.
  package let checksum: Checksum

  /// Creates the entry that follows a head.
  package init(_ body: Body, receipt: Receipt?, after head: Head) {
    revision = head.revision.next
    self.body = body
    self.receipt = receipt
    checksum = Self.checksum(body, receipt: receipt, at: revision, after: head.checksum)
  }

  /// Returns the same entry with another checksum, as damaged storage would return it.
  package func damaged() -> SyncEntry {
    SyncEntry(
      revision: revision, body: body, receipt: receipt, checksum: Checksum(high: checksum.high ^ 1, low: checksum.low))
  }

  private init(revision: Revision, body: Body, receipt: Receipt?, checksum: Checksum) {
    self.revision = revision
    self.body = body
    self.receipt = receipt
    self.checksum = checksum
  }

  /// Whether the entry follows a head and is undamaged.
  package func follows(_ head: Head) -> Bool {
    revision == head.revision.next && checksum == Self.checksum(body, receipt: receipt, at: revision, after: head.checksum)
  }

  /// The id of the draft that the entry decides.
  package var id: EntryID {
    switch body {
    case .initial(let id, _), .refused(let id, _, _): id
    case .draft(let draft): draft.id
    }
  }

  /// The hash of the draft that the entry decides; nil for the initial state.
  package var hash: Checksum? {
    switch body {
    case .initial: nil
    case .draft(let draft): draft.hash
    case .refused(_, let hash, _): hash
    }
  }

  /// The verdict that the entry is.
  package var verdict: Verdict {
    if case .refused(_, _, let code) = body { .refused(code, at: revision) } else { .accepted(revision) }
  }

  /// The accepted draft, if the entry is one.
  package var draft: Draft? { if case .draft(let draft) = body { draft } else { nil } }

  // The encoding of entries, and with it the rule that a checksum without a receipt equals that of format 1, comes with the format. Here
  // only the properties of the chain matter: each checksum depends on every field and on the checksum before.
  private static func checksum(_ body: Body, receipt: Receipt?, at revision: Revision, after previous: Checksum) -> Checksum {
    var hash = SipHash128(key0: previous.high, key1: previous.low)
    hash.combine(UInt64(bitPattern: revision.number))
    switch body {
    case .initial(let id, let payload):
      hash.combine(0)
      hash.combine(id)
      hash.combine(field: payload)
    case .draft(let draft):
      hash.combine(1)
      hash.combine(draft.id)
      hash.combine(draft.hash)
    case .refused(let id, let draft, let code):
      hash.combine(2)
      hash.combine(id)
      hash.combine(draft)
      hash.combine(field: code.rawValue)
    }
    hash.combine(receipt == nil ? 0 : 1)
    if let receipt {
      hash.combine(receipt.author.bits)
      hash.combine(UInt64(bitPattern: receipt.arrival))
    }
    let (high, low) = hash.finalize()
    return Checksum(high: high, low: low)
  }

  package static func == (left: SyncEntry, right: SyncEntry) -> Bool {
    left.revision == right.revision && left.checksum == right.checksum
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(checksum.high) }
}
