import AlterCore
import AlterJournal
import AlterSyncCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The last entries of a journal, each with its line of a message: devices that follow a journal ask for the same ones.
///
/// They end at a head. A page is only taken from here if that head, or an entry here with the same checksum, is the one at which it has to end: so it
/// does not matter which process has appended them, and whether the journal was restored meanwhile.
struct RecentEntries: Sendable {
  private var entries: [SyncEntry] = []
  private var lines: [Data] = []
  /// The memory of each entry, by ``size(of:_:)``.
  private var sizes: [Int] = []
  /// The head after the last entry; nil if there are none.
  private var end: Head?
  private var bytes = 0
  private let share: RecentBytes.Share

  /// - Parameter all: The bytes of all journals of the process.
  init(_ all: RecentBytes) { share = RecentBytes.Share(of: all) }

  /// Adds entries.
  ///
  /// - Parameters:
  ///   - new: Consecutive entries.
  ///   - start: The head before them. Entries that do not end there are forgotten.
  ///   - end: The head after them.
  mutating func add(_ new: [SyncEntry], from start: Head, to end: Head) {
    guard !new.isEmpty else { return }
    if self.end != start { clear() }
    for entry in new {
      let line = SyncMessage.encode(entry)
      entries.append(entry)
      lines.append(line)
      sizes.append(Self.size(of: entry, line))
      bytes += sizes[sizes.count - 1]
    }
    self.end = end
    while !share.holds(bytes) {
      guard entries.count > 1 else { return clear() }
      let count = (entries.count + 1) / 2
      bytes -= sizes.prefix(count).reduce(0, +)
      // New arrays: the old ones would keep the memory of what they have lost.
      (entries, lines, sizes) = (Array(entries.dropFirst(count)), Array(lines.dropFirst(count)), Array(sizes.dropFirst(count)))
    }
  }

  /// The memory of an entry in bytes, about: a journal's entries of a hundred bytes take ten times as much here.
  static func size(of entry: SyncEntry, _ line: Data) -> Int {
    // The arrays grow by doubling; the payload is there as stored and as a draft has it. Each piece of data has a header, and is rounded up.
    let places = SyncEntry.size + MemoryLayout<Data>.stride + MemoryLayout<Int>.stride
    return places * 3 / 2 + line.count + entry.stored.payload.count + 256
  }

  private mutating func clear() {
    (entries, lines, sizes, end, bytes) = ([], [], [], nil, 0)
    _ = share.holds(0)
  }

  /// Whether entries up to a head are newer than these.
  func isBehind(_ head: Head) -> Bool { end.map { $0.revision < head.revision || $0.journal != head.journal } ?? true }

  /// Returns the head at a revision; nil if it is not known here.
  func head(at revision: Revision, of journal: JournalID) -> Head? {
    guard let place = place(of: revision), end?.journal == journal else { return nil }
    return Head(journal: journal, revision: revision, checksum: entries[place].checksum)
  }

  /// Returns the entries after a revision up to a head, within limits, with their lines; nil if they are not all here.
  func entries(after revision: Revision, to head: Head, limits: SyncLimits) -> (entries: ArraySlice<SyncEntry>, lines: ArraySlice<Data>)? {
    guard let first = place(of: revision.next), let last = place(of: head.revision), last >= first,
      self.head(at: head.revision, of: head.journal) == head
    else { return nil }
    var bytes: Int64 = 0
    var next = first
    while next <= last, next - first < max(1, limits.entriesPerPage) {
      bytes = bytes.saturatingAdding(entries[next].stored.size)
      guard bytes <= limits.bytesPerPage || next == first else { break }
      next += 1
    }
    return (entries[first..<next], lines[first..<next])
  }

  private func place(of revision: Revision) -> Int? {
    guard let first = entries.first?.revision, revision >= first else { return nil }
    let place = Int(revision - first)
    return place < entries.count ? place : nil
  }
}

/// The memory that the recent entries of all journals of a process occupy, in bytes.
///
/// Each journal has some bytes of its own; beyond them it takes part in a common limit.
package final class RecentBytes: Sendable {
  /// The bytes that each journal may have in any case: some thirty small entries.
  static let own = 32 << 10

  private let limit: Int
  private let taken = Lock(0)

  /// - Parameter limit: The bytes beyond those that each journal has.
  package init(limit: Int = 64 << 20) { self.limit = limit }

  /// The part of one journal.
  final class Share: Sendable {
    private let all: RecentBytes
    private let taken = Lock(0)

    init(of all: RecentBytes) { self.all = all }

    deinit { _ = holds(0) }

    /// Takes or gives back bytes.
    ///
    /// - Parameter bytes: The bytes of the journal.
    /// - Returns: False if there is no place for them. Then nothing has changed.
    func holds(_ bytes: Int) -> Bool {
      let wanted = max(0, bytes - RecentBytes.own)
      return taken.withLock { taken in
        let difference = wanted - taken
        let isThere = all.taken.withLock { sum in
          guard difference <= 0 || sum + difference <= all.limit else { return false }
          sum += difference
          return true
        }
        if isThere { taken = wanted }
        return isThere
      }
    }
  }
}
