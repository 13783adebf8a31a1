#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file descriptors of the process.
package enum ProcessDescriptors {
  /// The number of descriptors that the process may have open (`RLIMIT_NOFILE`); nil if the system does not tell it.
  package static var limit: Int? {
    var limit = rlimit()
    #if canImport(Glibc)
      let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    #else
      let isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0
    #endif
    return isKnown ? Int(clamping: limit.rlim_cur) : nil
  }

  /// Calls a closure with the first descriptors of the process, up to 1,024. `revents` of those that are not open is `POLLNVAL`.
  ///
  /// - Complexity: O(1): one call of the system.
  package static func withFirst<Result>(_ body: (UnsafeMutableBufferPointer<pollfd>) -> Result) -> Result {
    let count = min(limit ?? 1_024, 1_024)
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: count) { descriptors in
      var index = 0
      while index < count {
        descriptors.initializeElement(at: index, to: pollfd(fd: Int32(index), events: 0, revents: 0))
        index += 1
      }
      _ = poll(descriptors.baseAddress, nfds_t(count), 0)
      return body(descriptors)
    }
  }
}
