import Foundation

/// A connection to the server on this machine that does not block: as little as HTTP/1.1 needs, so that many devices cost little.
final class Connection {
  let descriptor: Int32
  /// The bytes that were received and not read.
  private(set) var received: [UInt8] = []
  private var unsent: ArraySlice<UInt8> = []

  /// Connects, which blocks.
  init(port: Int) throws(Failure) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure("no socket: \(String(cString: strerror(errno)))") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    // All properties have values, so the error runs `deinit`, which closes the descriptor.
    guard code == 0 else { throw Failure("can't connect to port \(port): \(String(cString: strerror(errno)))") }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// The events to wait for.
  var events: Int16 { Int16(POLLIN) | (unsent.isEmpty ? 0 : Int16(POLLOUT)) }

  /// Begins to send bytes.
  func send(_ bytes: [UInt8]) throws(Failure) {
    unsent += bytes
    try flush()
  }

  /// Sends what the socket takes.
  func flush() throws(Failure) {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { throw Failure("the server has closed a connection") }
      unsent = unsent.dropFirst(count)
    }
  }

  /// Reads what is there.
  ///
  /// - Returns: False if the server has ended the connection.
  func receive() throws(Failure) -> Bool {
    while true {
      let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { received.append(contentsOf: buffer[..<count]) }
        return count
      }
      if count < 0, errno == EAGAIN { return true }
      guard count >= 0 else { throw Failure("a connection has failed: \(String(cString: strerror(errno)))") }
      guard count > 0 else { return false }
    }
  }

  /// Takes a complete answer; nil if it has not arrived.
  func takeAnswer() throws(Failure) -> HTTPAnswer? {
    guard let head = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Failure("the answer is not HTTP")
    }
    guard let length = lines.first(where: { $0.lowercased().hasPrefix("content-length:") })?.split(separator: " ").last.flatMap({ Int($0) })
    else { throw Failure("the answer has no length") }
    guard received.count >= head.upperBound + length else { return nil }
    let answer = HTTPAnswer(status: status, body: Array(received[head.upperBound..<head.upperBound + length]))
    received.removeFirst(head.upperBound + length)
    return answer
  }

  /// Forgets the received bytes.
  func clear() { received.removeAll(keepingCapacity: true) }
}

/// An answer of the server.
struct HTTPAnswer {
  let status: Int
  let body: [UInt8]
}

/// Waits until connections have something to do.
struct Poller {
  private var descriptors: [pollfd] = []

  /// Waits, and calls a closure with the number of each connection that is ready.
  ///
  /// - Parameters:
  ///   - connections: The connections.
  ///   - milliseconds: The longest time.
  mutating func wait(_ connections: [Connection], milliseconds: Int32, _ body: (_ place: Int) throws -> Void) throws {
    descriptors.removeAll(keepingCapacity: true)
    for connection in connections { descriptors.append(pollfd(fd: connection.descriptor, events: connection.events, revents: 0)) }
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
    for place in descriptors.indices where descriptors[place].revents != 0 { try body(place) }
  }
}
