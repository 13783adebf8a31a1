import Foundation

/// A small file system in memory, which exists as long as the object. It requires Linux, root, and the permission to mount.
public final class Mount: Sendable {
  /// This user or this system can't mount a file system.
  public struct NotPossible: Error {}

  /// Whether this user can mount a file system here.
  public static let isPossible = (try? Mount(kilobytes: 64)) != nil

  /// Its path.
  public let path: String

  /// Mounts a file system.
  ///
  /// - Parameter kilobytes: The size.
  /// - Throws: ``NotPossible``.
  public init(kilobytes: Int) throws {
    path = FileManager.default.temporaryDirectory.path + "/alter-disk-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #if os(Linux)
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
        rmdir(path)
        throw NotPossible()
      }
    #else
      throw NotPossible()
    #endif
  }

  deinit {
    #if os(Linux)
      umount2(path, Int32(MNT_DETACH))
    #endif
    rmdir(path)
  }

  /// Remounts the file system as read-only or writable.
  ///
  /// - Throws: ``NotPossible``.
  public func remount(readOnly: Bool) throws {
    #if os(Linux)
      guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0), nil) == 0 else { throw NotPossible() }
    #endif
  }

  /// Writes a file that takes this much space, by default all that is left.
  public func fill(_ name: String, kilobytes: Int = .max) {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 1_024)
    // The system counts the used blocks for each processor, and may refuse one while there is room.
    var (left, refusals) = (kilobytes, 0)
    while left > 0, refusals < 10 {
      if write(descriptor, block, block.count) > 0 { (left, refusals) = (left - 1, 0) } else { refusals += 1 }
    }
  }

  /// Removes a file.
  public func remove(_ name: String) { unlink(path + "/" + name) }

  /// The names of its files, sorted.
  public var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
