#if SQLite
  import AlterCore
  public import AlterJournal

  extension SQLiteJournal: FileSpaceJournal {
    package func freeSpace() async throws(JournalError) -> FreeSpace {
      try await read { reader, journal throws(JournalError) in try reader.freeSpace(of: journal) }
    }
  }

  extension SQLiteJournal: CompactableJournal {
    package func moveFloor(to pinned: Snapshot, seen: Head) async throws(JournalError) {
      try await write(for: "compact") { writer, journal throws(JournalError) in try writer.moveFloor(of: journal, to: pinned, seen: seen) }
    }

    package func removeBelowFloor() async throws(JournalError) -> Bool {
      try await write(for: "compact") { writer, journal throws(JournalError) in try writer.removeBelowFloor(of: journal) }
    }

    package func shrink() async throws(JournalError) -> Bool {
      try await write(for: "compact") { writer, journal throws(JournalError) in try writer.shrink(journal.name) }
    }

    package func compacted(_ ids: [EntryID]) async throws(JournalError) -> [EntryID: Revision] {
      try await read { reader, journal throws(JournalError) in try reader.compacted(ids, of: journal) }
    }

    /// Rewrites the whole file without the space that is free in it, after removing what an interrupted compaction has left.
    ///
    /// A compaction removes rows, but the pages of a file that was never rewritten stay in it, free for later entries. Once it was rewritten,
    /// each later compaction returns them to the system in steps. All writers of the file, in all processes, wait until the call is done.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `full` if the disk has no space for a second copy; `locked` if a reader keeps the write-ahead log, so
    ///   that the former content is still in the files: call it again when the reader has ended; `readOnly`, `failed`.
    /// - Complexity: O(size of the file).
    public func vacuum() async throws(JournalError) {
      // A compaction that was interrupted has left rows.
      while try await removeBelowFloor() {}
      try await write(for: "vacuum") { writer, journal throws(JournalError) in try writer.vacuum(journal.name) }
    }
  }
#endif
