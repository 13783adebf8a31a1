import AlterCore

/// The space of a file that is free for later entries.
package struct FreeSpace: Sendable, Hashable {
  /// The free bytes.
  package let bytes: Int64
  /// Whether a compaction returns free bytes to the system in steps. Otherwise only ``/AlterJournal/Journal/vacuumed()`` does.
  package let isReturned: Bool

  package init(bytes: Int64, isReturned: Bool) { (self.bytes, self.isReturned) = (bytes, isReturned) }
}

/// A journal in a file whose free space is known.
package protocol FileSpaceJournal: Journal {
  /// Returns the space that is free in the file.
  func freeSpace() async throws(JournalError) -> FreeSpace
}
