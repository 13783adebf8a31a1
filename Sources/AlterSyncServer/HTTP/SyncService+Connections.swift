#if SyncServer
  import AlterSyncCore
  import _AlterWeb
  public import HummingbirdCore

  extension SyncService {
    /// The HTTP server of an application that devices reach without a proxy: its connections keep to limits of time and size.
    ///
    /// ```swift
    /// Application(router: router, server: service.server, configuration: ApplicationConfiguration(address: .hostname("0.0.0.0", port: 8080)))
    /// ```
    ///
    /// A client that sends the head of a request, or takes an answer, too slowly loses its connection. If there are too many connections, one
    /// without a request is closed. At most 10,000 connections are open, and no more than the process may have files besides those that its stores may
    /// open: so neither takes the other's.
    public var server: HTTPServerBuilder { .guarded(connections) }

    /// The number of open connections of ``server``.
    package var openConnections: Int { connections.count }

    /// The number of connections that ``server`` may have.
    package var mostConnections: Int { connections.most }

    /// The bytes of bodies that are being read or decided.
    package var heldBytes: Int { bodies.count }

    /// The highest number of bytes so far that ``server`` has kept for slow readers.
    package var mostUnsentBytes: Int { connections.mostUnsent }
  }

  extension WebLimits {
    /// A year, in seconds: a deadline in nanoseconds cannot be much later.
    private static let longestTime = 31_536_000

    /// The limits of the connections of a service.
    ///
    /// - Parameters:
    ///   - limits: The limits of the service.
    ///   - descriptors: The file descriptors that its stores may need.
    init(_ limits: SyncLimits, otherDescriptors descriptors: Int) {
      self.init()
      otherDescriptors = descriptors
      connections = 10_000
      unsentBytes = 256 << 20
      idleTime = .seconds(75)
      readerTime = .seconds(min(limits.readerSeconds, Self.longestTime))
      // A snapshot that is cut is of no use, so a slow line needs time.
      readerRate = 1_024
      // The service itself limits the time of a body, by its length.
      let longest = RequestBytes.readBytes(max(limits.pushBytes, limits.bytesPerFetch)) / RequestBytes.bytesPerSecond + 1
      bodyTime = .seconds(min(limits.bodySeconds.saturatingAdding(longest), Self.longestTime))
    }
  }
#endif
