import Foundation

/// A small file system in memory, for as long as the object lives. It takes root, on Linux, with the right to mount.
final class Mount: Sendable {
  struct NotPossible: Error {}

  static let isPossible = (try? Mount(kilobytes: 64)) != nil

  private let folder: Folder
  var path: String { folder.path }

  init(kilobytes: Int) throws {
    folder = try Folder()
    #if os(Linux)
      guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { throw NotPossible() }
    #else
      throw NotPossible()
    #endif
  }

  deinit {
    #if os(Linux)
      umount2(folder.path, Int32(MNT_DETACH))
    #endif
  }

  /// Takes space, up to all that is left.
  func fill(_ name: String, kilobytes: Int = .max) {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 1_024)
    var left = kilobytes
    while left > 0, write(descriptor, block, block.count) > 0 { left -= 1 }
  }

  func remove(_ name: String) { unlink(path + "/" + name) }

  var contents: [String] { folder.contents }
}
