public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A stored state that saves replaying a journal from its beginning. A snapshot is only a cache: it may be lost.
///
/// ```
///   1 … entries … base ─── entries ─── head ─── entries …
///                 │                     └ undos and redos up to here are applied
///                 └ the payload contains the entries up to here
/// ```
///
/// A snapshot has two positions. Its payload is the state of the entries up to ``base``, without the entries that are undone at ``head``.
/// A reader that starts from the snapshot reads the entries between the two positions again, so that an undo after ``head`` can still find
/// the entries that it undoes. `Design/0007-snapshots.md` gives the reason, and specifies when snapshots are made.
public struct Snapshot: Sendable, Hashable {
  /// The description of a stored snapshot, without its payload.
  public struct Place: Sendable, Hashable {
    /// The revision of its head. It identifies the snapshot in its journal.
    public let revision: Revision
    /// The revision of its base.
    public let base: Revision
    /// The schema version of its payload.
    public let schema: Int
    /// The fingerprint of the stored form of its payload; 0 if its maker states none.
    public let form: Int64
    /// The sum of the sizes of the entries up to its head, in bytes.
    public let written: Int64
    /// The size of its payload in bytes.
    public let size: Int

    /// Creates a description with the given parts.
    ///
    /// - Parameters:
    ///   - revision: The revision of the snapshot's head.
    ///   - base: The revision of its base.
    ///   - schema: The schema version of its payload.
    ///   - form: The fingerprint of the stored form of its payload.
    ///   - written: The size of the entries up to its head, in bytes.
    ///   - size: The size of its payload in bytes.
    public init(revision: Revision, base: Revision, schema: Int, form: Int64 = 0, written: Int64, size: Int) {
      self.revision = revision
      self.base = base
      self.schema = schema
      self.form = form
      self.written = written
      self.size = size
    }
  }

  /// The entry up to which undos and redos are applied to the payload.
  public let head: Head
  /// The last entry whose changes the payload contains.
  public let base: Head
  /// The schema version of the payload.
  public let schema: Int
  /// The fingerprint of the stored form of the state's type, by which builds of one schema version tell their snapshots apart:
  /// `Design/0007-snapshots.md`. 0 if its maker states none; then each build of the schema version uses it.
  public let form: Int64
  /// The sum of the sizes of the entries up to the head, in bytes. It determines when the next snapshot is due.
  public let written: Int64
  /// The state as JSON.
  public let payload: Data
  /// The checksum of all fields above.
  public let checksum: Checksum

  /// Creates a snapshot with the given parts.
  ///
  /// - Parameters:
  ///   - head: The entry up to which undos and redos are applied.
  ///   - base: The last entry whose changes the payload contains.
  ///   - schema: The schema version of the payload.
  ///   - form: The fingerprint of the stored form of the payload; 0 for none.
  ///   - written: The size of the entries up to the head, in bytes.
  ///   - payload: The state as JSON.
  ///   - checksum: The stored checksum; nil to compute it.
  /// - Complexity: O(bytes of the payload) without a checksum, otherwise O(1).
  public init(head: Head, base: Head, schema: Int, form: Int64 = 0, written: Int64, payload: Data, checksum: Checksum? = nil) {
    self.head = head
    self.base = base
    self.schema = schema
    self.form = form
    self.written = written
    self.payload = payload
    self.checksum = checksum ?? Self.checksum(head: head, base: base, schema: schema, form: form, written: written, payload: payload)
  }

  /// Whether the checksum matches the other fields.
  ///
  /// - Complexity: O(bytes of the payload).
  package var isSound: Bool {
    checksum == Self.checksum(head: head, base: base, schema: schema, form: form, written: written, payload: payload)
  }

  /// The description of this snapshot, without its payload.
  package var place: Place {
    Place(revision: head.revision, base: base.revision, schema: schema, form: form, written: written, size: payload.count)
  }

  /// Computes the checksum: SipHash-2-4-128, keyed by the checksum of the head's entry. The layout is in `Design/0007-snapshots.md`.
  private static func checksum(head: Head, base: Head, schema: Int, form: Int64, written: Int64, payload: Data) -> Checksum {
    var hash = SipHash128(key0: head.checksum.high, key1: head.checksum.low)
    let journal = head.journal.uuid.halves
    hash.combine(journal.high)
    hash.combine(journal.low)
    hash.combine(UInt64(bitPattern: head.revision.number))
    hash.combine(UInt64(bitPattern: base.revision.number))
    hash.combine(base.checksum.high)
    hash.combine(base.checksum.low)
    hash.combine(UInt64(bitPattern: Int64(schema)))
    if form != 0 { hash.combine(UInt64(bitPattern: form)) }
    hash.combine(UInt64(bitPattern: written))
    hash.combine(UInt64(payload.count))
    payload.withUnsafeBytes { hash.combine(bytes: $0) }
    let (high, low) = hash.finalize()
    return Checksum(high: high, low: low)
  }
}

extension Snapshot {
  /// Whether the build of the app that has made the snapshot reads at least as many names as another one of the same schema version, so that its
  /// state lacks no value that the other one knows. A maker that states no fingerprint is trusted.
  package func hasAllNames(of form: Int64) -> Bool { place.hasAllNames(of: form) }
}

extension Snapshot.Place {
  /// The same, for a description.
  package func hasAllNames(of form: Int64) -> Bool { self.form == 0 || form >> 48 <= self.form >> 48 }

  /// Whether a build of the same schema version may hand the state on: it has made the snapshot itself, or one that reads more names has. As many
  /// names may be other ones.
  package func isComplete(for form: Int64) -> Bool { self.form == 0 || self.form == form || form >> 48 < self.form >> 48 }
}

extension Journaled {
  /// The fingerprint of the stored forms of the state and of its changes: a positive number.
  ///
  /// - Complexity: O(1), but for the first call for a type.
  package static var form: Int64 {
    let type = ObjectIdentifier(Self.self)
    if let known = forms.withLock({ $0[type] }) { return known }
    let form = StoredFormDescription.fingerprint(of: [Self.self, Change.self])
    forms.withLock { $0[type] = form }
    return form
  }
}

/// The fingerprints of the types that were requested.
private let forms = Lock<[ObjectIdentifier: Int64]>([:])
