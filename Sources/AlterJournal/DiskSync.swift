#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waits until a file's or a folder's content is on the disk: the one place where Alter itself syncs. (SQLite syncs its own writes.)
///
/// On Apple platforms `fsync` hands the data to the drive, which may keep it in its cache and write it out of order; `F_FULLFSYNC` asks the
/// drive to empty that cache (`man 2 fsync`). A file system that doesn't know `F_FULLFSYNC` gets an `fsync`, as SQLite does; any other failure is one.
/// On Linux `fsync` empties the drive's cache itself.
///
/// - Parameter descriptor: An open file or folder.
/// - Returns: 0, or the system's error number.
package func syncToDisk(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) != -1 { return 0 }
    let code = errno
    guard code == ENOTSUP || code == EINVAL else { return code }
  #endif
  return fsync(descriptor) == 0 ? 0 : errno
}
