#if Postgres
  import CLibPQ

  /// A cancel request for the present statement of a connection.
  ///
  /// `@unchecked Sendable`: libpq's documentation allows `PQcancel` on any thread, and this object is its only user.
  final class Cancellation: @unchecked Sendable {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) { self.handle = handle }

    func send() {
      var message = [CChar](repeating: 0, count: 256)
      // If it fails, the server detects the closed connection a little later.
      _ = PQcancel(handle, &message, Int32(message.count))
    }

    deinit { PQfreeCancel(handle) }
  }
#endif
