/// One event of a stream that a page listens to (*server-sent events*, HTML standard section 9.2).
public struct ServerEvent: Sendable, Hashable {
  /// What a page listens for.
  public let name: String
  /// The text; without line feeds other than those of JSON.
  public let data: String
  /// What the browser tells when it comes back: where to go on.
  public let id: String?

  /// An event.
  public init(_ name: String, _ data: String, id: String? = nil) {
    self.name = name
    self.data = data
    self.id = id
  }

  /// As it is sent.
  var text: String {
    let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
    return (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\n" + lines + "\n"
  }
}

#if Inspector
  public import Hummingbird
  import ServiceLifecycle

  extension ServerEvent {
    /// Answers a request with events as they come, until the sequence ends, the browser goes, or the server stops.
    ///
    /// - Parameters:
    ///   - events: Finite or not. It is cancelled, by the task that iterates it, as soon as nobody listens any more.
    ///   - request: The request.
    ///   - context: What it is handled with.
    /// - Returns: The answer; 429 when the client has all the streams that it may have.
    public static func response<Events: AsyncSequence & Sendable>(
      _ events: Events, to request: Request, _ context: some RequestContext
    ) -> Response
    where Events.Element == ServerEvent {
      let own = context as? WebContext
      let place = own.flatMap { $0.connections?.stream(of: $0.client) }
      if let own, let connections = own.connections, place == nil {
        return .text(
          "There are \(connections.limits.streams) streams to \(own.client) already. Close another page, and ask again.",
          status: .tooManyRequests)
      }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          // How soon a browser tries again after the stream has broken, in milliseconds.
          try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
          // Both wrappers are needed: without them a browser that goes away keeps the subscription, and the server can't stop.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for try await event in events.cancelOnGracefulShutdown() {
              try await writer.write(ByteBuffer(string: event.text))
              // An empty part sends nothing, and waits for its turn: no event is made for a client that hasn't taken the one before.
              try await writer.write(ByteBuffer())
            }
          }
          try await writer.finish(nil)
          withExtendedLifetime(place) {}
        })
    }
  }
#endif
