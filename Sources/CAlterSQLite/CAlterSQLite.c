#include "CAlterSQLite.h"

// Without the package's trait SQLite there may be no SQLite, and nobody calls this.
#if defined(ALTER_SQLITE)

#include <sqlite3.h>

static int is_set(struct sqlite3 *connection, int setting, int value) {
  int now = -1;
  return sqlite3_db_config(connection, setting, value, &now) == SQLITE_OK && now == value;
}

const char *alter_sqlite_harden(struct sqlite3 *connection) {
  if (!is_set(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)) return "DEFENSIVE";
  if (!is_set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)) return "ENABLE_TRIGGER";
  if (!is_set(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0)) return "ENABLE_VIEW";
  if (!is_set(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)) return "TRUSTED_SCHEMA";
  if (!is_set(connection, SQLITE_DBCONFIG_DQS_DML, 0)) return "DQS_DML";
  if (!is_set(connection, SQLITE_DBCONFIG_DQS_DDL, 0)) return "DQS_DDL";
  return 0;
}

int alter_sqlite_keep_log(struct sqlite3 *connection) {
  return is_set(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1);
}

#endif
