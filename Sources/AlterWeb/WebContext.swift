#if Inspector || Examples
  package import Hummingbird

  /// What a request is handled with.
  package struct WebContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address of the client, without its port.
    package let client: String
    /// The port that the client has connected to.
    let port: Int?
    /// The connections of the server, once the middleware has let the request in.
    var connections: Connections?

    package init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      client = source.channel.remoteAddress?.ipAddress ?? "local"
      port = source.channel.localAddress?.port
    }
  }
#endif
