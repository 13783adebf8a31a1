#if SQLite
  import AlterCore
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A place in the kernel's line for a lock file: a descriptor, and the thread that is blocked in `flock` with it.
  ///
  /// `flock` can't be called off. So a wait that ends early leaves its place, and the next wait of this process for the same file takes the place over,
  /// at the front of those who came later. When a place that was left gets the lock, it hands the lock on by closing its descriptor.
  /// However many waits end early, there are never more places for a file than there were waits at one time: one for each handle.
  ///
  /// ```
  ///   begin ──▶ a wait stands in it ──granted──▶ the descriptor is the wait's
  ///                 │         ▲
  ///           leave │         │ begin, of another wait
  ///                 ▼         │
  ///              nobody stands in it ──granted──▶ closed
  /// ```
  final class LinePlace: Sendable {
    private struct Places {
      /// By the place, while its thread is blocked: the wait that stands in it, if one does.
      var waits: [ObjectIdentifier: LockWait?] = [:]
      /// Those in which nobody stands, by the lock file's path.
      var left: [String: [LinePlace]] = [:]
    }

    private static let places = Lock(Places())

    /// What the lock will be held by. The place's own until a wait is granted.
    let descriptor: Int32
    private let path: String

    private init(path: String, descriptor: Int32) {
      self.path = path
      self.descriptor = descriptor
    }

    /// Stands in line: in a place that was left, or else in a new one with this descriptor.
    static func begin(_ wait: LockWait, path: String, descriptor: Int32) -> LinePlace {
      let file = FileStatus(descriptor: descriptor)
      let (place, isNew) = places.withLock { places in
        // A place in the line for a lock file that was deleted and made again is of no use.
        let known = places.left[path]?.firstIndex { place in
          guard let file, let other = FileStatus(descriptor: place.descriptor) else { return false }
          return file.isSameFile(as: other)
        }
        let place = known.flatMap { places.left[path]?.remove(at: $0) } ?? LinePlace(path: path, descriptor: descriptor)
        if places.left[path]?.isEmpty == true { places.left[path] = nil }
        places.waits[ObjectIdentifier(place)] = wait
        return (place, known == nil)
      }
      if isNew { place.block() }
      return place
    }

    /// Leaves the place, because the wait that stood in it has ended without the lock.
    func leave() {
      Self.places.withLock { places in
        // The thread has come back meanwhile, and closes the descriptor.
        guard places.waits[ObjectIdentifier(self)] != nil else { return }
        places.waits[ObjectIdentifier(self)] = .some(nil)
        places.left[path, default: []].append(self)
      }
    }

    private func block() {
      DispatchQueue(label: "alter.sqlite.lock").async { [self] in
        let code = FileLock.lock(descriptor, LOCK_EX)
        let wait = Self.places.withLock { places in
          places.left[path]?.removeAll { $0 === self }
          if places.left[path]?.isEmpty == true { places.left[path] = nil }
          return places.waits.removeValue(forKey: ObjectIdentifier(self)) ?? nil
        }
        if wait?.settle(code == 0 ? .granted : .failed(code)) != true { close(descriptor) }
      }
    }
  }
#endif
