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

  /// The files that show other processes whether the holder of a lease is alive: empty files named `todo.db-holder-` and the holder's 32
  /// hexadecimal digits.
  ///
  /// A handle keeps a lock on the file of each holder that it was granted a lease for. When the last of those leases is released or lost,
  /// or the handle is closed, the handle removes the file. If the process ends in another way, the kernel releases the lock. So a file that
  /// exists and can be locked belongs to a dead holder, and its leases may be taken over before they expire. In all other cases only the
  /// lease itself decides:
  ///
  /// - No file: a holder of an older version; a folder that is not writable; a copy of the journal without this file.
  /// - A locked file: a holder that is alive or stopped (`SIGSTOP`), or one whose child process, forked without `exec`, lives on.
  /// - Anything but a regular file of the user with one name, such as a link: `HelperFile`.
  /// - iOS, iPadOS, tvOS, watchOS and visionOS: they terminate an app that is suspended while it holds a lock on a file in a shared
  ///   container (0xdead10cc), so no such file is created there.
  ///
  /// A copy of the whole folder contains the file, unlocked. The leases of the copy are therefore free, as intended.
  ///
  /// A wrong answer may cause an effect to be performed twice, but never a wrong append: a takeover raises the epoch, and the journal
  /// rejects appends under the old one.
  ///
  /// The lock is that of `flock`, which belongs to one opening of the file. POSIX record locks belong to the process: a handle that opens
  /// and closes the file would release the lock of another handle in the same process.
  ///
  /// Each file takes a descriptor of the process, which has no limit otherwise for the journals of one file. When three quarters of the
  /// descriptors are in use, no further file is kept.
  ///
  /// Files are created and examined under the journal's lock, so that two processes never do it at the same time.
  ///
  /// `@unchecked Sendable`: used on the file's writing queue only, and in `deinit`.
  final class HolderFiles: @unchecked Sendable {
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
    private let mostDescriptors: Int32
    private var held: [Origin: Held] = [:]

    private static let threeQuarters = ProcessDescriptors.limit.map { Int32(clamping: $0) / 4 * 3 } ?? .max

    /// Creates a set without files.
    ///
    /// - Parameters:
    ///   - location: The paths of the journal's file and its helpers.
    ///   - mostDescriptors: The number of used descriptors at which no further file is kept; three quarters of the process's limit by default.
    init(_ location: FileLocation, mostDescriptors: Int32 = HolderFiles.threeQuarters) {
      (self.location, self.mostDescriptors) = (location, mostDescriptors)
    }

    deinit { close() }

    // MARK: This handle's files

    /// Shows that the holder of a lease is alive. A failure is not an error: the lease then ends only when it expires.
    func hold(_ lease: String, for holder: Origin) {
      guard Self.areKept else { return }
      var own = held[holder] ?? Held(descriptor: -1, leases: [])
      own.leases.insert(lease)
      if !isInPlace(own.descriptor, at: location.holder(holder)) {
        if own.descriptor >= 0 { systemClose(own.descriptor) }
        own.descriptor = lock(location.holder(holder), O_CREAT) ?? -1
      }
      held[holder] = own
      // The system gives the lowest free number.
      if own.descriptor >= mostDescriptors { remove(holder) }
    }

    /// Whether this handle has no file.
    var isEmpty: Bool { held.isEmpty }

    /// Records that a lease was released or has another holder.
    func letGo(_ lease: String, of holder: Origin) {
      held[holder]?.leases.remove(lease)
      if held[holder]?.leases.isEmpty == true { remove(holder) }
    }

    /// Removes all files of this handle.
    func close() { for holder in held.keys { remove(holder) } }

    private func remove(_ holder: Origin) {
      guard let descriptor = held.removeValue(forKey: holder)?.descriptor, descriptor >= 0 else { return }
      // A file that another process has put in its place is not removed.
      if isInPlace(descriptor, at: location.holder(holder)) { unlink(location.holder(holder)) }
      systemClose(descriptor)
    }

    private func isInPlace(_ descriptor: Int32, at path: String) -> Bool {
      guard descriptor >= 0, let own = FileStatus(descriptor: descriptor), let there = FileStatus(path: path) else { return false }
      return own.isSameFile(as: there)
    }

    // MARK: Other handles' files

    /// Whether a holder is known to be dead: its file exists and is not locked.
    func isDead(_ holder: Origin) -> Bool {
      guard let descriptor = lock(location.holder(holder), 0) else { return false }
      systemClose(descriptor)
      return true
    }

    /// Removes the files of dead holders.
    ///
    /// - Parameter isNeeded: Whether a holder still has a lease in force, so that its file must stay.
    /// - Complexity: O(files in the folder). Called only after a takeover from a dead holder.
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

    /// Opens a file and locks it; nil if it is not a regular file of the user, or if another handle holds the lock.
    private func lock(_ path: String, _ flags: Int32) -> Int32? {
      guard let descriptor = try? HelperFile.open(path, O_RDWR | flags, of: .user, beside: location.path, name: path) else { return nil }
      if FileLock.lock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      systemClose(descriptor)
      return nil
    }
  }

  extension FileLocation {
    /// The path of the file of a holder.
    func holder(_ holder: Origin) -> String {
      path + HelperName.holder.rawValue + holder.uuid.uuidString.lowercased().replacing("-", with: "")
    }

    /// The holder whose file has this name; nil for another kind of file.
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
