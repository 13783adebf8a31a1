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

  /// A place in the kernel's queue for a lock file: a descriptor, and the thread that is blocked in `flock` with it.
  ///
  /// `flock` cannot be cancelled. So a wait that ends early leaves its place in the queue, and the next wait of this process for the same
  /// file takes the place over, ahead of later processes. A place that gets the lock while no wait uses it closes its descriptor, which
  /// passes the lock on. However many waits end early, a file never has more places than there were simultaneous waits: one per handle.
  ///
  /// ```
  ///   begin ──▶ used by a wait ──granted──▶ the wait owns the descriptor
  ///                 │         ▲
  ///           leave │         │ begin, of another wait
  ///                 ▼         │
  ///              unused ──granted──▶ closed
  /// ```
  final class LinePlace: Sendable {
    private struct Places {
      /// For each place whose thread is blocked: the wait that uses it, or nil.
      var waits: [ObjectIdentifier: LockWait?] = [:]
      /// The unused places, by the path of the lock file.
      var left: [String: [LinePlace]] = [:]
    }

    private static let places = Lock(Places())

    /// The descriptor that is locked. It belongs to the place until a wait is granted.
    let descriptor: Int32
    private let path: String

    private init(path: String, descriptor: Int32) {
      self.path = path
      self.descriptor = descriptor
    }

    /// Joins the queue: in an unused place, otherwise in a new one with this descriptor.
    static func begin(_ wait: LockWait, path: String, descriptor: Int32) -> LinePlace {
      let file = FileStatus(descriptor: descriptor)
      let (place, isNew) = places.withLock { places in
        // A place for a lock file that was deleted and created again is of no use.
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

    /// Leaves the place after its wait has ended without the lock.
    func leave() {
      Self.places.withLock { places in
        // The thread has returned meanwhile, and closes the descriptor.
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
