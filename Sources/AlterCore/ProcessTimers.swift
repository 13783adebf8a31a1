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
  /// is free. So a journal waits here, before it opens files, until both clocks have one. A timer that is due before it is armed makes none.
  ///
  /// - Complexity: O(1); the first call waits for a millisecond, and for at most a quarter of a second.
  package static func prepare() async { await prepared.value }

  private static let prepared = Task.detached {
    #if os(Linux)
      for delay in [1, 2, 4, 8, 16, 32, 64, 128] where !areMade {
        async let slept: Void? = try? await Task.sleep(for: .milliseconds(delay))
        await withCheckedContinuation { fired in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { fired.resume() }
        }
        _ = await slept
      }
    #endif
  }

  #if os(Linux)
    /// Whether two descriptors of the process are timers. It examines the first 1,024.
    private static var areMade: Bool {
      let link = "anon_inode:[timerfd]"
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: link.utf8.count) { target in
        guard let start = target.baseAddress else { return false }
        var count = 0
        for descriptor in 0..<1_024 where count < 2 {
          let length = readlink("/proc/self/fd/\(descriptor)", start, target.count)
          if length == link.utf8.count && target.elementsEqual(link.utf8.lazy.map(CChar.init(bitPattern:))) { count += 1 }
        }
        return count == 2
      }
    }
  #endif
}
