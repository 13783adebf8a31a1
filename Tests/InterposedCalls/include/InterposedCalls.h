// Counts, fails and records the system calls on the files of a test, and shifts the wall clock.
//
// An executable that links this library defines `open`, `pwrite`, `fsync` and so on itself. The dynamic linker makes every library of the
// process, including SQLite, call these functions instead of the C library's. An interposed library (LD_PRELOAD) has the same effect, but
// is a separate file at run time. The functions make the real call by its number. On systems other than Linux, and under a sanitizer, which
// interposes the same calls, this library is empty.
#ifndef INTERPOSED_CALLS_H
#define INTERPOSED_CALLS_H

#include <stdint.h>

/// The kind of a call.
enum interposed_kind {
  INTERPOSED_OPEN,      // open
  INTERPOSED_READ,      // read, pread
  INTERPOSED_WRITE,     // write, pwrite
  INTERPOSED_SYNC,      // fsync, fdatasync
  INTERPOSED_TRUNCATE,  // ftruncate
  INTERPOSED_RENAME,    // rename, link
  INTERPOSED_UNLINK,    // unlink
  INTERPOSED_LOOK,      // stat, lstat, fstat
  INTERPOSED_LOCK,      // flock, and fcntl with a lock
  INTERPOSED_MAP,       // mmap
  INTERPOSED_KINDS
};

/// The way in which a call fails.
enum interposed_mode {
  INTERPOSED_ONCE,   // the n-th call, and no other
  INTERPOSED_ONWARD, // the n-th call and all that follow, of every kind that changes a file
  INTERPOSED_SHORT,  // the n-th call writes half of its bytes, and the one that follows fails
};

/// 1 if this library interposes the calls of this process, else 0.
int interposed_is_possible(void);

/// Starts to count the calls on paths with this prefix, from 0.
void interposed_watch(const char *prefix);

/// Makes the n-th call of a kind since the last `interposed_watch` fail with an error number.
void interposed_fail(int kind, int64_t n, int error, int mode);

/// Stops all failures. Counting continues.
void interposed_heal(void);

/// The number of calls that failed since the last `interposed_watch`.
int64_t interposed_failures(void);

/// Stops passing syncs to the disk. They are still counted, failed and recorded. For tests that don't cut the power of the real machine.
void interposed_skip_syncs(void);

/// Starts to write a record of every change of a watched file to a descriptor.
///
/// A record is a head of five 64-bit numbers (kind, descriptor, two numbers, length) in the machine's byte order, followed by `length`
/// bytes:
///
///     'o' open      flags                 path         'w' write     offset               bytes
///     'c' close                                        't' truncate  length
///     's' sync                                         'r' rename    length of first path  both paths
///     'f' sync that failed                             'l' link      length of first path  both paths
///     'u' unlink                          path         'm' mark      number
void interposed_record(int descriptor);

/// Writes a mark among the records.
void interposed_mark(int64_t number);

/// Limits the process to this number of bytes in addition to its current ones. Further allocations fail, which ends the process.
void interposed_limit_memory(uint64_t bytes);

/// Shifts the wall clock by this number of seconds.
void interposed_shift_clock(int64_t seconds);

#endif
