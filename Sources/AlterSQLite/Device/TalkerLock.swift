#if SQLite
  import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The lock of the process that talks to the server for one journal of a device's file: an empty file beside the journal's, locked by
  /// `flock`.
  ///
  /// The kernel releases the lock when its process ends, however it ends. Waiting processes wait in the kernel's queue, without polling.
  /// Two processes that talk at once are harmless: so a lock file that was deleted, or a disk without locks, costs traffic and nothing else.
  ///
  /// Release the lock before the system suspends the app: iOS ends an app that is suspended while it holds a lock in a shared container
  /// (0xdead10cc). The holder writes a sign of life into the file (``renew()``): the others need not wait for a process that is stopped.
  package actor TalkerLock {
    private let lock: FileLock
    private let name: String
    private let path: String

    /// Creates the lock of a journal. Its file is created when the lock is first taken.
    package init(of journal: SQLiteJournal) {
      let location = journal.file.location
      path = location.talker(journal.journal.number)
      lock = FileLock(path: path, beside: location.path, name: journal.name)
      name = journal.name
    }

    /// Takes the lock. Waits without a limit while another process, or another object of this one, holds it; cancelling the task ends the
    /// wait. One task at a time may call this.
    ///
    /// - Parameter queued: Is called if another holder has the lock, before the wait.
    /// - Throws: `cancelled`; `unreachable` if something else is in the lock file's place; an error of the system.
    package func take(queued: @Sendable () -> Void) async throws(JournalError) {
      let wait = LockWait()
      let error = await withTaskCancellationHandler {
        await failure(of: wait, queued)
      } onCancel: {
        wait.giveUp(.cancelled(name))
      }
      if let error { throw error }
    }

    private func failure(of wait: LockWait, _ queued: @Sendable () -> Void) async -> JournalError? {
      do throws(JournalError) {
        while let place = try lock.takeOrJoin(for: "talk", waiting: wait) {
          queued()
          await withCheckedContinuation { continuation in
            wait.whenEnded(by: { .distantFuture }) { continuation.resume() }
          }
          try lock.adopt(place, after: wait, timeout: .zero)
        }
        return nil
      } catch {
        return error
      }
    }

    /// The process that holds the lock, as in `4711 todo talk 2026-11-21T09:30:00Z`; nil if none does.
    package nonisolated var holder: String? { FileLock.holder(path) }

    /// The time of the holder's last sign of life, in seconds since 1970 UTC; nil if the file is missing.
    package nonisolated var lastSign: Int64? {
      var status = stat()
      return stat(path, &status) == 0 ? Int64(modificationTime(of: status).tv_sec) : nil
    }

    private nonisolated func modificationTime(of status: stat) -> timespec {
      #if canImport(Darwin)
        return status.st_mtimespec
      #else
        return status.st_mtim
      #endif
    }

    /// Writes a sign of life. No effect if the lock is not held.
    package func renew() { lock.renew(for: "talk") }

    /// Releases the lock to the next waiting process. No effect if it is not held.
    package func release() { lock.release() }
  }
#endif
