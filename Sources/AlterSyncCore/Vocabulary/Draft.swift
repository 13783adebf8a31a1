import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A change, an undo or a redo that a device has made. Its content is fixed when it is made, and never rewritten or renumbered.
///
/// Two drafts are equal if their ids and their hashes are equal.
package struct Draft: Sendable, Hashable, CustomStringConvertible {
  /// The content of a draft.
  package enum Content: Sendable, Hashable {
    /// A batch of changes, as JSON.
    case changes(Data)
    /// An undo of one entry, fixed when the draft was made. The active answers to the entry are undone with it, by rule.
    case undo(EntryID)
    /// A redo: the undo of one `undo` entry.
    case redo(EntryID)
    /// Any other kind of entry. A server refuses it.
    case other(Entry.Kind, Data)
  }

  /// The replica that made the draft, and the draft's number there.
  package let id: EntryID
  /// The time at which the draft was made: microseconds since 1970 UTC, by the device's clock. It is a claim.
  package let time: Int64
  /// The undo scope.
  package let scope: UndoScope
  /// The schema version of the payload.
  package let schema: Int
  /// The content.
  package let content: Content
  /// The entry that this draft answers, for a feedback.
  package let answers: EntryID?
  /// An earlier draft of any origin. If it is refused, so is this one.
  package let requires: EntryID?
  /// The first attempt of a refused change that this draft repeats. The stamp is that of the first attempt.
  package let retries: EntryID?
  /// The hash of all fields.
  package let hash: Checksum

  /// Creates a draft.
  package init(
    id: EntryID, time: Int64, scope: UndoScope = .journal, schema: Int = 1, content: Content, answers: EntryID? = nil,
    requires: EntryID? = nil, retries: EntryID? = nil
  ) {
    self.id = id
    self.time = time
    self.scope = scope
    self.schema = schema
    self.content = content
    self.answers = answers
    self.requires = requires
    self.retries = retries
    var hash = SipHash128(key0: 0x416c_7472, key1: 0x4472_6166)
    hash.combine(id)
    hash.combine(UInt64(bitPattern: time))
    hash.combine(field: scope.rawValue)
    hash.combine(UInt64(bitPattern: Int64(schema)))
    switch content {
    case .changes(let payload):
      hash.combine(0)
      hash.combine(field: payload)
    case .undo(let target):
      hash.combine(1)
      hash.combine(target)
    case .redo(let target):
      hash.combine(2)
      hash.combine(target)
    case .other(let kind, let payload):
      hash.combine(3)
      hash.combine(field: kind.rawValue)
      hash.combine(field: payload)
    }
    hash.combine(answers)
    hash.combine(requires)
    hash.combine(retries)
    let (high, low) = hash.finalize()
    self.hash = Checksum(high: high, low: low)
  }

  /// The stamp that the changes receive: that of the first attempt, so that a retry makes the same fresh ids.
  package var stamp: Stamp {
    let first = retries ?? id
    return Stamp(time: time, origin: first.origin, sequence: first.sequence)
  }

  /// The id that all attempts of one change share.
  package var family: EntryID { retries ?? id }

  /// The bytes of the payload.
  package var size: Int {
    switch content {
    case .changes(let payload), .other(_, let payload): payload.count
    case .undo, .redo: 0
    }
  }

  /// The entry that an undo or a redo is about.
  package var target: EntryID? {
    switch content {
    case .undo(let target), .redo(let target): target
    case .changes, .other: nil
    }
  }

  /// Returns a new attempt of this draft after a refusal, under a fresh id.
  package func retried(as id: EntryID) -> Draft {
    Draft(id: id, time: time, scope: scope, schema: schema, content: content, answers: answers, requires: requires, retries: family)
  }

  /// Returns the same change as a draft of its own, with a stamp of its own.
  package func repeated(as id: EntryID) -> Draft {
    Draft(id: id, time: time, scope: scope, schema: schema, content: content, answers: answers, requires: requires)
  }

  package static func == (left: Draft, right: Draft) -> Bool { left.id == right.id && left.hash == right.hash }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash.high) }

  package var description: String {
    switch content {
    case .changes(let payload): "\(id)(\(payload.map { "\($0)" }.joined(separator: " ")))"
    case .undo(let target): "\(id)(undo \(target))"
    case .redo(let target): "\(id)(redo \(target))"
    case .other(let kind, _): "\(id)(\(kind.rawValue))"
    }
  }
}

/// A draft as it is sent: with the draft before it in the outbox, whatever its origin.
package struct Submission: Sendable, Hashable {
  /// The sent form of a draft.
  package enum Body: Sendable, Hashable {
    /// The whole draft.
    case draft(Draft)
    /// A draft that exceeds the limit of the server: its id, its size in bytes and its hash.
    case oversized(EntryID, size: Int, hash: Checksum)
    /// A draft in a sound envelope that the server cannot decode: its id, and the hash that the envelope names.
    case malformed(EntryID, hash: Checksum)
  }

  package let body: Body
  /// The draft before it that is still in the outbox; nil for the first one. The server decides this draft only after that one.
  package let after: EntryID?

  package init(_ body: Body, after: EntryID?) {
    self.body = body
    self.after = after
  }

  package var id: EntryID {
    switch body {
    case .draft(let draft): draft.id
    case .oversized(let id, _, _), .malformed(let id, _): id
    }
  }

  /// The whole draft, if it was sent.
  package var draft: Draft? { if case .draft(let draft) = body { draft } else { nil } }

  package var hash: Checksum {
    switch body {
    case .draft(let draft): draft.hash
    case .oversized(_, _, let hash), .malformed(_, let hash): hash
    }
  }
}
