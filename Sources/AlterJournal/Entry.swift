public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The permanent id of one batch of changes: the replica that made it, and its number at that replica.
///
/// The id is known before the journal assigns a revision to the batch, and it survives a rebase or a retry. A journal holds at most one
/// entry of each id.
public struct EntryID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The store replica that made the batch.
  public let origin: Origin

  /// The batch's number at its origin: 1, 2, 3 …
  public let sequence: Int64

  /// Creates the id of a batch.
  @inlinable
  public init(origin: Origin, sequence: Int64) {
    self.origin = origin
    self.sequence = sequence
  }

  /// The origin's first eight digits and the sequence, as in `1f0c9a3e#7`.
  public var description: String { "\(origin)#\(sequence)" }
}

/// The group of entries that share one undo stack: those of a user, of a device, or the whole journal.
public struct UndoScope: Sendable, Hashable, Codable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The scope's name. It is stored with every entry: keep it short and stable.
  public let rawValue: String

  /// Creates a scope with a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a scope with a name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The default: all writers of the journal share one undo stack. Its name is empty.
  public static let journal: UndoScope = ""

  /// A scope of this process alone, with a random name. Its undo reverts what this process has changed, and no work of another one; after a restart
  /// it no longer reaches that work.
  public static let perProcess = UndoScope(rawValue: "process \(Origin.random())")

  /// The scope of changes that are no step to undo, such as a payment or a log entry: no undo in any scope reverts them, and they clear no redo.
  /// The server of a synced journal grants it to every principal.
  ///
  /// ```swift
  /// try store.change(.pay(order), scope: .never)
  /// ```
  public static let never = UndoScope(rawValue: "no undo")

  /// The name, or 'journal' for ``journal``.
  public var description: String { rawValue.isEmpty ? "journal" : rawValue }
}

/// The reason for an entry.
///
/// Most entries have none, so that a cause has the size of a reference.
public struct Cause: Sendable, Hashable, Codable {
  /// The entry that this one answers. A feedback sets it, so that one undo reverts a request together with its answers.
  package var answers: EntryID? {
    get { parts?.values.answers }
    set { change { $0.answers = newValue } }
  }

  /// The name of the feedback that answered.
  public var feedback: String? {
    get { parts?.values.feedback }
    set { change { $0.feedback = newValue } }
  }

  /// Additional information for auditing, as in a user name or a request id. Alter stores it and does not interpret it.
  public var metadata: [String: String]? {
    get { parts?.values.metadata }
    set { change { $0.metadata = newValue } }
  }

  /// The earlier entry without which this one makes no sense, of any origin. The server of a synced journal refuses this entry if it has
  /// refused that one.
  package var requires: EntryID? {
    get { parts?.values.requires }
    set { change { $0.requires = newValue } }
  }

  /// The first attempt of a change that the server of a synced journal has refused, and that this entry repeats. The changes have the stamp
  /// of the first attempt, so that they make the same ids.
  package var retries: EntryID? {
    get { parts?.values.retries }
    set { change { $0.retries = newValue } }
  }

  /// The text of the request's id, if this entry is an answer to a request that acts on the world.
  package var request: String? {
    get { parts?.values.request }
    set { change { $0.request = newValue } }
  }

  /// The number of consecutive feedback answers that end with this one, without a change from outside in between. Nil if it is not an answer.
  package var depth: Int? {
    get { parts?.values.depth }
    set { change { $0.depth = newValue } }
  }

  /// Creates a cause with the given parts, all optional.
  public init(
    answers: EntryID? = nil, feedback: String? = nil, metadata: [String: String]? = nil, requires: EntryID? = nil, retries: EntryID? = nil,
    request: String? = nil, depth: Int? = nil
  ) {
    parts = Parts(
      Values(
        answers: answers, feedback: feedback, metadata: metadata, requires: requires, retries: retries, request: request, depth: depth))
  }

  /// Whether the cause names nothing.
  package var isEmpty: Bool { parts == nil }

  /// The entry whose stamp made ``request``; nil without a request, and for a request with a name of the app's own.
  package var asking: EntryID? { request.flatMap { RequestID($0) }?.entry }

  /// Creates a cause by decoding it.
  public init(from decoder: any Decoder) throws {
    parts = Parts(try Values(from: decoder))
  }

  /// Encodes the parts that it has.
  public func encode(to encoder: any Encoder) throws { try (parts?.values ?? Values()).encode(to: encoder) }

  private struct Values: Sendable, Hashable, Codable {
    var answers: EntryID?
    var feedback: String?
    var metadata: [String: String]?
    var requires: EntryID?
    var retries: EntryID?
    var request: String?
    var depth: Int?

    var isEmpty: Bool {
      answers == nil && feedback == nil && metadata == nil && requires == nil && retries == nil && request == nil && depth == nil
    }
  }

  private final class Parts: Sendable, Hashable {
    let values: Values

    init?(_ values: Values) {
      if values.isEmpty { return nil }
      self.values = values
    }

    static func == (one: Parts, other: Parts) -> Bool { one.values == other.values }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }
  }

  private var parts: Parts?

  private mutating func change(_ body: (inout Values) -> Void) {
    var values = parts?.values ?? Values()
    body(&values)
    parts = Parts(values)
  }
}

/// One record of a journal: an atomic batch of changes, as stored.
///
/// An entry never changes once it is in a journal. A store makes its entries itself. Use entries directly to inspect a journal, or to
/// implement ``Journal``:
///
/// ```swift
/// func payloads(of journal: any Journal) async throws -> [JSONValue] {
///   try await journal.entries(after: .zero, limit: 100).map { try $0.json() }
/// }
/// ```
///
/// ## Content
///
/// The ``draft-swift.property`` is the part that the writer decides. The journal adds the ``revision`` and the ``checksum``, and the server of
/// a synced journal the ``receipt``. The payload is JSON, and its meaning depends on the ``kind-swift.property``:
///
/// | kind | payload |
/// |---|---|
/// | `initial`, `reset` | a state |
/// | `changes` | an array of changes |
/// | `undo`, `redo` | the ids of the reverted entries, `{"targets":[…]}`, or one whose answers go with it, `{"target":…}` |
/// | `refused` | ``Refusal`` |
///
/// The payload is written in a version of the state's schema. An older version is migrated when the entry is read
/// (``StateSchema``).
///
/// ## Integrity
///
/// The checksums form a chain: each one covers all fields of its entry and the checksum of the entry before. Creating an entry does not
/// check it, and neither does ``Journal/entries(after:limit:)``. ``Journal/verify()`` checks a whole
/// journal.
///
/// ## Units
///
/// Revisions count from 1. Times are microseconds since 1970-01-01 00:00 UTC by the writer's clock; they are advisory, because clocks
/// differ.
public struct Entry: Sendable, Hashable {
  /// The kinds of entries.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The state that the journal begins with. Payload: the state. A store writes it at revision 1, and nowhere else.
    case initial
    /// A batch of changes. Payload: the array of changes.
    case changes
    /// A replacement of the whole state. Payload: the state.
    case reset
    /// An undo of earlier entries. Payload: the ids of the reverted entries.
    case undo
    /// A redo: the undo of an earlier `undo` entry. Payload: the ids of the reverted entries.
    case redo
    /// The server's refusal of a draft, under the id of the draft. Payload: ``Refusal``. It changes no state: folds skip it. Only a synced
    /// journal has such entries.
    case refused

    /// Whether a fold skips the entry.
    package var isSkipped: Bool { self == .refused }
  }

  /// An entry before the journal has assigned a revision and a checksum to it.
  public struct Draft: Sendable, Hashable {
    /// The kind of the entry. It determines the payload.
    public let kind: Kind
    /// The replica that made the entry, and the entry's number at that replica.
    public let id: EntryID
    /// The time at which the entry was made: microseconds since 1970-01-01 00:00 UTC, by the writer's clock.
    public let time: Int64
    /// The undo stack that the entry belongs to.
    public let scope: UndoScope
    /// The schema version of the payload.
    public let schema: Int
    /// JSON, by ``kind``.
    public let payload: Data
    /// The JSON of a ``Cause``; nil for none.
    public let cause: Data?

    /// Creates a draft with the given parts.
    ///
    /// - Parameters:
    ///   - kind: The kind of the entry.
    ///   - id: The replica that made it, and its number at that replica.
    ///   - time: Microseconds since 1970-01-01 00:00 UTC.
    ///   - scope: The undo stack that the entry belongs to.
    ///   - schema: The schema version of the payload.
    ///   - payload: JSON, by kind.
    ///   - cause: The JSON of a ``Cause``; nil for none.
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

  /// The position of the entry in the journal, from 1.
  public let revision: Revision

  /// The content of the entry, as its writer made it.
  public let draft: Draft

  /// The server's note on the entry of a synced journal; nil in any other journal, and for initial and imported entries.
  public let receipt: Receipt?

  /// The checksum of all fields above and of the checksum of the entry before.
  public let checksum: Checksum

  /// Creates an entry with the given parts, as read from storage. The checksum is not verified.
  public init(revision: Revision, draft: Draft, receipt: Receipt? = nil, checksum: Checksum) {
    self.revision = revision
    self.draft = draft
    self.receipt = receipt
    self.checksum = checksum
  }

  /// Creates the entry that a draft becomes when it is appended at a head.
  ///
  /// - Parameters:
  ///   - draft: The content of the entry.
  ///   - receipt: The server's note, in a synced journal.
  ///   - head: The end of the journal before the entry.
  /// - Complexity: O(bytes of the draft), for the checksum.
  public init(_ draft: Draft, receipt: Receipt? = nil, after head: Head) {
    let revision = head.revision.next
    let checksum = head.checksum.next(revision: revision, draft: draft, receipt: receipt)
    self.init(revision: revision, draft: draft, receipt: receipt, checksum: checksum)
  }

  /// The kind of the entry. It determines the payload.
  public var kind: Kind { draft.kind }
  /// The replica that made the entry, and the entry's number at that replica.
  public var id: EntryID { draft.id }
  /// The time at which the entry was made: microseconds since 1970-01-01 00:00 UTC, by the writer's clock.
  package var time: Int64 { draft.time }
  /// The undo stack that the entry belongs to.
  package var scope: UndoScope { draft.scope }
  /// The schema version of the payload.
  package var schema: Int { draft.schema }
  /// JSON, by ``kind-swift.property``.
  public var payload: Data { draft.payload }
  /// The stamp of the entry's first change.
  package var stamp: Stamp { Stamp(time: time, origin: id.origin, sequence: id.sequence) }
}

extension Entry {
  /// The approximate size of the stored entry in bytes: its payload, its cause, and 64 for the other fields.
  ///
  /// It determines when a snapshot is due; see `Design/0007-snapshots.md`.
  @inlinable package var size: Int64 { draft.size }
}

extension Entry.Draft {
  /// The largest entry that every journal accepts: 255 MiB. (A PostgreSQL journal accepts 256 MiB per append, including the other fields.)
  package static var largestSize: Int64 { 255 << 20 }

  /// The approximate size of the stored entry in bytes.
  @inlinable package var size: Int64 { Int64(payload.count + (cause?.count ?? 0) + 64) }
}

extension RequestID {
  /// The entry that asks; nil for an id with a name.
  package var entry: EntryID? { stamp.map { EntryID(origin: $0.origin, sequence: $0.sequence) } }
}

// The payloads of the kinds of entries that do not depend on the state's type.
extension Entry {
  /// The entries that an undo or a redo reverts.
  ///
  /// A journal that is not synced lists all of them: `{"targets":[{"origin":"…","sequence":7}]}`. In a synced journal a device names only
  /// the entry that the user undoes or redoes, `{"target":{"origin":"…","sequence":7}}`, because it does not know which answers of
  /// feedbacks the journal will have when the server decides. The active answers up to the undo's place are then reverted with it, by rule.
  package struct Targets: Sendable, Hashable {
    /// The ids of the reverted entries: first the one that the user undoes or redoes, then the feedback's answers.
    package let targets: [EntryID]
    /// Whether the answers to the first target are reverted by rule, and not listed.
    package let isByRule: Bool

    /// Creates a list of targets, in this order.
    package init(_ targets: [EntryID]) { (self.targets, isByRule) = (targets, false) }

    /// Creates the payload that names one entry. Its answers are reverted with it, by rule.
    package init(byRule target: EntryID) { (targets, isByRule) = ([target], true) }
  }

  /// The server's reason for a `refused` entry. The JSON is `{"code":"denied","hash":"…"}`.
  ///
  /// The explanation for people is not part of it: it is stored beside the chain, for the author of the draft alone.
  public struct Refusal: Sendable, Hashable {
    /// The stable code of the reason.
    public let code: String
    /// The hash of the refused draft, so that its author can recognise it.
    package let hash: Checksum

    /// Creates a refusal.
    package init(code: String, hash: Checksum) {
      self.code = code
      self.hash = hash
    }
  }

  /// The refusal that is this entry's payload; nil if the entry is of another kind, or if its payload is no refusal.
  ///
  /// - Complexity: O(bytes of the payload).
  public var refusal: Refusal? {
    guard kind == .refused else { return nil }
    return try? JournalCoding.decode(from: payload)
  }
}

extension Entry.Draft {
  /// The hash of all fields, of 128 bits. Two drafts of one id are the same if their hashes are equal.
  ///
  /// It is the checksum that the draft would have at revision 0, after the checksum 'Altr' 'Draf' (see `Design/0003-journal-format.md`).
  ///
  /// - Complexity: O(bytes of the draft).
  package var hash: Checksum { Checksum(high: 0x416C_7472, low: 0x4472_6166).next(revision: .zero, draft: self) }

  /// Checks that a store may append drafts: that none of them is a refusal, which only the server of a synced journal writes. Every
  /// implementation of ``Journal/append(_:after:in:under:)`` begins with it.
  ///
  /// - Throws: ``JournalError`` `readOnly`.
  public static func checkAppendable(_ drafts: [Entry.Draft], in journal: String) throws(JournalError) {
    guard let refusal = drafts.first(where: { $0.kind == .refused }) else { return }
    throw JournalError(
      .readOnly, journal: journal,
      message: """
        rejected the append: the draft \(refusal.id) is a refusal, which only the server of a synced journal writes. Nothing was written. \
        Leave it out: refusals change no state.
        """)
  }

  /// Creates the draft of a `refused` entry, which has the id of the refused draft.
  ///
  /// - Parameters:
  ///   - refusal: The reason.
  ///   - id: The id of the refused draft.
  ///   - time: The server's clock: microseconds since 1970-01-01 00:00 UTC.
  package init(refusing id: EntryID, _ refusal: Entry.Refusal, time: Int64) {
    // Written by hand, so that it cannot fail: a code is a word, and a hash has hexadecimal digits alone.
    let payload = JSONValue.object(["code": .string(refusal.code), "hash": .string(refusal.hash.description)])
    self.init(kind: .refused, id: id, time: time, payload: payload.data)
  }
}

extension Entry.Targets: Codable {
  private enum CodingKeys: String, CodingKey { case target, targets }

  /// Decodes an object with one target or with the list.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let target = try container.decodeIfPresent(EntryID.self, forKey: .target) {
      self.init(byRule: target)
    } else {
      self.init(try container.decode([EntryID].self, forKey: .targets))
    }
  }

  /// Encodes an object with one target or with the list.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if isByRule { try container.encode(targets[0], forKey: .target) } else { try container.encode(targets, forKey: .targets) }
  }
}

extension Entry.Refusal: Codable {
  private enum CodingKeys: String, CodingKey { case code, hash }

  /// Decodes an object of the two parts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(String.self, forKey: .code)
    let digits = try container.decode(String.self, forKey: .hash)
    guard let hash = Checksum(hexadecimal: digits) else {
      throw DecodingError.dataCorruptedError(forKey: .hash, in: container, debugDescription: "a hash has 32 hexadecimal digits")
    }
    self.hash = hash
  }

  /// Encodes an object of the two parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(hash.description, forKey: .hash)
  }
}
