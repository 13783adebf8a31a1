import AlterCore

/// The limits on the resources of a server that clients use. They prevent one client from blocking the others.
public struct WebLimits: Sendable, Hashable {
  /// The maximum number of connections. A new connection that reaches it closes another one. The order is: a connection without an admitted
  /// request that waits for a request, then another one that waits, then one without an admitted request that is being answered; each time
  /// the one that waits longest. If all connections have an admitted request and are being answered, new ones wait until one ends.
  public var connections = 128
  /// The maximum time between two requests of a connection.
  public var idleTime: Duration = .seconds(60)
  /// The maximum time for the head of a request, from the start of the connection or, on a reused connection, from the first byte.
  public var headTime: Duration = .seconds(10)
  /// The maximum time for the body of a request, from the end of its head.
  public var bodyTime: Duration = .seconds(30)
  /// The maximum number of requests on one connection whose answers have not ended.
  public var pipelinedRequests = 16
  /// The maximum size of the header fields of a request, in bytes.
  public var headBytes = 65_536
  /// The maximum number of event streams for one client. A client is an IP address, so all programs of one machine are one client.
  public var streams = 24
  /// The maximum number of unsent bytes of all connections together. Beyond it, the connection that has taken nothing for the longest time
  /// is closed.
  public var unsentBytes = 32 << 20
  /// The maximum time during which a client may take none of the bytes that wait for it.
  public var readerTime: Duration = .seconds(30)
  /// The minimum average rate of a reader, in bytes per second. It applies to an answer once its bytes have waited for `readerTime` in
  /// total; it does not apply to event streams.
  public var readerRate = 16_384
  /// The time for which a connection stays open after its last answer, so that the client can read it. The server ends a connection after a
  /// response of 400, 401, 403 or 421, and if the client requests that with `Connection: close`, or with HTTP/1.0 without `keep-alive`.
  public var closeTime: Duration = .seconds(1)

  /// The maximum time for each pending step of a client when the server stops.
  public var endTime: Duration = .seconds(1)

  /// The file descriptors that are reserved for other uses than connections: files, locks, the journal.
  static let reservedDescriptors = 64

  /// Further file descriptors that are reserved for other uses.
  package var otherDescriptors = 0

  /// Creates the default limits, which `docs/inspector.md` documents.
  public init() {}

  /// The maximum number of connections that both these limits and the process's limit of file descriptors allow; at least 8 if that limit
  /// is known.
  var possibleConnections: Int {
    guard let limit = ProcessDescriptors.limit else { return connections }
    return max(8, min(connections, limit - Self.reservedDescriptors - otherDescriptors))
  }
}
