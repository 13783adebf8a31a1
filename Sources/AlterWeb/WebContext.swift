#if Inspector
  public import Hummingbird

  /// What a request is handled with.
  public struct WebContext: RequestContext {
    /// The storage of Hummingbird.
    public var coreContext: CoreRequestContextStorage
    /// The address of the client, without its port.
    public let client: String
    /// The port that the client has connected to.
    let port: Int?
    /// The connection.
    let channel: ObjectIdentifier
    /// The connections of the server, once the middleware has let the request in.
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
