// The C library of each platform, for all files of the command, and wrappers for the calls that need care.

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#endif

/// Ends the process.
func endProcess(_ status: ExitStatus) -> Never { exit(status.rawValue) }

/// Reads the available bytes, up to a maximum.
///
/// - Returns: The bytes (none at the end of a file), and 0 or the `errno` of the failed call.
func readSome(_ descriptor: Int32, upTo size: Int) -> (bytes: [UInt8], code: Int32) {
  var code: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
    var count = read(descriptor, buffer.baseAddress, size)
    while count < 0, errno == EINTR { count = read(descriptor, buffer.baseAddress, size) }
    if count < 0 { code = errno }
    filled = max(0, count)
  }
  return (bytes, code)
}

/// The system's message for an error number, by default that of the last failed call.
func systemMessage(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
