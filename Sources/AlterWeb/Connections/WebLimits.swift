#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much of a server its clients may take, so that none of them keeps the others out.
public struct WebLimits: Sendable, Hashable {
  /// The most connections at a time. Before the last one is taken, another is closed: one that was never let in and has waited longest without a whole request, if there
  /// is none one that was let in and waits, at last one that was never let in and is being answered. When all were let in and are being answered, new ones wait until
  /// one ends.
  public var connections = 128
  /// How long a connection may stay open between two requests.
  public var idleTime: Duration = .seconds(60)
  /// How long the head of a request may take, from the connection or the first byte on.
  public var headTime: Duration = .seconds(10)
  /// How long the body of a request may take, from its head on.
  public var bodyTime: Duration = .seconds(30)
  /// The most requests that a client may send on one connection before their answers have ended.
  public var pipelinedRequests = 16
  /// The most bytes of the fields of a request's head.
  public var headBytes = 65_536
  /// The most streams of events for one client: an address, so that all programs of one machine are one client.
  public var streams = 24
  /// The most bytes that wait for slow readers, of all connections together. Beyond it the connection that has taken nothing for longest is closed.
  public var unsentBytes = 32 << 20
  /// How long a client may take nothing of what waits for it.
  public var readerTime: Duration = .seconds(30)
  /// How many bytes a second a client has to take of answers that aren't streams of events, once it has kept them waiting for `readerTime`, on average.
  public var readerRate = 16_384
  /// How long a connection that the server closes stays for its client to read the last answer. The server closes it after an answer of 400, 401, 403 or 421, and when the
  /// client asked for that: by `Connection: close`, or by HTTP/1.0 without `keep-alive`.
  public var closeTime: Duration = .seconds(1)

  /// How long a client may take with what it has begun when the server ends.
  public var endTime: Duration = .seconds(1)

  /// The descriptors that are left for everything but connections: files, locks, the journal.
  static let reservedDescriptors = 64

  /// The limits that `docs/inspector.md` names.
  public init() {}

  /// The most connections at a time, by these limits and by the descriptors that the process may open.
  var possibleConnections: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    #else
      let isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0
    #endif
    guard isKnown else { return connections }
    return max(8, min(connections, Int(clamping: limit.rlim_cur) - Self.reservedDescriptors))
  }
}
