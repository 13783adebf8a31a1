import AlterCore
import AlterJournal

/// Decides when a snapshot is due: a pure value. `Design/0007-snapshots.md` states the rule with its bounds.
///
/// A snapshot is due when at least ``spacing`` entries were written since the last one, and their bytes are at least those of the snapshot
/// itself. All snapshots together therefore never take more space than the entries, whatever the size of the state.
struct SnapshotRule: Sendable {
  /// The minimum number of entries between two snapshots; `.max` for no snapshots.
  private(set) var spacing: Int
  /// The last revision that was counted.
  private(set) var revision: Revision = .zero
  /// The bytes of the entries up to ``revision``.
  private(set) var written: Int64 = 0
  /// The newest snapshot.
  private(set) var last: (revision: Revision, written: Int64) = (.zero, 0)
  /// The bytes that must be written after the newest snapshot before the next one: the newest one's size, if that is known.
  private(set) var size: Int64 = 0

  init(spacing: Int) { self.spacing = max(1, spacing) }

  /// Returns the same rule with another spacing.
  func spaced(_ spacing: Int) -> SnapshotRule {
    var rule = self
    rule.spacing = max(1, spacing)
    return rule
  }

  /// Whether snapshots are made at all.
  var isOn: Bool { spacing < .max }

  /// Counts an entry that was written or read. An entry that was counted already is ignored.
  mutating func count(_ revision: Revision, _ size: Int64) {
    guard revision > self.revision else { return }
    self.revision = revision
    written += size
  }

  /// Adopts the count of another fold of the same journal, if that has counted more.
  mutating func count(through other: SnapshotRule) {
    guard other.revision > revision else { return }
    (revision, written) = (other.revision, other.written)
  }

  /// Starts counting at an existing snapshot.
  mutating func start(from place: Snapshot.Place) {
    revision = place.revision
    written = place.written
    see(place)
  }

  /// Records that a snapshot exists, made by this store or another.
  mutating func see(_ place: Snapshot.Place) {
    guard place.revision > last.revision else { return }
    last = (place.revision, place.written)
    size = Int64(place.size)
  }

  /// Adopts the result of making a snapshot, while the counting has continued.
  mutating func adopt(_ other: SnapshotRule) { (last, size) = (other.last, other.size) }

  /// Records that a snapshot of this size would be too large for the bytes written so far.
  ///
  /// A state that grows with every entry may stay ahead of the bytes written. The next attempt therefore waits for twice as many bytes. A
  /// state is encoded a number of times that is at most logarithmic in the bytes written, however it grows.
  mutating func postpone(size: Int64, at written: Int64) { self.size = max(size, 2 * (written - last.written)) }

  /// Records that no snapshot could be made now. The next attempt follows after ``spacing`` entries.
  mutating func skip() { last = (revision, written) }

  /// Whether a snapshot of the counted entries is due.
  var isDue: Bool { isOn && revision - last.revision >= spacing && written - last.written >= size }
}
