#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The time and the author of a change, and the source of its fresh ids.
///
/// ``Alterable/apply(_:at:)`` is a pure function and cannot read a clock or a random generator. The stamp supplies both: ``date`` and
/// ``time`` for the current time, ``uuid(_:)`` for new ids.
///
/// ```swift
/// struct Log: Alterable {
///   enum Change: Hashable, Codable { case note(String) }
///   struct Entry: Hashable, Codable, Identifiable, Sendable { let id: UUID, text: String, date: Date? }
///   private(set) var entries: [Entry] = []
///
///   mutating func apply(_ change: Change, at stamp: Stamp) {
///     switch change {
///     case .note(let text): entries.append(Entry(id: stamp.uuid(), text: text, date: stamp.date))
///     }
///   }
/// }
/// ```
///
/// ## Replay
///
/// The store creates a stamp once for each batch of changes and journals its time, origin and sequence, so that a replay, a rebase or a
/// retry receives the same time and the same ids as the original. The changes of a batch differ only in their ``index``.
///
/// ## Time
///
/// Times are microseconds since 1970-01-01 00:00 UTC, by the clock of the replica that made the change. They are advisory, because clocks
/// differ; revisions define the order.
///
/// ## Outside a store
///
/// There is no time outside a store: `alter` uses ``none`` by default. Its ``date`` is nil, ``mark(_:)`` leaves a property as it is, and
/// ``now()`` refuses. Its ids are the same at every run. A test, or an app without a store, passes a time:
///
/// ```swift
/// Log().alter(.note("At noon"), at: noon).entries[0].date == noon
/// ```
///
/// ## Complexity
///
/// A stamp is a small value without references; each operation costs O(1). ``uuid(_:)`` computes one short hash.
public struct Stamp: Sendable, Hashable {
  /// Microseconds since 1970-01-01 00:00 UTC. ``none`` has 0, which is no time: ``date`` is nil.
  public let time: Int64

  /// The store replica that made the change.
  public let origin: Origin

  /// The number of the batch at its origin: 1, 2, 3 …
  public let sequence: Int64

  /// The position of the change in its batch, from 0.
  public var index: Int

  /// Creates a stamp with the given parts.
  ///
  /// - Parameters:
  ///   - time: Microseconds since 1970 UTC.
  ///   - origin: The store replica.
  ///   - sequence: The batch's number at its origin.
  ///   - index: The change's position in the batch, from 0.
  @inlinable
  public init(time: Int64, origin: Origin, sequence: Int64, index: Int = 0) {
    self.time = time
    self.origin = origin
    self.sequence = sequence
    self.index = index
  }

  /// Creates the stamp of a change that is made outside a store at a date, without an author.
  @usableFromInline
  init(_ date: Date) { self.init(time: date.microseconds, origin: .none, sequence: 1) }

  /// No stamp: the default of `alter` outside a store. It has no time.
  public static let none = Stamp(time: 0, origin: .none, sequence: 0)

  /// Whether this is ``none``, with any ``index``.
  @usableFromInline
  var isNone: Bool { sequence == 0 && time == 0 && origin == .none }

  /// The time of the change, to the microsecond; nil for ``none``, which has no time.
  @inlinable
  public var date: Date? { isNone ? nil : Date(microseconds: time) }

  /// Sets a property to the time of the change. With ``none`` the property stays as it is.
  ///
  /// ```swift
  /// case .watered: stamp.mark(&wateredAt)
  /// ```
  ///
  /// - Parameter property: The time of the latest change of some kind; nil if there was none.
  @inlinable
  public func mark(_ property: inout Date?) {
    if let date { property = date }
  }

  /// Returns the time of the change, for a change that has no meaning without one.
  ///
  /// ```swift
  /// case .begin: phase = .fasting(since: try stamp.now())
  /// ```
  ///
  /// - Throws: ``Refusal`` with the code 'untimed' for ``none``: pass a time to `alter`.
  @inlinable
  public func now() throws(Refusal) -> Date {
    guard let date else {
      throw .custom(code: "untimed", message: "This change needs a time. Outside a store, pass it: 'alter(change, at: date)'.")
    }
    return date
  }

  /// Returns the n-th fresh id of this change: the same at every replay and on every machine, and different for every change.
  ///
  /// The id is a keyed hash (SipHash-2-4 with 128 bits of output, keyed by the origin) of the sequence, the index and `n`, in the form of a
  /// version 8 UUID (RFC 9562). It is as unique as the origin is random; it is no secret. With ``none`` it depends on the index and `n`
  /// alone, so a test gets the same ids at every run.
  ///
  /// - Parameter n: The number of the id, for a change that needs several; 0 by default.
  public func uuid(_ n: Int = 0) -> UUID {
    var hash = SipHash128(key: origin.uuid)
    hash.combine(UInt64(bitPattern: sequence))
    hash.combine(UInt64(bitPattern: Int64(index)))
    hash.combine(UInt64(bitPattern: Int64(n)))
    let (high, low) = hash.finalize()
    return UUID(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x0000_0000_0000_8000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}

extension Date {
  /// Creates the date at a number of microseconds after 1970-01-01 00:00 UTC: always the same `Double` for the same number.
  ///
  /// - Parameter microseconds: Microseconds since 1970 UTC.
  @inlinable
  public init(microseconds: Int64) {
    // Whole seconds and the rest apart: the sum is then the double nearest to the exact value for every date of the last and
    // the next few thousand years.
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.init(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(rest) / 1_000_000)
  }

  /// Microseconds since 1970-01-01 00:00 UTC, rounded to the nearest; dates outside the range are clamped.
  @inlinable
  public var microseconds: Int64 {
    let value = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
    // ±9.0e18 is inside Int64 with room for the epoch's offset.
    guard value.isFinite else { return value == .infinity ? .max : value == -.infinity ? .min : 0 }
    guard abs(value) < 8_000_000_000_000_000_000 else { return value > 0 ? .max : .min }
    return Int64(value) + 978_307_200_000_000
  }
}

extension UUID {
  /// Creates a UUID from two 64-bit halves, big-endian.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    let h = high.bigEndian
    let l = low.bigEndian
    self = withUnsafeBytes(of: (h, l)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The two 64-bit halves, big-endian.
  @inlinable
  package var halves: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid) {
      (
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }
}
