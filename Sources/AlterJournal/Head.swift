public import AlterCore

/// The end of a journal: the token that an append must present.
///
/// A head identifies the whole history, not only its length: two journals of 40 entries that differ in one byte have different heads.
public struct Head: Sendable, Hashable, CustomStringConvertible {
  /// The id of the journal.
  public let journal: JournalID
  /// The revision of the last entry; 0 if the journal is empty.
  public let revision: Revision
  /// The checksum of the last entry; derived from the journal's id if the journal is empty.
  public let checksum: Checksum

  /// Creates a head with the given parts.
  public init(journal: JournalID, revision: Revision, checksum: Checksum) {
    self.journal = journal
    self.revision = revision
    self.checksum = checksum
  }

  /// Creates the head of an empty journal.
  public init(empty journal: JournalID) {
    self.init(journal: journal, revision: .zero, checksum: Checksum(start: journal))
  }

  /// Returns the head after an entry has been appended here. The entry is not verified.
  public func advanced(by entry: Entry) -> Head {
    Head(journal: journal, revision: entry.revision, checksum: entry.checksum)
  }

  /// Verifies that an entry is undamaged and follows this head, then advances the head to it.
  ///
  /// - Parameters:
  ///   - entry: The next entry, as read.
  ///   - name: The name of the journal, for errors.
  /// - Throws: ``JournalError`` `damaged` with the revision and the problem. The head is not advanced then.
  /// - Complexity: O(bytes of the entry).
  package mutating func verify(_ entry: Entry, in name: String) throws(JournalError) {
    guard entry.revision == revision.next else {
      throw .damaged(
        name, at: revision.next, "the entry is missing: revision \(revision) is followed by revision \(entry.revision)")
    }
    guard checksum.next(revision: entry.revision, draft: entry.draft, receipt: entry.receipt) == entry.checksum else {
      throw .damaged(name, at: entry.revision, "its checksum does not match its content and the entry before it")
    }
    self = advanced(by: entry)
  }

  /// The revision and the first eight digits of the checksum, as in `revision 42 (9f2c61d0)`.
  public var description: String { "revision \(revision) (\(checksum.description.prefix(8)))" }
}
