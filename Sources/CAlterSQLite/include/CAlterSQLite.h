#ifndef C_ALTER_SQLITE_H
#define C_ALTER_SQLITE_H

struct sqlite3;

/// Sets a connection to trust nothing in the file that it opens, and reads each setting back.
///
/// Defensive mode is on; triggers, views and double-quoted strings are off; functions and virtual tables of the schema are not trusted. Swift
/// can't do this: `sqlite3_db_config` is variadic.
///
/// Returns NULL, or the name of the first setting that SQLite did not take.
const char *alter_sqlite_harden(struct sqlite3 *connection);

/// Keeps a connection from moving the write-ahead log into the file when it is closed. Returns 0 when SQLite did not take the setting.
int alter_sqlite_keep_log(struct sqlite3 *connection);

/// The name of a file system for SQLite, beside the process's default one, in which no database has a rollback journal.
///
/// A journal of Alter's is in WAL mode and has none. SQLite plays any file of the name `…-journal` before anything can be asked of a connection: it overwrites the database by it, and
/// deletes a file that it names. Here such a file isn't there, whatever lies there; a rollback journal that SQLite writes itself is a temporary file without a name.
#define ALTER_SQLITE_VFS "alter"

/// The same for a user who may not write the database: SQLite makes no log, either.
#define ALTER_SQLITE_GUEST_VFS "alter-guest"

/// Registers both file systems, neither as the default. Returns 0 when SQLite does not take them. To be called once.
int alter_sqlite_register_vfs(void);

/// Whether a connection uses one of the two.
int alter_sqlite_uses_vfs(struct sqlite3 *connection);

#endif
