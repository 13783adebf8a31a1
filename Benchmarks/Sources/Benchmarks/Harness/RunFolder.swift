import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The temporary folder of this run.
let runFolder: URL = {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("alter-benchmark-\(getpid())")
  try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  atexit { try? FileManager.default.removeItem(at: runFolder) }
  return url
}()
