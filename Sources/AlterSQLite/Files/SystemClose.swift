#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Closes a descriptor: the system's `close`, for types with a function of this name.
  func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
#endif
