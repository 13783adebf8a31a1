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

#endif
