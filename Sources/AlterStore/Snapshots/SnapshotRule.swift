import AlterCore
import AlterJournal

/// When a snapshot is due: a pure value. `Design/0007-snapshots.md` states the rule with its bounds.
///
/// A snapshot is due when at least ``spacing`` entries have come since the last one, and their bytes are at least those of the snapshot itself.
/// So all snapshots together never take more than the entries do, whatever the size of the state.
struct SnapshotRule: Sendable {
  /// How many entries lie between two snapshots, at least; `.max` for no snapshots.
  private(set) var spacing: Int
  /// The last revision that was counted.
  private(set) var revision: Revision = .zero
  /// The bytes of the entries up to ``revision``.
  private(set) var written: Int64 = 0
  /// The newest snapshot.
  private(set) var last: (revision: Revision, written: Int64) = (.zero, 0)
  /// The bytes of entries that must have come since the newest snapshot: its own, as far as they are known.
  private(set) var size: Int64 = 0

  init(spacing: Int) { self.spacing = max(1, spacing) }

  /// The same, with another spacing.
  func spaced(_ spacing: Int) -> SnapshotRule {
    var rule = self
    rule.spacing = max(1, spacing)
    return rule
  }

  /// Whether snapshots are made at all.
  var isOn: Bool { spacing < .max }

  /// An entry was written or read; one that was counted already is passed over.
  mutating func count(_ revision: Revision, _ size: Int64) {
    guard revision > self.revision else { return }
    self.revision = revision
    written += size
  }

  /// Takes over what another fold of the same journal has counted.
  mutating func count(through other: SnapshotRule) {
    guard other.revision > revision else { return }
    (revision, written) = (other.revision, other.written)
  }

  /// Goes on from a snapshot that is there.
  mutating func start(from place: Snapshot.Place) {
    revision = place.revision
    written = place.written
    see(place)
  }

  /// A snapshot is there, made by this store or another.
  mutating func see(_ place: Snapshot.Place) {
    guard place.revision > last.revision else { return }
    last = (place.revision, place.written)
    size = Int64(place.size)
  }

  /// Takes over what making a snapshot has found, while the counting went on.
  mutating func adopt(_ other: SnapshotRule) { (last, size) = (other.last, other.size) }

  /// A snapshot of this size would be too large as yet.
  ///
  /// A state that grows by what is written stays ahead of it. So the next try comes when twice as much has been written: a state of any growth is encoded
  /// a number of times that is logarithmic in what is written.
  mutating func postpone(size: Int64, at written: Int64) { self.size = max(size, 2 * (written - last.written)) }

  /// None could be made now: it is tried again a spacing later.
  mutating func skip() { last = (revision, written) }

  /// Whether a snapshot of what has been counted is due.
  var isDue: Bool { isOn && revision - last.revision >= spacing && written - last.written >= size }
}
