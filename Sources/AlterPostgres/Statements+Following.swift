#if Postgres
  // Following: the notifications and the writers' lock. These statements name no table.
  extension Statements {
    /// The notification channel. All schemas of a database share it.
    static let channel = "alter"

    /// The key of the lock that connections hold while they may append entries: shared, and for the whole database. A hash, because other
    /// applications have locks, too.
    private static let writersKey = "hashtextextended('alter writers', 0)"

    /// Takes the writers' lock for the connection, without waiting. Returns whether it was granted: only an exclusive lock of another
    /// application with the same key prevents that. The transaction need not wait for the server's disk.
    static let writersLock = "SELECT pg_try_advisory_lock_shared(\(writersKey)), set_config('synchronous_commit', 'off', true)"

    /// Wakes the followers, after ``writersLock`` in the same transaction. It is a command, so no role lacks the right to it.
    static let announcement = "NOTIFY \(channel), 'writing'"

    /// Returns the number of the server's process, if it listens and no connection holds the writers' lock; otherwise no row.
    ///
    /// It reads the server's list of locks, because trying to take the lock would disturb writers.
    static let silence = """
      SELECT pg_backend_pid() WHERE '\(channel)' IN (SELECT pg_listening_channels()) AND NOT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32) | objid::bigint = \(writersKey)
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      """

    /// Notifies the followers of appends, with the same settings. $1: the hints.
    static let hint = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('\(channel)', $1)"
  }
#endif
