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
    case draft(SyncDraft)
    /// The refusal of a draft: its id, its hash and the code. Folds skip it.
    case refused(EntryID, hash: Checksum, RefusalCode)
  }

  /// An object, because a server puts each entry into the page of each device: a copy of the entry is one reference, instead of some ten.
  private let parts: Parts

  private final class Parts: Sendable {
    let stored: Entry
    let body: Body

    init(_ stored: Entry, _ body: Body) { (self.stored, self.body) = (stored, body) }
  }

  /// The bytes, as a journal and a message hold them.
  package var stored: Entry { parts.stored }
  package var body: Body { parts.body }

  /// The memory of an entry without that of its parts, in bytes.
  package static var size: Int { MemoryLayout<SyncEntry>.stride + 16 + MemoryLayout<Entry>.stride + MemoryLayout<Body>.stride }

  /// Reads an entry from its bytes.
  ///
  /// - Throws: The error of a payload that is not what the kind requires.
  package init(_ stored: Entry) throws {
    let body: Body
    switch stored.kind {
    case .initial: body = .initial(stored.id, stored.payload)
    case .refused:
      let refusal: Entry.Refusal = try JournalCoding.decode(from: stored.payload)
      // A newer server may know more codes. A device lists the refusal all the same.
      body = .refused(stored.id, hash: refusal.hash, RefusalCode(rawValue: refusal.code) ?? .refused)
    case .changes, .reset, .undo, .redo: body = .draft(try SyncDraft(stored.draft))
    }
    self.init(stored: stored, body: body)
  }

  /// Creates the entry that follows a head.
  package init(_ body: Body, receipt: Receipt?, after head: Head) {
    let draft: Entry.Draft =
      switch body {
      case .initial(let id, let payload): Entry.Draft(kind: .initial, id: id, time: 0, payload: payload)
      case .draft(let draft): draft.stored
      case .refused(let id, let hash, let code):
        Entry.Draft(refusing: id, Entry.Refusal(code: code.rawValue, hash: hash), time: receipt?.arrival ?? 0)
      }
    self.init(stored: Entry(draft, receipt: receipt, after: head), body: body)
  }

  /// Returns the same entry with another checksum, as damaged storage would return it.
  package func damaged() -> SyncEntry {
    let checksum = Checksum(high: checksum.high ^ 1, low: checksum.low)
    return SyncEntry(stored: Entry(revision: revision, draft: stored.draft, receipt: receipt, checksum: checksum), body: body)
  }

  /// Creates the entry of an accepted draft.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - stored: The entry that has its bytes.
  package init(_ draft: SyncDraft, stored: Entry) { self.init(stored: stored, body: .draft(draft)) }

  private init(stored: Entry, body: Body) { parts = Parts(stored, body) }

  package var revision: Revision { stored.revision }
  /// The server's note; nil for an initial or imported entry.
  package var receipt: Receipt? { stored.receipt }
  /// The checksum of all fields above and of the checksum of the entry before.
  package var checksum: Checksum { stored.checksum }

  /// Whether the entry follows a head and is undamaged.
  package func follows(_ head: Head) -> Bool {
    var head = head
    return (try? head.verify(stored, in: "")) != nil
  }

  /// The id of the draft that the entry decides.
  package var id: EntryID { stored.id }

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
  package var draft: SyncDraft? { if case .draft(let draft) = body { draft } else { nil } }

  package static func == (left: SyncEntry, right: SyncEntry) -> Bool {
    left.revision == right.revision && left.checksum == right.checksum
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(checksum.high) }
}
