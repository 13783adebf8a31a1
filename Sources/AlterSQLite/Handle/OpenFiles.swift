#if SQLite
  import AlterCore
  import AlterJournal

  /// The files that this process has open for writing. All handles of one path and durability share a file.
  ///
  /// A file that was moved, deleted or replaced, or whose connection has failed, stays with its handles; the next handle opens another one.
  final class OpenFiles: Sendable {
    private struct Place: Hashable {
      let path: String
      let durability: Durability
    }

    private struct Entry {
      var file: OpenFile?
      /// The handles that are being opened take turns, so that one opens the file and the others share it.
      let line = FileTurns()
      var openings = 0
    }

    static let shared = OpenFiles()

    private let entries = Lock<[Place: Entry]>([:])

    /// Opens a handle's journal, in a file that it shares if possible.
    func open(_ opening: Opening, waiting wait: LockWait) async throws(JournalError) -> (OpenFile, JournalRow) {
      let queue = WorkQueue("alter.sqlite.writer")
      let location = try await queue.run { () throws(JournalError) in try opening.location() }
      guard !opening.isReadOnly else { return try await openNew(opening, at: location, on: queue, waiting: wait) }
      let place = Place(path: location.path, durability: opening.durability)
      let line = entries.withLock { entries in
        entries[place, default: Entry()].openings += 1
        return entries[place, default: Entry()].line
      }
      defer {
        entries.withLock { entries in
          entries[place]?.openings -= 1
          if entries[place]?.openings == 0, entries[place]?.file == nil { entries[place] = nil }
        }
      }
      if let shared = try await share(opening, at: location, in: place, on: queue, waiting: wait) { return shared }
      guard await line.take(wait, timeout: opening.lockTimeout) else {
        if case .givenUp(let error) = wait.current { throw error }
        throw FileLock.isInUse(opening.name, path: location.lock, for: opening.lockTimeout)
      }
      defer { line.pass() }
      if let shared = try await share(opening, at: location, in: place, on: queue, waiting: wait) { return shared }
      let (file, row) = try await openNew(opening, at: location, on: queue, waiting: wait)
      entries.withLock { $0[place]?.file = file }
      return (file, row)
    }

    private func openNew(
      _ opening: Opening, at location: FileLocation, on queue: WorkQueue, waiting wait: LockWait
    ) async throws(JournalError) -> (OpenFile, JournalRow) {
      let opened = try await queue.run { () throws(JournalError) in try opening.open(location, waiting: wait) }
      return (OpenFile(opened, durability: opening.durability, writing: queue), opened.row)
    }

    /// Opens the journal in a file that other handles have open; nil if there is none.
    private func share(
      _ opening: Opening, at location: FileLocation, in place: Place, on queue: WorkQueue, waiting wait: LockWait
    ) async throws(JournalError) -> (OpenFile, JournalRow)? {
      guard let file = entries.withLock({ $0[place]?.file }), let writer = file.writer, !writer.hasFailed,
        await queue.run({ FileStatus(path: location.path)?.isSameFile(as: file.status) == true }), file.retain()
      else { return nil }
      let (key, name) = (opening.key, opening.name)
      do throws(JournalError) {
        if let row = try await file.reading.run({ () throws(JournalError) in try file.reader.find(key: key, name: name) }) {
          return (file, row)
        }
        let row = try await file.exclusively(for: "open", by: name, waiting: wait, timeout: opening.lockTimeout) {
          writer throws(JournalError) in try writer.findOrMake(key: key, name: name)
        }
        return (file, row)
      } catch {
        await file.release(timeout: opening.lockTimeout)
        throw error
      }
    }

    /// Forgets a file whose last handle was closed.
    func remove(_ file: OpenFile) {
      let place = Place(path: file.location.path, durability: file.durability)
      entries.withLock { entries in
        guard entries[place]?.file === file else { return }
        entries[place]?.file = nil
        if entries[place]?.openings == 0 { entries[place] = nil }
      }
    }
  }
#endif
