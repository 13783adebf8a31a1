import AlterSync
import AlterSyncCore
import Foundation
import ProcessTesting

/// A device's connection to its server: one socket for each exchange, and one for the stream.
struct PeerTransport: SyncTransport {
  let path: String

  func exchange(
    _ request: Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws -> Answer { try await exchange(request) }

  func exchange(_ request: Request) async throws -> Answer {
    let message = SyncMessage.encode(SyncMessage.Addressed(request, to: "stock"))
    let socket = try LocalSocket.connect(to: path)
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          socket.write(message)
          socket.endWriting()
          var answer = Data()
          while let bytes = socket.read() { answer += bytes }
          continuation.resume(returning: answer)
        }
      }
    } onCancel: {
      socket.hangUp()
    }
    return try SyncMessage.decodeAnswer(answer)
  }

  func announcements() async throws -> AsyncThrowingStream<Announcement, any Error> {
    let socket = try LocalSocket.connect(to: path)
    guard socket.write(Data("live\n".utf8)) else { throw PeerError("the stream is broken") }
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Announcement.self, bufferingPolicy: .bufferingNewest(8))
    continuation.onTermination = { _ in socket.hangUp() }
    Thread.detachNewThread {
      var pending = Data()
      while let bytes = socket.read() {
        pending += bytes
        while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          let line = pending[..<end]
          pending = Data(pending[(end + 1)...])
          if line.isEmpty {
            continuation.yield(.heartbeat)
          } else if let known = SyncMessage.decodeHint(Data(line)) {
            continuation.yield(.hint(known.hint))
          }
        }
      }
      continuation.finish(throwing: PeerError("the stream has ended"))
    }
    return stream
  }

  func refreshToken() async throws {}
}
