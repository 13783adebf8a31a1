#if SyncServer
  import AlterCore
  import AlterSyncCore

  /// The bytes of the bodies that a process is reading or deciding, in all and by principal. A client that begins many bodies and ends none would
  /// otherwise fill the memory of all.
  final class BodyBytes: Sendable {
    private let perPrincipal: Int
    private let all: Int
    private let held = Lock((all: 0, principals: [String: Int]()))

    init(_ limits: SyncLimits) {
      // Every permitted body fits in.
      let one = max(limits.pushBytes, limits.bytesPerFetch)
      perPrincipal = max(limits.bodyBytesPerPrincipal, one)
      all = max(limits.bodyBytes, one)
    }

    /// The bytes of all bodies.
    var count: Int { held.withLock { $0.all } }

    /// The bytes of one body. They are released when the last reference goes.
    final class Share: Sendable {
      private let bytes: BodyBytes
      private let principal: String
      private let taken = Lock(0)

      init(of bytes: BodyBytes, for principal: String) { (self.bytes, self.principal) = (bytes, principal) }

      /// Takes more bytes.
      ///
      /// - Throws: ``SyncRefusal`` if the bodies of the principal, or of the process, have as many as they may.
      func take(_ count: Int) throws(SyncRefusal) {
        try bytes.take(count, principal)
        taken.withLock { $0 += count }
      }

      /// Releases the bytes that were taken.
      func release() {
        let count = taken.withLock { taken in
          defer { taken = 0 }
          return taken
        }
        bytes.giveBack(count, principal)
      }

      deinit { release() }
    }

    private func take(_ count: Int, _ principal: String) throws(SyncRefusal) {
      let why: String? = held.withLock { held in
        guard held.all + count <= all else { return "The server is reading as many bytes as it can." }
        let own = held.principals[principal, default: 0] + count
        guard own <= perPrincipal else { return "The unfinished requests of the principal have more than \(perPrincipal) bytes." }
        held.all += count
        held.principals[principal] = own
        return nil
      }
      if let why { throw SyncRefusal(.tooManyRequests, .busy(5), why, after: 5) }
    }

    private func giveBack(_ count: Int, _ principal: String) {
      guard count > 0 else { return }
      held.withLock { held in
        held.all -= count
        let own = held.principals[principal, default: 0] - count
        held.principals[principal] = own > 0 ? own : nil
      }
    }
  }
#endif
