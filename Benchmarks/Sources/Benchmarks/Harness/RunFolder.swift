import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of this run's own.
let runFolder: URL = {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("alter-benchmark-\(getpid())")
  try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  atexit { try? FileManager.default.removeItem(at: runFolder) }
  return url
}()
