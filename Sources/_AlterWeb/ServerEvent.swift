/// One event of a stream that a page listens to (*server-sent events*, HTML standard section 9.2).
public struct ServerEvent: Sendable, Hashable {
  /// The event type that a listener of the page subscribes to.
  public let name: String
  /// The payload. Each of its lines becomes a `data` field; the browser joins them with line feeds.
  public let data: String
  /// The position in the stream. A browser that reconnects sends the last id as 'Last-Event-ID'. Nil for an event without a position.
  public let id: String?

  /// Creates an event.
  public init(_ name: String, _ data: String, id: String? = nil) {
    self.name = name
    self.data = data
    self.id = id
  }

  /// The event in the wire format.
  var text: String {
    let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
    return (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\n" + lines + "\n"
  }
}

#if InspectorServer || SyncServer
  public import Hummingbird
  import ServiceLifecycle

  extension ServerEvent {
    /// Responds to a request with events as they arrive, until the sequence ends, the browser disconnects, or the server stops.
    ///
    /// - Parameters:
    ///   - events: A finite or infinite sequence. The task that iterates it is cancelled as soon as the client has disconnected.
    ///   - request: The request.
    ///   - context: The context of the request. A ``WebContext`` enforces the limit of streams per client.
    /// - Returns: The response; 429 if the client has reached ``WebLimits/streams``.
    public static func response<Events: AsyncSequence & Sendable>(
      _ events: Events, to request: Request, _ context: some RequestContext
    ) -> Response
    where Events.Element == ServerEvent {
      let own = context as? WebContext
      let place = own.flatMap { $0.connections?.stream(of: $0.client) }
      if let own, let connections = own.connections, place == nil {
        return .text(
          "The client \(own.client) has \(connections.limits.streams) streams already, which is the limit. Close another page and try again.",
          status: .tooManyRequests)
      }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          // The time after which a browser reconnects when the stream has broken, in milliseconds.
          try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
          // Both wrappers are needed: without them, the subscription outlives a browser that disconnects, and the server cannot stop.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for try await event in events.cancelOnGracefulShutdown() {
              try await writer.write(ByteBuffer(string: event.text))
              // Writing an empty part sends nothing, but waits for its turn. So no event is made for a client that has not read the
              // previous one.
              try await writer.write(ByteBuffer())
            }
          }
          try await writer.finish(nil)
          withExtendedLifetime(place) {}
        })
    }
  }
#endif
