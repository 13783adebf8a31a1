#include "CAlterSQLite.h"

// Without the package's trait SQLite there may be no SQLite, and no code calls these functions.
#if defined(ALTER_SQLITE)

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

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

// A file system (VFS) for SQLite without rollback journals. All other operations call the process's default VFS, with the default VFS as
// argument.

#if !defined(SQLITE_OPEN_SUPER_JOURNAL)
#define SQLITE_OPEN_SUPER_JOURNAL 0x00004000
#endif

static sqlite3_vfs *base;

static int is_journal(const char *name) {
  static const char ending[] = "-journal";
  size_t length = name ? strlen(name) : 0;
  return length >= sizeof ending - 1 && strcmp(name + length - (sizeof ending - 1), ending) == 0;
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
  if (flags & SQLITE_OPEN_SUPER_JOURNAL) {
    file->pMethods = 0;
    return SQLITE_CANTOPEN;
  }
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
    file->pMethods = 0;
    // An existing file is never read. A journal that SQLite writes is a temporary file without a name, which ends with the process.
    if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    return base->xOpen(
        base, 0, file,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE | SQLITE_OPEN_TEMP_JOURNAL, given);
  }
  // In the guest VFS SQLite may not create a log.
  if (vfs->pAppData && (flags & SQLITE_OPEN_WAL)) flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  return base->xOpen(base, name, file, flags, given);
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  return is_journal(name) ? SQLITE_OK : base->xDelete(base, name, sync);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  if (!is_journal(name)) return base->xAccess(base, name, flags, result);
  *result = 0;
  return SQLITE_OK;
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *result) {
  (void)vfs;
  return base->xFullPathname(base, name, size, result);
}

static void *vfs_dl_open(sqlite3_vfs *vfs, const char *name) { (void)vfs; return base->xDlOpen(base, name); }
static void vfs_dl_error(sqlite3_vfs *vfs, int size, char *text) { (void)vfs; base->xDlError(base, size, text); }
static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *name))(void) { (void)vfs; return base->xDlSym(base, library, name); }
static void vfs_dl_close(sqlite3_vfs *vfs, void *library) { (void)vfs; base->xDlClose(base, library); }
static int vfs_randomness(sqlite3_vfs *vfs, int size, char *bytes) { (void)vfs; return base->xRandomness(base, size, bytes); }
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) { (void)vfs; return base->xSleep(base, microseconds); }
static int vfs_current_time(sqlite3_vfs *vfs, double *time) { (void)vfs; return base->xCurrentTime(base, time); }
static int vfs_last_error(sqlite3_vfs *vfs, int size, char *text) { (void)vfs; return base->xGetLastError ? base->xGetLastError(base, size, text) : 0; }
static int vfs_current_time_64(sqlite3_vfs *vfs, sqlite3_int64 *time) { (void)vfs; return base->xCurrentTimeInt64(base, time); }

static sqlite3_vfs plain = {.zName = ALTER_SQLITE_VFS};
static sqlite3_vfs guest = {.zName = ALTER_SQLITE_GUEST_VFS};

static int is_registered(sqlite3_vfs *vfs, int is_guest) {
  // The functions of version 3, which replace system calls, are omitted: they are for SQLite's own tests.
  vfs->iVersion = base->iVersion >= 2 ? 2 : 1;
  vfs->szOsFile = base->szOsFile;
  vfs->mxPathname = base->mxPathname;
  vfs->pAppData = is_guest ? vfs : 0;
  vfs->xOpen = vfs_open;
  vfs->xDelete = vfs_delete;
  vfs->xAccess = vfs_access;
  vfs->xFullPathname = vfs_full_pathname;
  vfs->xDlOpen = vfs_dl_open;
  vfs->xDlError = vfs_dl_error;
  vfs->xDlSym = vfs_dl_sym;
  vfs->xDlClose = vfs_dl_close;
  vfs->xRandomness = vfs_randomness;
  vfs->xSleep = vfs_sleep;
  vfs->xCurrentTime = vfs_current_time;
  vfs->xGetLastError = vfs_last_error;
  vfs->xCurrentTimeInt64 = base->iVersion >= 2 ? vfs_current_time_64 : 0;
  return sqlite3_vfs_register(vfs, 0) == SQLITE_OK;
}

int alter_sqlite_register_vfs(void) {
  base = sqlite3_vfs_find(0);
  return base && is_registered(&plain, 0) && is_registered(&guest, 1);
}

int alter_sqlite_uses_vfs(struct sqlite3 *connection) {
  sqlite3_vfs *vfs = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_VFS_POINTER, &vfs) != SQLITE_OK || !vfs || !vfs->zName) return 0;
  return strcmp(vfs->zName, ALTER_SQLITE_VFS) == 0 || strcmp(vfs->zName, ALTER_SQLITE_GUEST_VFS) == 0;
}

#endif
