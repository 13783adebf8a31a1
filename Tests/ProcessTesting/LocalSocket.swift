public import Foundation

/// A stream socket between two processes of this machine: at a path, or at a port of 127.0.0.1. Its calls block.
public final class LocalSocket: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  private static func make() throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw ChildProcess.SpawnError("a socket") }
    return descriptor
  }

  private static func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Connects to a path.
  public static func connect(to path: String) throws -> LocalSocket {
    let socket = LocalSocket(try make())
    guard withAddress(path, { Foundation.connect(socket.descriptor, $0, $1) }) == 0 else {
      throw ChildProcess.SpawnError("a connection to \(path)")
    }
    return socket
  }

  /// Listens at a path, which a killed process may have left behind.
  public static func listen(at path: String) throws -> LocalSocket {
    unlink(path)
    let socket = LocalSocket(try make())
    guard withAddress(path, { bind(socket.descriptor, $0, $1) }) == 0, Foundation.listen(socket.descriptor, 64) == 0 else {
      throw ChildProcess.SpawnError("a listener at \(path)")
    }
    return socket
  }

  // MARK: - Ports

  private static func makeTCP() throws -> LocalSocket {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw ChildProcess.SpawnError("a socket") }
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    return LocalSocket(descriptor)
  }

  private static func withAddress<Result>(port: Int, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  /// Connects to a port.
  public static func connect(toPort port: Int) throws -> LocalSocket {
    let socket = try makeTCP()
    guard withAddress(port: port, { Foundation.connect(socket.descriptor, $0, $1) }) == 0 else {
      throw ChildProcess.SpawnError("a connection to port \(port)")
    }
    return socket
  }

  /// Listens at a free port.
  public static func listen() throws -> (socket: LocalSocket, port: Int) {
    let socket = try makeTCP()
    let port: Int? = withAddress(port: 0) { address, length in
      guard bind(socket.descriptor, address, length) == 0, Foundation.listen(socket.descriptor, 64) == 0,
        getsockname(socket.descriptor, address, &length) == 0
      else { return nil }
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: $0.pointee.sin_port)) }
    }
    guard let port else { throw ChildProcess.SpawnError("a listener") }
    return (socket, port)
  }

  // MARK: - Bytes

  /// The next connection; nil if there will be none.
  public func accept() -> LocalSocket? {
    while true {
      let next = Foundation.accept(descriptor, nil, nil)
      if next >= 0 {
        _ = fcntl(next, F_SETFD, FD_CLOEXEC)
        return LocalSocket(next)
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// The bytes that are there, or the next ones; nil at the end, or if the connection is broken.
  public func read() -> Data? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes[..<count]) : nil
  }

  /// Writes all bytes, unless the connection is broken.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends the sending direction: the other side has the whole message.
  public func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions, also for a blocked call of another thread.
  public func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
