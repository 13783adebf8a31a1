public import AlterCore

/// Where a journal ends: a token that an append must present.
///
/// It names a history, not merely a length: two journals of 40 entries that differ in one byte have different heads.
public struct Head: Sendable, Hashable, CustomStringConvertible {
  /// Which journal.
  public let journal: JournalID
  /// The revision of its last entry; 0 when it is empty.
  public let revision: Revision
  /// The checksum of its last entry.
  public let checksum: Checksum

  /// A head with the given parts.
  public init(journal: JournalID, revision: Revision, checksum: Checksum) {
    self.journal = journal
    self.revision = revision
    self.checksum = checksum
  }

  /// The head of an empty journal.
  public init(empty journal: JournalID) {
    self.init(journal: journal, revision: .zero, checksum: Checksum(start: journal))
  }

  /// The head once the entry is appended here.
  public func advanced(by entry: Entry) -> Head {
    Head(journal: journal, revision: entry.revision, checksum: entry.checksum)
  }

  /// Checks that an entry is the one that follows here, unharmed, and moves on to it.
  ///
  /// - Parameters:
  ///   - entry: The next entry as read.
  ///   - name: The journal's name, for the error.
  /// - Throws: ``JournalError`` with the code `damaged`, naming the revision and what is wrong with it.
  /// - Complexity: O(bytes of the entry).
  public mutating func verify(_ entry: Entry, in name: String) throws(JournalError) {
    guard entry.revision == revision.next else {
      throw .damaged(
        name, at: revision.next, "the entry is missing: revision \(revision) is followed by revision \(entry.revision)")
    }
    guard checksum.next(revision: entry.revision, draft: entry.draft) == entry.checksum else {
      throw .damaged(name, at: entry.revision, "its checksum does not match its content and the entry before it")
    }
    self = advanced(by: entry)
  }

  /// As in `revision 42 (9f2c…)`.
  public var description: String { "revision \(revision) (\(checksum.description.prefix(8)))" }
}
