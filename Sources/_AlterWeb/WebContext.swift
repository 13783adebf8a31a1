#if InspectorServer || SyncServer
  public import Hummingbird

  /// The context of a request: the client and its connection.
  public struct WebContext: RequestContext {
    /// The storage of Hummingbird.
    public var coreContext: CoreRequestContextStorage
    /// The IP address of the client, without its port; 'local' if the connection has none.
    public let client: String
    /// The port that the client has connected to.
    let port: Int?
    /// The identity of the connection's channel.
    let channel: ObjectIdentifier
    /// The connections of the server; nil until the middleware has admitted the request.
    var connections: Connections?

    /// Creates the context of a request.
    public init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      client = source.channel.remoteAddress?.ipAddress ?? "local"
      channel = ObjectIdentifier(source.channel)
      port = source.channel.localAddress?.port
    }
  }
#endif
