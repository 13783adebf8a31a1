public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A state, kept so that a journal need not be folded from its beginning: a cache, never the truth.
///
/// ```
///   1 … entries … base ─── entries ─── head ─── entries …
///                 │                     └ every undo up to here counts
///                 └ the state of the entries up to here
/// ```
///
/// It stands at two places. Its payload is the state of the entries up to ``base``, without those that are taken back at ``head``. The
/// entries between the two are read again by whoever starts from it, so an undo after ``head`` still finds what it takes back.
/// `Design/0007-snapshots.md` says why, and when snapshots are made.
public struct Snapshot: Sendable, Hashable {
  /// What is known of a kept snapshot without reading it.
  public struct Place: Sendable, Hashable {
    /// The revision of its head: what it is called by.
    public let revision: Revision
    /// The revision of its base.
    public let base: Revision
    /// The version of the state's schema that it is written in.
    public let schema: Int
    /// How many bytes the entries up to its head take; see ``Entry/size``.
    public let written: Int64
    /// How many bytes its payload has.
    public let size: Int

    /// What is known of a snapshot.
    ///
    /// - Parameters:
    ///   - revision: The revision of its head.
    ///   - base: The revision of its base.
    ///   - schema: The version of the state's schema.
    ///   - written: The bytes of the entries up to its head.
    ///   - size: The bytes of its payload.
    public init(revision: Revision, base: Revision, schema: Int, written: Int64, size: Int) {
      self.revision = revision
      self.base = base
      self.schema = schema
      self.written = written
      self.size = size
    }
  }

  /// Up to where undos and redos count.
  public let head: Head
  /// The last entry that is folded in.
  public let base: Head
  /// The version of the state's schema that the payload is written in.
  public let schema: Int
  /// How many bytes the entries up to the head take, by which the next snapshot is spaced.
  public let written: Int64
  /// The JSON of the state.
  public let payload: Data
  /// Covers everything above.
  public let checksum: Checksum

  /// A snapshot as read from where it is stored.
  ///
  /// - Parameters:
  ///   - head: Up to where undos count.
  ///   - base: The last entry that is folded in.
  ///   - schema: The version of the state's schema.
  ///   - written: The bytes of the entries up to the head.
  ///   - payload: The JSON of the state.
  ///   - checksum: As it was stored; nil to compute it.
  /// - Complexity: O(bytes of the payload) without a checksum.
  public init(head: Head, base: Head, schema: Int, written: Int64, payload: Data, checksum: Checksum? = nil) {
    self.head = head
    self.base = base
    self.schema = schema
    self.written = written
    self.payload = payload
    self.checksum = checksum ?? Self.checksum(head: head, base: base, schema: schema, written: written, payload: payload)
  }

  /// Whether it is what was stored: whether its checksum fits.
  ///
  /// - Complexity: O(bytes of the payload).
  public var isSound: Bool {
    checksum == Self.checksum(head: head, base: base, schema: schema, written: written, payload: payload)
  }

  /// What is known of it without reading it.
  public var place: Place {
    Place(revision: head.revision, base: base.revision, schema: schema, written: written, size: payload.count)
  }

  /// SipHash-2-4-128, keyed by the checksum of the head's entry. The layout is in `Design/0007-snapshots.md`.
  private static func checksum(head: Head, base: Head, schema: Int, written: Int64, payload: Data) -> Checksum {
    var hash = SipHash128(key0: head.checksum.high, key1: head.checksum.low)
    let journal = head.journal.uuid.halves
    hash.combine(journal.high)
    hash.combine(journal.low)
    hash.combine(UInt64(bitPattern: head.revision.number))
    hash.combine(UInt64(bitPattern: base.revision.number))
    hash.combine(base.checksum.high)
    hash.combine(base.checksum.low)
    hash.combine(UInt64(bitPattern: Int64(schema)))
    hash.combine(UInt64(bitPattern: written))
    hash.combine(UInt64(payload.count))
    payload.withUnsafeBytes { hash.combine(bytes: $0) }
    let (high, low) = hash.finalize()
    return Checksum(high: high, low: low)
  }
}

extension Entry {
  /// About how many bytes it takes where it is stored: its payload and cause, and 64 for the rest.
  ///
  /// Snapshots are spaced by it; see `Design/0007-snapshots.md`.
  public var size: Int64 { draft.size }
}

extension Entry.Draft {
  /// The largest entry that every journal takes, in bytes: 255 MiB. (PostgreSQL's takes 256 MiB an append, with what names the entry.)
  package static var largestSize: Int64 { 255 << 20 }

  /// About how many bytes the entry will take where it is stored.
  package var size: Int64 { Int64(payload.count + (cause?.count ?? 0) + 64) }
}
