#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waits until the content of a file or folder is on the disk. All of Alter's own syncs are made here; SQLite syncs its own writes.
///
/// On Apple platforms `fsync` only passes the data to the drive, which may keep it in its cache and write it out of order; `F_FULLFSYNC`
/// tells the drive to empty that cache (`man 2 fsync`). If the file system does not support `F_FULLFSYNC`, `fsync` is used instead, as in
/// SQLite; any other failure is returned. On Linux `fsync` empties the drive's cache itself.
///
/// - Parameter descriptor: The descriptor of an open file or folder.
/// - Returns: 0 on success, otherwise the system's error number.
package func syncToDisk(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) != -1 { return 0 }
    let code = errno
    guard code == ENOTSUP || code == EINVAL else { return code }
  #endif
  return fsync(descriptor) == 0 ? 0 : errno
}
