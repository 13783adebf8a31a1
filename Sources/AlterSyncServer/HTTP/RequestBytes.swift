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
      let waiter = Waiter<Result<Data, any Error>>()
      let reading = TimedAnswer.begin {
        do { waiter.finish(.success(try await collect(request, limit: limit, share: share, received))) } catch {
          waiter.finish(.failure(error))
        }
      }
      // A body that has arrived with its head, as most have, needs no time limit.
      guard !waiter.isFinished || Task.isCancelled else {
        guard let result = await waiter.value() else { throw CancellationError() }
        return try result.get()
      }
      let waiting = Task {
        var granted = 0
        while true {
          let now = options.limits.bodySeconds.saturatingAdding(received.withLock { $0 } / bytesPerSecond)
          guard now > granted else { break }
          try await options.sleep(.seconds(now - granted))
          granted = now
        }
        waiter.finish(
          .failure(
            SyncRefusal(
              .requestTimeout, .badEnvelope,
              "The body arrived too slowly: it has \(options.limits.bodySeconds) s, and a second more for each 16 KiB.", isLast: true)))
      }
      let result = await waiter.value()
      waiting.cancel()
      reading.cancel()
      // Nothing else may read the body meanwhile.
      await reading.value
      guard let result else { throw CancellationError() }
      return try result.get()
    }

    private static func collect(
      _ request: HummingbirdCore.Request, limit: Int, share: BodyBytes.Share, _ received: Lock<Int>
    ) async throws -> Data {
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
