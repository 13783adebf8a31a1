#define _GNU_SOURCE
#include "InterposedCalls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define DESCRIPTORS 4096

// The mutex guards everything except the clock. While changes are recorded, it is held during the call, so that the records are in the
// order of the calls.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char prefix[1024];
static size_t prefix_length;
static unsigned char watched[DESCRIPTORS];
static int64_t counts[INTERPOSED_KINDS];
static int64_t failures;
static int fail_kind = -1, fail_error, fail_mode, fails_next;
static int64_t fail_at;
static int skips_syncs;
static int recorder = -1;
static _Atomic int64_t clock_shift;

int interposed_is_possible(void) { return 1; }

void interposed_watch(const char *path) {
  pthread_mutex_lock(&mutex);
  strncpy(prefix, path, sizeof prefix - 1);
  prefix_length = strlen(prefix);
  memset(watched, 0, sizeof watched);
  memset(counts, 0, sizeof counts);
  failures = 0;
  fail_kind = -1;
  fails_next = 0;
  pthread_mutex_unlock(&mutex);
}

void interposed_fail(int kind, int64_t n, int error, int mode) {
  pthread_mutex_lock(&mutex);
  fail_kind = kind;
  fail_at = n;
  fail_error = error;
  fail_mode = mode;
  fails_next = 0;
  pthread_mutex_unlock(&mutex);
}

void interposed_heal(void) {
  pthread_mutex_lock(&mutex);
  fail_kind = -1;
  fails_next = 0;
  pthread_mutex_unlock(&mutex);
}

int64_t interposed_failures(void) {
  pthread_mutex_lock(&mutex);
  int64_t result = failures;
  pthread_mutex_unlock(&mutex);
  return result;
}

void interposed_skip_syncs(void) { skips_syncs = 1; }
void interposed_record(int descriptor) { recorder = descriptor; }
void interposed_shift_clock(int64_t seconds) { atomic_store(&clock_shift, seconds); }

// Limits the data, not the address space: runtimes reserve much address space and use little of it.
void interposed_limit_memory(uint64_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  unsigned long size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return;
  int count = fscanf(file, "%lu %lu %lu %lu %lu %lu", &size, &resident, &shared, &text, &library, &data);
  fclose(file);
  if (count != 6) return;
  limit.rlim_cur = (rlim_t)data * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
  setrlimit(RLIMIT_DATA, &limit);
}

static int is_watched_path(const char *path) {
  return prefix_length > 0 && path && strncmp(path, prefix, prefix_length) == 0;
}

static int is_watched(int descriptor) { return descriptor >= 0 && descriptor < DESCRIPTORS && watched[descriptor]; }

static int changes_files(int kind) {
  return kind == INTERPOSED_WRITE || kind == INTERPOSED_SYNC || kind == INTERPOSED_TRUNCATE || kind == INTERPOSED_RENAME ||
         kind == INTERPOSED_UNLINK;
}

// Counts a call. Returns 0 if the call must be made, 1 if it fails (errno is set), 2 if it must be made in part only.
static int meets(int kind) {
  counts[kind]++;
  if (fail_kind < 0) return 0;
  int result = 0;
  if (kind == fail_kind && counts[kind] == fail_at) {
    result = fail_mode == INTERPOSED_SHORT ? 2 : 1;
  } else if (kind == fail_kind && counts[kind] > fail_at) {
    result = fail_mode == INTERPOSED_ONWARD || fails_next;
  } else if (fail_mode == INTERPOSED_ONWARD && changes_files(kind) && counts[fail_kind] >= fail_at) {
    result = 1;
  }
  if (kind == fail_kind) fails_next = result == 2;
  if (result) failures++;
  if (result == 1) errno = fail_error;
  return result;
}

static void put(const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    long written = syscall(SYS_write, recorder, next, count);
    if (written <= 0) {
      // A partial record is worse than none.
      recorder = -1;
      return;
    }
    next += written;
    count -= (size_t)written;
  }
}

static void record(char what, int descriptor, int64_t first, const void *bytes, size_t count, const void *more, size_t more_count) {
  if (recorder < 0) return;
  int64_t head[5] = {what, descriptor, first, 0, (int64_t)(count + more_count)};
  int code = errno;
  put(head, sizeof head);
  if (count > 0) put(bytes, count);
  if (more_count > 0) put(more, more_count);
  errno = code;
}

void interposed_mark(int64_t number) {
  pthread_mutex_lock(&mutex);
  record('m', -1, number, 0, 0, 0, 0);
  pthread_mutex_unlock(&mutex);
}

// A call that changes nothing on disk is made without the mutex, because it may block.
static int meets_outside(int kind) {
  pthread_mutex_lock(&mutex);
  int result = meets(kind);
  pthread_mutex_unlock(&mutex);
  return result;
}

static int is_watched_outside(int descriptor) {
  pthread_mutex_lock(&mutex);
  int result = is_watched(descriptor);
  pthread_mutex_unlock(&mutex);
  return result;
}

// Opening and closing

static int do_open(const char *path, int flags, mode_t mode) {
  pthread_mutex_lock(&mutex);
  int descriptor = -1;
  int is_ours = is_watched_path(path);
  if (!is_ours || meets(INTERPOSED_OPEN) == 0) {
    descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (descriptor >= 0 && descriptor < DESCRIPTORS) watched[descriptor] = (unsigned char)is_ours;
    if (descriptor >= 0 && is_ours) record('o', descriptor, flags, path, strlen(path), 0, 0);
  }
  pthread_mutex_unlock(&mutex);
  return descriptor;
}

static mode_t mode_of(int flags, va_list arguments) { return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(arguments, int) : 0; }

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return do_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return do_open(path, flags | O_LARGEFILE, mode);
}

int close(int descriptor) {
  pthread_mutex_lock(&mutex);
  if (is_watched(descriptor)) {
    watched[descriptor] = 0;
    record('c', descriptor, 0, 0, 0, 0, 0);
  }
  int result = (int)syscall(SYS_close, descriptor);
  pthread_mutex_unlock(&mutex);
  return result;
}

// Reading and writing

ssize_t read(int descriptor, void *bytes, size_t count) {
  if (is_watched_outside(descriptor) && meets_outside(INTERPOSED_READ)) return -1;
  return syscall(SYS_read, descriptor, bytes, count);
}

static ssize_t do_pread(int descriptor, void *bytes, size_t count, off_t offset) {
  if (is_watched_outside(descriptor) && meets_outside(INTERPOSED_READ)) return -1;
  return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) { return do_pread(descriptor, bytes, count, offset); }
ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) { return do_pread(descriptor, bytes, count, offset); }

static ssize_t do_pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  if (!is_watched_outside(descriptor)) return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  pthread_mutex_lock(&mutex);
  ssize_t result = -1;
  int meeting = meets(INTERPOSED_WRITE);
  if (meeting != 1) {
    result = syscall(SYS_pwrite64, descriptor, bytes, meeting == 2 && count > 1 ? count / 2 : count, offset);
    if (result > 0) record('w', descriptor, offset, bytes, (size_t)result, 0, 0);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return do_pwrite(descriptor, bytes, count, offset); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) { return do_pwrite(descriptor, bytes, count, offset); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (!is_watched_outside(descriptor)) return syscall(SYS_write, descriptor, bytes, count);
  off_t offset = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
  ssize_t result = do_pwrite(descriptor, bytes, count, offset);
  if (result > 0) syscall(SYS_lseek, descriptor, offset + result, SEEK_SET);
  return result;
}

static int do_sync(int descriptor, long number) {
  if (!is_watched_outside(descriptor)) return (int)syscall(number, descriptor);
  pthread_mutex_lock(&mutex);
  int result = -1;
  if (meets(INTERPOSED_SYNC) == 0) {
    result = skips_syncs ? 0 : (int)syscall(number, descriptor);
  }
  record(result == 0 ? 's' : 'f', descriptor, 0, 0, 0, 0, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int fsync(int descriptor) { return do_sync(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return do_sync(descriptor, SYS_fdatasync); }

static int do_ftruncate(int descriptor, off_t length) {
  if (!is_watched_outside(descriptor)) return (int)syscall(SYS_ftruncate, descriptor, length);
  pthread_mutex_lock(&mutex);
  int result = -1;
  if (meets(INTERPOSED_TRUNCATE) == 0) {
    result = (int)syscall(SYS_ftruncate, descriptor, length);
    if (result == 0) record('t', descriptor, length, 0, 0, 0, 0);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int ftruncate(int descriptor, off_t length) { return do_ftruncate(descriptor, length); }
int ftruncate64(int descriptor, off_t length) { return do_ftruncate(descriptor, length); }

// Names

static int do_two(const char *from, const char *to, char what) {
  pthread_mutex_lock(&mutex);
  int result = -1;
  int is_ours = is_watched_path(from) || is_watched_path(to);
  if (!is_ours || meets(INTERPOSED_RENAME) == 0) {
    result = what == 'r' ? (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0)
                         : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0 && is_ours) record(what, -1, (int64_t)strlen(from), from, strlen(from), to, strlen(to));
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int rename(const char *from, const char *to) { return do_two(from, to, 'r'); }
int link(const char *from, const char *to) { return do_two(from, to, 'l'); }

int unlink(const char *path) {
  pthread_mutex_lock(&mutex);
  int result = -1;
  int is_ours = is_watched_path(path);
  if (!is_ours || meets(INTERPOSED_UNLINK) == 0) {
    result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0 && is_ours) record('u', -1, 0, path, strlen(path), 0, 0);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

// File status. On 64-bit systems the kernel's structure is that of the C library.

static int do_look(const char *path, struct stat *status, int flags) {
  pthread_mutex_lock(&mutex);
  int fails = is_watched_path(path) && meets(INTERPOSED_LOOK);
  pthread_mutex_unlock(&mutex);
  return fails ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, flags);
}

static int do_fstat(int descriptor, struct stat *status) {
  if (is_watched_outside(descriptor) && meets_outside(INTERPOSED_LOOK)) return -1;
  return (int)syscall(SYS_fstat, descriptor, status);
}

int stat(const char *restrict path, struct stat *restrict status) { return do_look(path, status, 0); }
int stat64(const char *restrict path, struct stat64 *restrict status) { return do_look(path, (struct stat *)status, 0); }
int lstat(const char *restrict path, struct stat *restrict status) { return do_look(path, status, AT_SYMLINK_NOFOLLOW); }
int lstat64(const char *restrict path, struct stat64 *restrict status) { return do_look(path, (struct stat *)status, AT_SYMLINK_NOFOLLOW); }
int fstat(int descriptor, struct stat *status) { return do_fstat(descriptor, status); }
int fstat64(int descriptor, struct stat64 *status) { return do_fstat(descriptor, (struct stat *)status); }

// Locks and memory

int flock(int descriptor, int operation) {
  if (is_watched_outside(descriptor) && operation != LOCK_UN && meets_outside(INTERPOSED_LOCK)) return -1;
  return (int)syscall(SYS_flock, descriptor, operation);
}

static int do_fcntl(int descriptor, int command, long argument) {
  if (command == F_SETLK || command == F_SETLKW) {
    struct flock *lock = (struct flock *)argument;
    if (lock->l_type != F_UNLCK && is_watched_outside(descriptor) && meets_outside(INTERPOSED_LOCK)) return -1;
  }
  return (int)syscall(SYS_fcntl, descriptor, command, argument);
}

int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  long argument = va_arg(arguments, long);
  va_end(arguments);
  return do_fcntl(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  long argument = va_arg(arguments, long);
  va_end(arguments);
  return do_fcntl(descriptor, command, argument);
}

static void *do_mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  if (is_watched_outside(descriptor) && meets_outside(INTERPOSED_MAP)) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  return do_mmap(address, length, protection, flags, descriptor, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  return do_mmap(address, length, protection, flags, descriptor, offset);
}

// The clock

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += atomic_load(&clock_shift);
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

#else

int interposed_is_possible(void) { return 0; }
void interposed_watch(const char *prefix) { (void)prefix; }
void interposed_fail(int kind, int64_t n, int error, int mode) { (void)kind, (void)n, (void)error, (void)mode; }
void interposed_heal(void) {}
int64_t interposed_failures(void) { return 0; }
void interposed_skip_syncs(void) {}
void interposed_record(int descriptor) { (void)descriptor; }
void interposed_mark(int64_t number) { (void)number; }
void interposed_shift_clock(int64_t seconds) { (void)seconds; }
void interposed_limit_memory(uint64_t bytes) { (void)bytes; }

#endif
