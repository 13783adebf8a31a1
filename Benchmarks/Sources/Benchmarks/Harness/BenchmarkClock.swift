#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The clock that measures a work.
enum BenchmarkClock {
  /// Wall time: for work that waits, or that runs on several threads.
  case wall
  /// The processor time of the thread: for work in memory on one thread. Other programs affect it only through the caches.
  case processor
  /// The processor time of all threads of the process.
  case allProcessors

  var nanoseconds: Int64 {
    var time = timespec()
    switch self {
    case .wall: clock_gettime(CLOCK_MONOTONIC, &time)
    case .processor: clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    case .allProcessors: clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
