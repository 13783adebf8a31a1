import Foundation

/// A TCP connection to a server on this machine, which sends and receives bytes and adds nothing of its own.
public final class LoopbackSocket: Sendable {
  private let descriptor: Int32

  /// Connects.
  ///
  /// - Parameters:
  ///   - port: The server's port on 127.0.0.1.
  ///   - receiveBuffer: The number of bytes that the system keeps for a client that doesn't read; nil for the usual number.
  /// - Throws: `ChildProcess.SpawnError` with the system's error.
  public init(port: Int, receiveBuffer: Int32? = nil) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
    // If a server never answers, the test fails with an error instead of hanging.
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    // All properties have values, so the error runs `deinit`, which closes the descriptor.
    guard code == 0 else { throw ChildProcess.SpawnError("a connection to port \(port)", code: errno) }
  }

  deinit { close(descriptor) }

  /// Sends bytes until the server accepts no more. The server may close its end before it has read everything.
  ///
  /// - Returns: Whether the server accepted all bytes.
  @discardableResult
  public func send(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
      #else
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads the available bytes, or waits for some; nil at the end, or if the connection is broken. Blocks.
  public func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Reads until the bytes satisfy a condition, or to the end. Blocks.
  public func read(until isEnough: ([UInt8]) -> Bool) -> (bytes: [UInt8], hasEnded: Bool) {
    var bytes: [UInt8] = []
    while !isEnough(bytes) {
      guard let more = read() else { return (bytes, true) }
      bytes += more
    }
    return (bytes, false)
  }

  /// Whether input, including the end, is available within this number of milliseconds.
  public func isReadable(within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }

  /// Ends the connection from another thread. A blocked `read` returns.
  public func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
