public import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An exclusive right for a limited time. A journal grants a lease of one name to one replica at a time.
///
/// A lease expires by the journal's clock unless it is renewed. Another replica may then take it over, and each takeover raises the epoch.
/// A journal that can detect that the holder is dead, such as a SQLite file after `kill -9`, permits a takeover at once. A writer presents
/// its lease with its appends. Once another replica has taken over, the journal rejects them (*fencing*).
///
/// Sources: Cary G. Gray and David R. Cheriton, "Leases" (1989), and the generation clocks of consensus systems.
public struct Lease: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name of the lease.
  public let name: String
  /// The replica that holds it.
  public let holder: Origin
  /// 1, 2, 3 …: raised by each takeover, and never lowered.
  public let epoch: Int64
  /// The time at which it expires, by the journal's clock: microseconds since 1970-01-01 00:00 UTC.
  public let expires: Int64

  /// The longest time until a lease expires: one day. Stored leases that claim a longer time are shortened to it. Renew a lease to hold it
  /// longer.
  package static let longest: Duration = .seconds(86_400)

  /// Creates a lease with the given parts. Journals create leases.
  public init(name: String, holder: Origin, epoch: Int64, expires: Int64) {
    self.name = name
    self.holder = holder
    self.epoch = epoch
    self.expires = expires
  }

  /// The time at which it expires as text, as in `2026-12-01T09:30:00.25Z`, by the journal's clock.
  package var end: String { DateText.description(of: Date(microseconds: expires)) }

  /// As in `sync, epoch 3`.
  public var description: String { "\(name), epoch \(epoch)" }
}

/// The stored form of a lease, and the rules for granting it.
package struct LeaseRecord: Sendable, Hashable {
  /// The last holder.
  package var holder: Origin
  /// The number of holders so far: 1 for the first, raised by each takeover.
  package var epoch: Int64
  /// The time at which it was last granted or renewed, by the journal's clock, in microseconds since 1970 UTC.
  package var granted: Int64
  /// The time at which it expires, in the same unit. Not after `granted` once the lease was released.
  package var expires: Int64

  /// Creates a record with the given parts, as stored.
  package init(holder: Origin, epoch: Int64, granted: Int64, expires: Int64) {
    self.holder = holder
    self.epoch = epoch
    self.granted = granted
    self.expires = expires
  }

  /// ``Lease/longest`` in microseconds.
  package static let longest: Int64 = Lease.longest.components.seconds * 1_000_000

  /// The time at which the lease expires, at most ``Lease/longest`` after it was granted. (A damaged record may hold any number.)
  package var end: Int64 { min(expires, granted.saturatingAdding(Self.longest)) }

  /// Whether the lease is in force. A clock that was set back to before the grant ends it: two replicas that both believe to hold the lease
  /// are distinguished by the epoch, whereas a lease that never expired would block every other replica.
  package func isValid(at now: Int64) -> Bool { granted <= now && now < end }

  /// Returns the record after a replica requested the lease.
  ///
  /// - Parameters:
  ///   - old: The stored record, if any.
  ///   - holder: The replica that requests the lease.
  ///   - duration: The requested time until it expires.
  ///   - now: The journal's clock, in microseconds since 1970 UTC.
  ///   - isHolderDead: Whether the present holder is known to be dead, so that its lease may be taken over before it expires. Called only
  ///     if the lease is in force.
  /// - Returns: The record to store; nil if the lease is refused.
  package static func granting(
    _ old: LeaseRecord?, to holder: Origin, for duration: Duration, at now: Int64, isHolderDead: () -> Bool = { false }
  ) -> LeaseRecord? {
    var record = old ?? LeaseRecord(holder: holder, epoch: 1, granted: now, expires: now)
    if record.holder != holder {
      // A stored epoch may be any number. The largest cannot be raised; `refusal` reports that.
      guard !record.isValid(at: now) || isHolderDead(), record.epoch < .max else { return nil }
      record.holder = holder
      record.epoch += 1
    }
    record.granted = now
    record.expires = now.saturatingAdding(length(of: duration))
    return record
  }

  /// The time until a lease of a requested duration expires, in microseconds: 0 to ``longest``.
  package static func length(of duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return min(min(max(seconds, 0), longest) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000, longest)
  }

  /// Returns the reason for refusing the lease: another replica holds it, or its epoch cannot be raised.
  package func refusal(of name: String, at now: Int64, in journal: String) -> JournalError {
    if isValid(at: now) || epoch < .max { return .leased(journal, lease(name)) }
    return .damaged(journal, "the lease '\(name)' has expired, and its epoch is the largest number, so no other replica can take it over")
  }

  /// The lease of this record.
  package func lease(_ name: String) -> Lease { Lease(name: name, holder: holder, epoch: epoch, expires: end) }
}
