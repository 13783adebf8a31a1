#if SyncServer
  import AlterSyncCore
  import AlterWeb
  public import HummingbirdCore

  extension SyncService {
    /// The HTTP server of an application that devices reach without a proxy: its connections keep to limits of time and size.
    ///
    /// ```swift
    /// Application(router: router, server: service.server, configuration: ApplicationConfiguration(address: .hostname("0.0.0.0", port: 8080)))
    /// ```
    ///
    /// A client that sends the head of a request, or takes an answer, too slowly loses its connection. If there are too many connections, one
    /// without a request is closed. At most 10,000 connections are open, and no more than the process may have files.
    public var server: HTTPServerBuilder {
      let limits = options.limits
      var web = WebLimits()
      web.connections = 10_000
      web.unsentBytes = 256 << 20
      web.idleTime = .seconds(75)
      web.readerTime = .seconds(limits.readerSeconds)
      // The service itself limits the time of a body, by its length.
      web.bodyTime = .seconds(limits.bodySeconds + max(limits.pushBytes, limits.bytesPerFetch) * 4 / RequestBytes.bytesPerSecond + 1)
      return .guarded(Connections(web))
    }
  }
#endif
