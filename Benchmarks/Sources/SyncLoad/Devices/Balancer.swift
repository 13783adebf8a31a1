import Foundation

/// A load balancer of TCP connections: each goes to the next server that accepts one. Two blocking threads serve a connection.
final class Balancer: Sendable {
  let port: Int
  private let listener: Int32
  private let servers: Ports
  /// The ports of the servers. `@unchecked Sendable`: the lock guards both variables.
  private final class Ports: @unchecked Sendable {
    private let lock = NSLock()
    private var ports: [Int]
    private var turn = 0

    init(_ ports: [Int]) { self.ports = ports }

    func set(_ port: Int, at place: Int) { lock.withLock { ports[place] = port } }

    /// The ports in the order in which they are tried.
    func next() -> [Int] {
      lock.withLock {
        turn += 1
        return ports.indices.map { ports[($0 + turn) % ports.count] }
      }
    }
  }

  init(_ ports: [Int]) throws {
    servers = Ports(ports)
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 1_024) == 0 && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard code else { throw Failure("no balancer: \(String(cString: strerror(errno)))") }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        begin(client)
      }
    }
  }

  /// Replaces the port of a server.
  func set(_ port: Int, at place: Int) { servers.set(port, at: place) }

  private func begin(_ client: Int32) {
    for port in servers.next() {
      guard let server = try? Connection(port: port) else { continue }
      // The threads block.
      _ = fcntl(server.descriptor, F_SETFL, fcntl(server.descriptor, F_GETFL) & ~O_NONBLOCK)
      let pair = Pair(client, server)
      Thread.detachNewThread { pair.copy(from: client, to: pair.server.descriptor) }
      Thread.detachNewThread { pair.copy(from: pair.server.descriptor, to: client) }
      return
    }
    close(client)
  }

  /// The two ends of a connection, which are closed when both threads have ended. `@unchecked Sendable`: nothing changes but by system calls.
  private final class Pair: @unchecked Sendable {
    let client: Int32
    let server: Connection

    init(_ client: Int32, _ server: Connection) { (self.client, self.server) = (client, server) }

    deinit { close(client) }

    func copy(from source: Int32, to target: Int32) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(source, &buffer, buffer.count)
        guard count > 0, buffer.withUnsafeBytes({ write(target, $0.baseAddress, count) }) == count else { break }
      }
      // Both directions: a server that has ended closes the connection.
      shutdown(target, Int32(SHUT_RDWR))
      shutdown(source, Int32(SHUT_RDWR))
    }
  }
}
