#if SQLite
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The files that show others whether the holder of a lease is still alive: `todo.db-holder-` and the holder's 32 hexadecimal digits, empty.
  ///
  /// A handle keeps the file of each holder that it was granted a lease for locked, until the last of those leases is given back or lost, or the handle is closed; then it removes the
  /// file. The kernel unlocks the files of a process that ends in any other way. So a file that is there and can be locked is that of a dead holder, and its lease may
  /// be taken over before it runs out. In all other cases the lease decides alone, as it does where there is no such file:
  ///
  /// - no file: a holder of an older version; a folder that can't be written to; a copy of the journal without this file;
  /// - a locked file: a holder that is alive, stopped (`SIGSTOP`), or has a child process that was forked without `exec` and lives on;
  /// - anything but a regular file of the user's with one name, such as a link: `HelperFile`;
  /// - iOS, iPadOS, tvOS, watchOS and visionOS: they end an app that is suspended while it holds a lock on a file in a shared container (0xdead10cc), so no such file is made there.
  ///
  /// A copy of the whole folder has the file, and nobody locks it there: the copy's leases are free, as they should be.
  ///
  /// A wrong answer would cost an effect that is performed twice, and never a wrong append: a takeover raises the epoch, under which the journal decides.
  ///
  /// The lock is `flock`'s, which belongs to one opening of the file. POSIX's record locks belong to the process: a handle that looks at the file and closes it would unlock that of
  /// another handle in the same process.
  ///
  /// Files are made and judged under the journal's lock, so that two processes never do that to one file at the same time. Used on the writer's queue only.
  final class HolderFiles {
    private struct Held {
      var descriptor: Int32
      var leases: Set<String>
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      private static let areKept = false
    #else
      private static let areKept = true
    #endif

    private let location: FileLocation
    private var held: [Origin: Held] = [:]

    /// No files yet, beside the journal at a location.
    init(_ location: FileLocation) { self.location = location }

    deinit { close() }

    // MARK: This handle's

    /// Shows that the holder of a lease is alive. What goes wrong is no error: then the lease runs out as leases do.
    func hold(_ lease: String, for holder: Origin) {
      guard Self.areKept else { return }
      var own = held[holder] ?? Held(descriptor: -1, leases: [])
      own.leases.insert(lease)
      if !isInPlace(own.descriptor, at: location.holder(holder)) {
        if own.descriptor >= 0 { _ = Self.close(own.descriptor) }
        own.descriptor = lock(location.holder(holder), O_CREAT) ?? -1
      }
      held[holder] = own
    }

    /// A lease was given back, or has another holder now.
    func letGo(_ lease: String, of holder: Origin) {
      held[holder]?.leases.remove(lease)
      if held[holder]?.leases.isEmpty == true { remove(holder) }
    }

    /// Removes the files of this handle.
    func close() { for holder in held.keys { remove(holder) } }

    private func remove(_ holder: Origin) {
      guard let descriptor = held.removeValue(forKey: holder)?.descriptor, descriptor >= 0 else { return }
      // Not one that somebody has put in its place.
      if isInPlace(descriptor, at: location.holder(holder)) { unlink(location.holder(holder)) }
      _ = Self.close(descriptor)
    }

    private func isInPlace(_ descriptor: Int32, at path: String) -> Bool {
      guard descriptor >= 0, let own = FileStatus(descriptor: descriptor), let there = FileStatus(path: path) else { return false }
      return own.isSameFile(as: there)
    }

    // MARK: Others'

    /// Whether a holder is known to be dead: its file is there, and its handle is gone.
    func isDead(_ holder: Origin) -> Bool {
      guard let descriptor = lock(location.holder(holder), 0) else { return false }
      _ = Self.close(descriptor)
      return true
    }

    /// Removes the files of dead holders.
    ///
    /// - Parameter isNeeded: Whether a holder's file tells something: it still has a lease in force.
    /// - Complexity: O(files in the folder): for takeovers from the dead only.
    func removeDead(unless isNeeded: (Origin) -> Bool) {
      guard let folder = opendir(location.folder) else { return }
      defer { closedir(folder) }
      var dead: [Origin] = []
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
        }
        if let holder = location.holder(ofFile: name), isDead(holder), !isNeeded(holder) { dead.append(holder) }
      }
      for holder in dead { unlink(location.holder(holder)) }
    }

    /// Opens a file and locks it; nil when it isn't a file of the user's, or another handle has it locked.
    private func lock(_ path: String, _ flags: Int32) -> Int32? {
      guard let descriptor = try? HelperFile.open(path, O_RDWR | flags, of: .user, beside: location.path, name: path) else { return nil }
      if FileLock.lock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      _ = Self.close(descriptor)
      return nil
    }

    private static func close(_ descriptor: Int32) -> Int32 {
      #if canImport(Darwin)
        Darwin.close(descriptor)
      #elseif canImport(Glibc)
        Glibc.close(descriptor)
      #else
        Musl.close(descriptor)
      #endif
    }
  }

  extension FileLocation {
    /// The file that shows whether a holder of leases is alive.
    func holder(_ holder: Origin) -> String {
      path + HelperName.holder.rawValue + holder.uuid.uuidString.lowercased().replacing("-", with: "")
    }

    /// The holder whose file has this name in the journal's folder; nil when it is another kind of file.
    func holder(ofFile name: String) -> Origin? {
      let prefix = String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) + HelperName.holder.rawValue
      guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 32 else { return nil }
      let digits = Array(name.utf8.suffix(32))
      guard let high = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
        let low = UInt64(String(decoding: digits.suffix(16), as: UTF8.self), radix: 16)
      else { return nil }
      return Origin(UUID(high: high, low: low))
    }
  }
#endif
