// System calls on the files of a test, counted, failed, recorded; and the wall clock, shifted.
//
// An executable that links this library defines `open`, `pwrite`, `fsync` and so on itself, and the dynamic linker lets every library of the
// process, SQLite's too, call these instead of the C library's: what an interposed library (LD_PRELOAD) does, without a file to be found at
// run time. They make the real call by its number. On other systems than Linux, and under a sanitizer, which interposes the same calls, this
// library is empty.
#ifndef INTERPOSED_CALLS_H
#define INTERPOSED_CALLS_H

#include <stdint.h>

/// What a call is counted as.
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

/// How a call fails.
enum interposed_mode {
  INTERPOSED_ONCE,   // the n-th call, and no other
  INTERPOSED_ONWARD, // the n-th call and all that follow, of every kind that changes a file
  INTERPOSED_SHORT,  // the n-th call writes half of its bytes, and the one that follows fails
};

/// 1 if this process's calls come through here, else 0.
int interposed_is_possible(void);

/// From now on the calls on paths that begin so are counted, from 0.
void interposed_watch(const char *prefix);

/// The n-th call of a kind from the last `interposed_watch` on fails with an error number.
void interposed_fail(int kind, int64_t n, int error, int mode);

/// Nothing fails any more. Counting goes on.
void interposed_heal(void);

/// How many calls failed since the last `interposed_watch`.
int64_t interposed_failures(void);

/// Syncs are counted, failed and recorded, but not passed on to the disk: for tests that don't cut the power of the machine itself.
void interposed_skip_syncs(void);

/// From now on every change of a watched file is written to a descriptor.
///
/// A record is a head of five 64-bit numbers (what, descriptor, two numbers, length) in the order of the machine, and so many bytes:
///
///     'o' open      flags                 path         'w' write     offset               bytes
///     'c' close                                        't' truncate  length
///     's' sync                                         'r' rename    length of first path  both paths
///     'f' sync that failed                             'l' link      length of first path  both paths
///     'u' unlink                          path         'm' mark      number
void interposed_record(int descriptor);

/// Writes a mark among the records.
void interposed_mark(int64_t number);

/// From now on the process may have so many bytes more than it has: beyond, its allocations fail, which ends it.
void interposed_limit_memory(uint64_t bytes);

/// From now on the wall clock is wrong by so many seconds.
void interposed_shift_clock(int64_t seconds);

#endif
