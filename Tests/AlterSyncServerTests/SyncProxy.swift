import AlterCore
import Foundation
import ProcessTesting

/// The line between a device and its server: it forwards exchanges and streams, cuts some answers, and tells a test when a message is on it.
final class SyncProxy: Sendable {
  /// A moment of an exchange, in which its message is not delivered.
  enum Moment: Sendable, CaseIterable {
    /// The request has arrived, and nothing of it is forwarded.
    case requested
    /// A part of the request is forwarded.
    case halfRequested
    /// The whole request is forwarded, and nothing of the answer has been read.
    case forwarded
    /// A part of the answer is forwarded.
    case halfAnswered
  }

  private struct Trap: Sendable {
    let moment: Moment
    let action: @Sendable () -> Void
    let done: Waiter<Void>
  }

  private let server: String
  private let trap = Lock<Trap?>(nil)
  /// The number of exchanges.
  private let count = Lock(0)
  private let listener: LocalSocket

  /// Listens for a device.
  ///
  /// - Parameters:
  ///   - path: The path to listen at.
  ///   - server: The path of the server's socket.
  init(at path: String, to server: String) throws {
    self.server = server
    listener = try LocalSocket.listen(at: path)
    Thread.detachNewThread { [listener, weak self] in
      while let connection = listener.accept() {
        guard let self else { return }
        Thread.detachNewThread { self.handle(connection) }
      }
    }
  }

  deinit { listener.hangUp() }

  /// Performs an action at a moment of the next exchange, while its message is in flight.
  func interrupt(at moment: Moment, _ action: @escaping @Sendable () -> Void) async {
    let done = Waiter<Void>()
    trap.withLock { $0 = Trap(moment: moment, action: action, done: done) }
    _ = await done.value()
  }

  private func pass(_ moment: Moment) {
    let sprung: Trap? = trap.withLock { trap in
      guard let armed = trap, armed.moment == moment else { return nil }
      trap = nil
      return armed
    }
    guard let sprung else { return }
    // Somewhere in the work of the server, or just before.
    if moment == .forwarded { usleep(.random(in: 0...6_000)) }
    sprung.action()
    sprung.done.finish(())
  }

  private func handle(_ device: LocalSocket) {
    var request = Data()
    while let bytes = device.read() {
      request += bytes
      if request == Data("live\n".utf8) { return stream(device) }
    }
    guard !request.isEmpty else { return }
    let number = count.withLock { count in
      count += 1
      return count
    }
    pass(.requested)
    guard let server = try? LocalSocket.connect(to: server) else { return }
    let half = request.count / 2
    server.write(request.prefix(half))
    pass(.halfRequested)
    server.write(request.dropFirst(half))
    server.endWriting()
    pass(.forwarded)
    var isFirst = true
    while let bytes = server.read() {
      guard isFirst else {
        guard device.write(bytes) else { return }
        continue
      }
      isFirst = false
      let part = bytes.prefix(.random(in: 0...bytes.count))
      device.write(part)
      // A line that breaks in the middle of an answer.
      if number % 20 == 0 { return }
      pass(.halfAnswered)
      device.write(bytes.dropFirst(part.count))
    }
  }

  private func stream(_ device: LocalSocket) {
    guard let server = try? LocalSocket.connect(to: server), server.write(Data("live\n".utf8)) else { return }
    Thread.detachNewThread {
      // The device sends nothing more: this is its end.
      while device.read() != nil {}
      server.hangUp()
    }
    while let bytes = server.read(), device.write(bytes) {}
    device.hangUp()
  }
}
