#ifndef C_ALTER_SQLITE_H
#define C_ALTER_SQLITE_H

struct sqlite3;

/// Configures a connection not to trust the file that it opens, and reads each setting back.
///
/// Defensive mode is on. Triggers, views and double-quoted strings are off. Functions and virtual tables in the schema are not trusted.
/// This is C code because Swift cannot call `sqlite3_db_config`, which is variadic.
///
/// Returns NULL on success, otherwise the name of the first setting that SQLite did not accept.
const char *alter_sqlite_harden(struct sqlite3 *connection);

/// Keeps a connection from checkpointing the write-ahead log when it is closed. Returns 0 if SQLite did not accept the setting.
int alter_sqlite_keep_log(struct sqlite3 *connection);

/// The name of a file system (VFS) for SQLite in which no database has a rollback journal. The process's default VFS stays the default.
///
/// A journal of Alter is in WAL mode and has no rollback journal. If a file `…-journal` exists, SQLite replays it before the first
/// statement: it overwrites the database by it, and deletes a file that it names. In this VFS such a file does not exist, whatever is on
/// the disk. A rollback journal that SQLite writes itself is a temporary file without a name.
#define ALTER_SQLITE_VFS "alter"

/// The same for a user who may not write the database: SQLite does not create a log, either.
#define ALTER_SQLITE_GUEST_VFS "alter-guest"

/// Registers both file systems, neither as the default. Returns 0 if SQLite does not accept them. Call it once per process.
int alter_sqlite_register_vfs(void);

/// Returns 1 if a connection uses one of the two file systems, otherwise 0.
int alter_sqlite_uses_vfs(struct sqlite3 *connection);

#endif
