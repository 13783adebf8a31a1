#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a work's time is told by.
enum BenchmarkClock {
  /// The time that passes: for work that waits, or that several threads do.
  case wall
  /// The time that the thread is on a processor: for work in memory by one thread. What others do on the machine meanwhile counts only
  /// as far as it takes away the caches.
  case processor

  var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
