#if SyncServer
  import AlterCore
  import AlterSyncCore
  import Hummingbird
  import HummingbirdCore
  import NIOCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Reads the body of a request within limits of its size and of time.
  enum RequestBytes {
    /// The bytes for each of which a slow body has more time.
    static let bytesPerSecond = 16_384

    /// The bytes that are read at most. The rest of a body that is too large is read and dropped.
    static func readBytes(_ limit: Int) -> Int { limit.saturatingMultiplied(by: 4) }

    /// Reads a body.
    ///
    /// The rest of a body that is too large, or for which there is no room, is read and dropped, up to four times the limit: a client that is
    /// still sending would otherwise not see the answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The bytes of the body.
    ///   - share: Takes the bytes that are kept.
    ///   - options: The time limits.
    /// - Throws: ``SyncRefusal`` for a body that is too large or too slow, or for which there is no room; ``Cut`` if the connection breaks.
    static func read(
      _ request: HummingbirdCore.Request, limit: Int, share: BodyBytes.Share, _ options: SyncOptions
    ) async throws -> Data {
      let stated = request.headers[.contentLength].flatMap { Int($0) } ?? 0
      guard stated <= readBytes(limit) else { throw tooLarge(limit, isLast: true) }
      let received = Lock(0)
      return try await withThrowingTaskGroup(of: Data?.self) { group in
        group.addTask {
          var data = Data()
          var count = 0
          var refusal: SyncRefusal?
          var parts = request.body.makeAsyncIterator()
          while let part = try await next(&parts) {
            count += part.readableBytes
            received.withLock { [count] in $0 = count }
            guard count <= readBytes(limit) else { throw tooLarge(limit, isLast: true) }
            if count <= limit, refusal == nil {
              do throws(SyncRefusal) {
                try share.take(part.readableBytes)
                data.append(contentsOf: part.readableBytesView)
                continue
              } catch {
                refusal = error
              }
            }
            data = Data()
            share.release()
          }
          guard count <= limit else { throw tooLarge(limit, isLast: false) }
          if let refusal { throw refusal }
          return data
        }
        group.addTask {
          var granted = 0
          while true {
            let now = options.limits.bodySeconds.saturatingAdding(received.withLock { $0 } / bytesPerSecond)
            guard now > granted else { return nil }
            try await options.sleep(.seconds(now - granted))
            granted = now
          }
        }
        defer { group.cancelAll() }
        guard let data = try await group.next() ?? nil else {
          throw SyncRefusal(
            .requestTimeout, .badEnvelope,
            "The body arrived too slowly: it has \(options.limits.bodySeconds) s, and a second more for each 16 KiB.", isLast: true)
        }
        return data
      }
    }

    /// The connection has ended in the middle of the body: the client has hung up, or lost its network.
    struct Cut: Error {}

    private static func next(_ parts: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
      do { return try await parts.next() } catch {
        try Task.checkCancellation()
        throw Cut()
      }
    }

    private static func tooLarge(_ limit: Int, isLast: Bool) -> SyncRefusal {
      SyncRefusal(.contentTooLarge, .badEnvelope, "The body has more than \(limit) bytes. Send fewer drafts at once.", isLast: isLast)
    }
  }
#endif
