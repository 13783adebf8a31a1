import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A change, an undo or a redo that a device has made. Its bytes are fixed when it is made, and never rewritten or renumbered.
///
/// Two drafts are equal if their ids and their hashes are equal.
package struct SyncDraft: Sendable, Hashable, CustomStringConvertible {
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

  /// The bytes, as an outbox, a message and a journal hold them.
  package let stored: Entry.Draft
  /// The content.
  package let content: Content
  /// The entry that it answers, that it requires and that it repeats, and the app's metadata.
  package let cause: Cause
  /// The hash of the bytes.
  package let hash: Checksum

  /// Reads a draft from its bytes.
  ///
  /// - Throws: The error of a payload or a cause that is not what the kind requires. The payload of changes is not read.
  package init(_ stored: Entry.Draft) throws {
    func target() throws -> EntryID? {
      let targets: Entry.Targets = try JournalCoding.decode(from: stored.payload)
      return targets.isByRule ? targets.targets[0] : nil
    }
    let content: Content? =
      switch stored.kind {
      case .changes: .changes(stored.payload)
      case .undo: try target().map { .undo($0) }
      case .redo: try target().map { .redo($0) }
      case .initial, .reset, .refused: nil
      }
    self.init(
      stored, content: content ?? .other(stored.kind, stored.payload),
      cause: try stored.cause.map { try JournalCoding.decode(from: $0) } ?? Cause())
  }

  private init(_ stored: Entry.Draft, content: Content, cause: Cause) {
    self.stored = stored
    self.content = content
    self.cause = cause
    hash = stored.hash
  }

  /// Creates a draft.
  ///
  /// - Parameters:
  ///   - id: The replica that makes it, and its number there.
  ///   - time: Microseconds since 1970 UTC, by the device's clock.
  ///   - scope: The undo scope.
  ///   - schema: The schema version of the payload.
  ///   - content: The content.
  ///   - cause: The entries that it refers to, and the app's metadata.
  package init(
    id: EntryID, time: Int64, scope: UndoScope = .journal, schema: Int = 1, content: Content, cause: Cause
  ) {
    let (kind, payload): (Entry.Kind, Data) =
      switch content {
      case .changes(let payload): (.changes, payload)
      case .undo(let target): (.undo, JSONValue.object(["target": target.json]).data)
      case .redo(let target): (.redo, JSONValue.object(["target": target.json]).data)
      case .other(let kind, let payload): (kind, payload)
      }
    let stored = Entry.Draft(kind: kind, id: id, time: time, scope: scope, schema: schema, payload: payload, cause: cause.json?.data)
    self.init(stored, content: content, cause: cause)
  }

  /// Creates a draft whose cause has no metadata.
  package init(
    id: EntryID, time: Int64, scope: UndoScope = .journal, schema: Int = 1, content: Content, answers: EntryID? = nil,
    requires: EntryID? = nil, retries: EntryID? = nil
  ) {
    self.init(
      id: id, time: time, scope: scope, schema: schema, content: content,
      cause: Cause(answers: answers, requires: requires, retries: retries))
  }

  /// The replica that made the draft, and the draft's number there.
  package var id: EntryID { stored.id }
  /// The time at which the draft was made: microseconds since 1970 UTC, by the device's clock. The server can't check it.
  package var time: Int64 { stored.time }
  /// The undo scope.
  package var scope: UndoScope { stored.scope }
  /// The schema version of the payload.
  package var schema: Int { stored.schema }
  /// The entry that this draft answers, for a feedback.
  package var answers: EntryID? { cause.answers }
  /// An earlier draft of any origin. If it is refused, so is this one.
  package var requires: EntryID? { cause.requires }
  /// The first attempt of a refused change that this draft repeats. The stamp is that of the first attempt.
  package var retries: EntryID? { cause.retries }

  /// The stamp that the changes receive: that of the first attempt, so that a retry makes the same fresh ids.
  package var stamp: Stamp {
    let first = retries ?? id
    return Stamp(time: time, origin: first.origin, sequence: first.sequence)
  }

  /// The id that all attempts of one change share.
  package var family: EntryID { retries ?? id }

  /// The bytes whose number an app or its user decides: the payload of changes, and the metadata.
  ///
  /// More than 1 KiB of other bytes count, too: a forged undo or cause may have fields that no one reads, and they are stored all the same.
  package var size: Int {
    let metadata = cause.metadata?.reduce(cause.feedback?.utf8.count ?? 0) { $0 + $1.key.utf8.count + $1.value.utf8.count } ?? 0
    let whole = stored.payload.count + (stored.cause?.count ?? 0) + scope.rawValue.utf8.count
    let meant =
      switch content {
      case .changes(let payload), .other(_, let payload): payload.count + metadata
      case .undo, .redo: metadata
      }
    return max(meant, whole - 1_024)
  }

  /// The entry that an undo or a redo is about.
  package var target: EntryID? {
    switch content {
    case .undo(let target), .redo(let target): target
    case .changes, .other: nil
    }
  }

  /// Returns a new attempt of this draft after a refusal, under a fresh id.
  package func retried(as id: EntryID) -> SyncDraft { made(as: id, retries: family) }

  /// Returns the same change as a draft of its own, with a stamp of its own.
  package func repeated(as id: EntryID) -> SyncDraft { made(as: id, retries: nil) }

  private func made(as id: EntryID, retries: EntryID?) -> SyncDraft {
    var cause = cause
    cause.retries = retries
    return SyncDraft(id: id, time: time, scope: scope, schema: schema, content: content, cause: cause)
  }

  package static func == (left: SyncDraft, right: SyncDraft) -> Bool { left.id == right.id && left.hash == right.hash }

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

// Written by hand, so that it cannot fail. The results are those of the coders.
extension EntryID {
  fileprivate var json: JSONValue { .object(["origin": .string(origin.text), "sequence": .integer(sequence)]) }
}

extension Cause {
  /// The stored form; nil for none.
  fileprivate var json: JSONValue? {
    guard !isEmpty else { return nil }
    var object: [String: JSONValue] = [:]
    object["answers"] = answers?.json
    object["feedback"] = feedback.map { .string($0) }
    object["metadata"] = metadata.map { .object($0.mapValues { .string($0) }) }
    object["requires"] = requires?.json
    object["retries"] = retries?.json
    object["request"] = request.map { .string($0) }
    object["depth"] = depth.map { .integer(Int64($0)) }
    return .object(object)
  }
}

/// A draft as it is sent: with the draft before it in the outbox, whatever its origin.
package struct Submission: Sendable, Hashable {
  /// The sent form of a draft.
  package enum Body: Sendable, Hashable {
    /// The whole draft.
    case draft(SyncDraft)
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
  package var draft: SyncDraft? { if case .draft(let draft) = body { draft } else { nil } }

  package var hash: Checksum {
    switch body {
    case .draft(let draft): draft.hash
    case .oversized(_, _, let hash), .malformed(_, let hash): hash
    }
  }
}
