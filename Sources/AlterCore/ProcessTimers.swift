#if os(Linux)
  import Dispatch

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

/// The timers of the process.
package enum ProcessTimers {
  /// Makes the descriptors that timers need, once in a process.
  ///
  /// On Linux, libdispatch makes a descriptor for a clock when a thread of its own arms the first timer of that clock, and ends the process if none
  /// is free. So a journal waits here, before it opens files, until both clocks have one. If 256 descriptors are free, it does not wait: the timers
  /// get theirs in the meantime. A timer that is due before it is armed makes none.
  ///
  /// - Complexity: O(1); if few descriptors are free, the first call waits for a millisecond, and for at most a quarter of a second.
  package static func prepare() async {
    #if os(Linux)
      let preparation = preparation
      if isDone.withLock({ $0 }) || areManyFree { return }
      await preparation.value
    #endif
  }

  #if os(Linux)
    private static let isDone = Lock(false)

    private static let preparation = Task.detached {
      for delay in [1, 2, 4, 8, 16, 32, 64, 128] {
        if areMade { break }
        async let slept: Void? = try? await Task.sleep(for: .milliseconds(delay))
        await withCheckedContinuation { fired in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { fired.resume() }
        }
        _ = await slept
      }
      isDone.withLock { $0 = true }
    }

    // Loops over indices, because an iterator takes milliseconds in a program that was not optimised.
    private static var areManyFree: Bool {
      ProcessDescriptors.withFirst { descriptors in
        var (index, free) = (0, 0)
        while index < descriptors.count {
          if descriptors[index].revents & Int16(POLLNVAL) != 0 { free += 1 }
          index += 1
        }
        return free >= 256
      }
    }

    /// Whether two descriptors of the process are timers. It examines the first 1,024.
    private static var areMade: Bool {
      let link: StaticString = "anon_inode:[timerfd]"
      return ProcessDescriptors.withFirst { descriptors in
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: link.utf8CodeUnitCount) { target in
          guard let start = target.baseAddress else { return false }
          var (index, count) = (0, 0)
          while index < descriptors.count, count < 2 {
            let isOpen = descriptors[index].revents & Int16(POLLNVAL) == 0
            if isOpen, readlink("/proc/self/fd/\(index)", start, target.count) == target.count,
              memcmp(start, link.utf8Start, target.count) == 0
            {
              count += 1
            }
            index += 1
          }
          return count == 2
        }
      }
    }
  #endif
}
