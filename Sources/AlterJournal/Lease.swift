public import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The right to do something alone, for a while: what a journal grants to one replica at a time, by name.
///
/// A lease runs out by the journal's clock unless it is renewed, and another replica may then take it over; each takeover raises the epoch. A journal that
/// knows that the holder is dead, as one in a SQLite file does after `kill -9`, lets others take over at once.
/// A writer presents its lease with its appends: once another replica has taken over, they are rejected (*fencing*), however late they
/// come and whatever the old holder believes.
///
/// Source of the idea of fencing tokens: Cary G. Gray and David R. Cheriton, "Leases" (1989), and the generation clocks of consensus systems.
public struct Lease: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What it is a right to.
  public let name: String
  /// Who has it.
  public let holder: Origin
  /// 1, 2, 3 …: raised by each takeover, never lowered.
  public let epoch: Int64
  /// When it runs out, by the journal's clock: microseconds since 1970 UTC.
  public let expires: Int64

  /// The longest time for which one is granted, and for which one that is stored is believed: a day. Whoever needs it for longer renews it.
  public static let longest: Duration = .seconds(86_400)

  /// A lease as granted. Journals make them.
  public init(name: String, holder: Origin, epoch: Int64, expires: Int64) {
    self.name = name
    self.holder = holder
    self.epoch = epoch
    self.expires = expires
  }

  /// When it runs out, for people: as in `2026-12-01T09:30:00.25Z`, by the journal's clock.
  package var end: String { DateCoding.text(of: Date(microseconds: expires)) ?? "\(expires) microseconds after 1970" }

  /// As in `sync, epoch 3`.
  public var description: String { "\(name), epoch \(epoch)" }
}

/// What a journal keeps of a lease: a pure value that decides who gets it.
package struct LeaseRecord: Sendable, Hashable {
  /// Who had it last.
  package var holder: Origin
  /// How often it changed hands.
  package var epoch: Int64
  /// When it was granted or renewed last, by the journal's clock.
  package var granted: Int64
  /// When it runs out; not after `granted` once it was given back.
  package var expires: Int64

  /// A record as stored.
  package init(holder: Origin, epoch: Int64, granted: Int64, expires: Int64) {
    self.holder = holder
    self.epoch = epoch
    self.granted = granted
    self.expires = expires
  }

  /// ``Lease/longest`` in microseconds.
  package static let longest: Int64 = Lease.longest.components.seconds * 1_000_000

  /// When it runs out: a stored time may be any number, and none lasts longer than the longest that is granted.
  package var end: Int64 { min(expires, granted.saturatingAdding(Self.longest)) }

  /// Whether it is in force. A clock that was set back to before the grant ends it: two who believe that they hold it are told apart by
  /// the epoch, while one that never ends would block everybody.
  package func isValid(at now: Int64) -> Bool { granted <= now && now < end }

  /// The record after a replica asked for the lease.
  ///
  /// - Parameters:
  ///   - old: What is stored, if anything is.
  ///   - holder: Who asks.
  ///   - duration: For how long.
  ///   - now: The journal's clock, in microseconds since 1970 UTC.
  ///   - isHolderDead: Whether the present holder is known to be dead, so that its lease need not run out first. Asked only when that matters.
  /// - Returns: What to store; nil when somebody else has it.
  package static func granting(
    _ old: LeaseRecord?, to holder: Origin, for duration: Duration, at now: Int64, isHolderDead: () -> Bool = { false }
  ) -> LeaseRecord? {
    let (seconds, attoseconds) = duration.components
    let length = min(min(max(seconds, 0), longest) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000, longest)
    var record = old ?? LeaseRecord(holder: holder, epoch: 1, granted: now, expires: now)
    if record.holder != holder {
      // A stored epoch may be any number. After the largest none can be raised: `refusal` tells of that.
      guard !record.isValid(at: now) || isHolderDead(), record.epoch < .max else { return nil }
      record.holder = holder
      record.epoch += 1
    }
    record.granted = now
    record.expires = now.saturatingAdding(length)
    return record
  }

  /// Why somebody else can't have the lease: its holder has it, or it can't be taken over any more.
  package func refusal(of name: String, at now: Int64, in journal: String) -> JournalError {
    if isValid(at: now) || epoch < .max { return .leased(journal, lease(name)) }
    return .damaged(journal, "the lease '\(name)' has expired, and its epoch is the largest number, so no other replica can take it over")
  }

  /// The lease that it stands for.
  package func lease(_ name: String) -> Lease { Lease(name: name, holder: holder, epoch: epoch, expires: end) }
}
