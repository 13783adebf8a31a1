/// The limits that a shell has set for this process by `ulimit`.
enum ProcessLimits {
  /// The descriptors that a command needs: for the list, the standard streams and the runtime.
  private static let descriptors: rlim_t = 14

  /// Refuses to begin with too few descriptors: the runtime would end the process, without a message.
  static func checkDescriptors() throws(CommandError) {
    var limit = rlimit()
    guard getrlimit(resource(RLIMIT_NOFILE), &limit) == 0, limit.rlim_cur < descriptors else { return }
    throw CommandError(
      .tryAgain,
      "this process may open \(limit.rlim_cur) files at once, and a list needs \(descriptors): raise the limit by 'ulimit -n'. Nothing was changed."
    )
  }

  /// The limit of a file's size, as a sentence after the error of a file; nil without a limit.
  static var fileSize: String? {
    var limit = rlimit()
    guard getrlimit(resource(RLIMIT_FSIZE), &limit) == 0, limit.rlim_cur < 1 << 40 else { return nil }
    return " This process may write files of at most \(limit.rlim_cur) bytes: raise the limit by 'ulimit -f'."
  }

  #if canImport(Glibc)
    private static func resource(_ resource: __rlimit_resource) -> __rlimit_resource_t { __rlimit_resource_t(resource.rawValue) }
  #else
    private static func resource(_ resource: Int32) -> Int32 { resource }
  #endif
}
