public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What names one batch of changes for ever: who made it, and its number there.
///
/// It is known before the journal has given the batch a revision, and survives rebase and retry.
public struct EntryID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The store replica that made the batch.
  public let origin: Origin

  /// The batch's number at its origin: 1, 2, 3 …
  public let sequence: Int64

  /// The id of an origin's batch.
  @inlinable
  public init(origin: Origin, sequence: Int64) {
    self.origin = origin
    self.sequence = sequence
  }

  /// As in `1f0c9a3e#7`.
  public var description: String { "\(origin)#\(sequence)" }
}

/// Whose work one undo takes back: a user, a device, or the journal as a whole.
public struct UndoScope: Sendable, Hashable, Codable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The scope's name. It is stored with every entry: keep it short and stable.
  public let rawValue: String

  /// A scope by name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A scope by name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Everybody who writes the journal shares one undo: the default.
  public static let journal: UndoScope = ""

  /// The name.
  public var description: String { rawValue.isEmpty ? "journal" : rawValue }
}

/// Why an entry was made.
public struct Cause: Sendable, Hashable, Codable {
  /// The entry that this one answers: set for what a feedback sends, so that undo takes a request and its answers back together.
  public var answers: EntryID?

  /// The feedback that answered.
  public var feedback: String?

  /// Anything else worth knowing later: who, from where, why.
  public var metadata: [String: String]?

  /// A cause with the given parts, all optional.
  public init(answers: EntryID? = nil, feedback: String? = nil, metadata: [String: String]? = nil) {
    self.answers = answers
    self.feedback = feedback
    self.metadata = metadata
  }
}

/// One record of a journal: an atomic batch of changes, as stored.
///
/// An entry never changes once it is in a journal. Its payload is JSON; what it holds follows from its ``kind-swift.property``.
public struct Entry: Sendable, Hashable {
  /// What an entry records.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The state that the journal begins with. Payload: the state. Always revision 1, and only there.
    case initial
    /// A batch of changes. Payload: the array of changes.
    case changes
    /// The whole state replaced. Payload: the state.
    case reset
    /// Earlier entries taken back. Payload: ``Targets``.
    case undo
    /// Earlier undo entries taken back. Payload: ``Targets``.
    case redo
  }

  /// What an undo or a redo takes back. Its JSON is `{"targets":[{"origin":"…","sequence":7}]}`.
  public struct Targets: Sendable, Hashable, Codable {
    /// The entries it takes back, first the one it is about, then the feedback answers to that one.
    public let targets: [EntryID]

    /// Names the entries to take back.
    public init(_ targets: [EntryID]) { self.targets = targets }
  }

  /// An entry before the journal has given it a place.
  public struct Draft: Sendable, Hashable {
    /// What it records.
    public let kind: Kind
    /// Who made it, and its number there.
    public let id: EntryID
    /// When it was made: microseconds since 1970 UTC, by the maker's clock.
    public let time: Int64
    /// Whose undo takes it back.
    public let scope: UndoScope
    /// The version of the state's schema that the payload is written in.
    public let schema: Int
    /// JSON, by kind.
    public let payload: Data
    /// The JSON of a ``Cause``, if there is one.
    public let cause: Data?

    /// A draft of the given parts.
    ///
    /// - Parameters:
    ///   - kind: What it records.
    ///   - id: Who made it, and its number there.
    ///   - time: Microseconds since 1970 UTC.
    ///   - scope: Whose undo takes it back.
    ///   - schema: The version of the state's schema.
    ///   - payload: JSON, by kind.
    ///   - cause: The JSON of a ``Cause``.
    public init(
      kind: Kind, id: EntryID, time: Int64, scope: UndoScope = .journal, schema: Int = 1, payload: Data, cause: Data? = nil
    ) {
      self.kind = kind
      self.id = id
      self.time = time
      self.scope = scope
      self.schema = schema
      self.payload = payload
      self.cause = cause
    }
  }

  /// Its place in the journal.
  public let revision: Revision

  /// What it holds.
  public let draft: Draft

  /// Covers everything above and the checksum of the entry before.
  public let checksum: Checksum

  /// An entry as read from where it is stored.
  public init(revision: Revision, draft: Draft, checksum: Checksum) {
    self.revision = revision
    self.draft = draft
    self.checksum = checksum
  }

  /// The entry that a draft becomes when it is appended at a head.
  public init(_ draft: Draft, after head: Head) {
    let revision = head.revision.next
    self.init(revision: revision, draft: draft, checksum: head.checksum.next(revision: revision, draft: draft))
  }

  /// What it records.
  public var kind: Kind { draft.kind }
  /// Who made it, and its number there.
  public var id: EntryID { draft.id }
  /// When it was made: microseconds since 1970 UTC, by the maker's clock.
  public var time: Int64 { draft.time }
  /// Whose undo takes it back.
  public var scope: UndoScope { draft.scope }
  /// The version of the state's schema that the payload is written in.
  public var schema: Int { draft.schema }
  /// JSON, by kind.
  public var payload: Data { draft.payload }
  /// The stamp that its first change saw.
  public var stamp: Stamp { Stamp(time: time, origin: id.origin, sequence: id.sequence) }
}
