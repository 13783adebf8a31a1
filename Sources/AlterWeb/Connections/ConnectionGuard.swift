#if Inspector
  import NIOCore
  import NIOHTTPTypes

  /// Keeps one connection within the limits of its server: closes it when a request or a reader takes too long, and counts the bytes that wait.
  ///
  /// Hummingbird's idle time knows nothing of half a head on a connection that was used before, of a body that drips, and of a client that doesn't read.
  ///
  /// ```
  ///            first byte          head             end of body            end of the answer
  ///   idle ───────────────► head ─────────► body ───────────────► answer ───────────────────► idle
  ///   idleTime              headTime        bodyTime              readerTime, while bytes wait
  /// ```
  final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Phase { case idle, head, body, answer }

    private let connections: Connections
    private var limits: WebLimits { connections.limits }
    private var id: ConnectionTable.ID?
    private var phase = Phase.head
    /// How many requests have begun whose answers have not ended: more than one when a client doesn't wait.
    private var openRequests = 0
    /// When the phase has to end; nil while the request is answered.
    private var phaseEnd: NIODeadline?
    /// When the client has to have taken something; nil when nothing waits.
    private var readerEnd: NIODeadline?
    private var unsent = 0
    /// Whether the server ends.
    private var isEnding = false
    private var alarm: (time: NIODeadline, task: Scheduled<Void>)?

    /// What is written at once: a client takes a large answer in parts of so many bytes.
    private static let partSize = 65_536

    init(_ connections: Connections) { self.connections = connections }

    // MARK: Its life

    func handlerAdded(context: ChannelHandlerContext) {
      // Before the parser, which says nothing of half a head.
      try? context.pipeline.syncOperations.addHandler(ByteWatch { [weak self] in self?.bytesCame(context) }, position: .first)
      if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
      begin(context)
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func begin(_ context: ChannelHandlerContext) {
      guard id == nil else { return }
      id = connections.open(context.channel)
      enter(.head, context)
    }

    private func end() {
      if let id { connections.close(id) }
      alarm?.task.cancel()
      (alarm, phaseEnd, readerEnd) = (nil, nil, nil)
    }

    // MARK: Requests

    private func bytesCame(_ context: ChannelHandlerContext) { if phase == .idle { enter(.head, context) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head:
        openRequests += 1
        enter(.body, context)
      case .body: break
      // The answer may have ended before the body.
      case .end: enter(openRequests > 0 ? .answer : .idle, context)
      }
      context.fireChannelRead(data)
    }

    private func enter(_ phase: Phase, _ context: ChannelHandlerContext) {
      self.phase = phase
      phaseEnd =
        switch phase {
        case .idle: end(after: limits.idleTime)
        case .head: end(after: limits.headTime)
        case .body: end(after: limits.bodyTime)
        case .answer: nil
        }
      if let id {
        switch phase {
        case .answer: connections.beginAnswer(id)
        case .idle: connections.endAnswer(id)
        case .head, .body: break
        }
      }
      setAlarm(context)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      switch unwrapOutboundIn(data) {
      case .head: context.write(data, promise: promise)
      case .body(var bytes):
        guard bytes.readableBytes > Self.partSize else { return write(bytes, context, promise) }
        while bytes.readableBytes > Self.partSize, let part = bytes.readSlice(length: Self.partSize) { write(part, context, nil) }
        write(bytes, context, promise)
      case .end:
        context.write(data, promise: promise)
        openRequests -= 1
        // What is left of a body still has to come in time.
        if phase == .answer, openRequests == 0 { enter(.idle, context) }
      }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
      let count = bytes.readableBytes
      guard count > 0 else { return context.write(wrapOutboundOut(.body(bytes)), promise: promise) }
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.cascade(to: promise)
      if unsent == 0 { readerEnd = end(after: limits.readerTime) }
      unsent += count
      if let id { connections.wait(count, for: id) }
      setAlarm(context)
      written.futureResult.assumeIsolated().whenComplete { _ in
        self.unsent -= count
        self.readerEnd = self.unsent > 0 ? self.end(after: self.limits.readerTime) : nil
        if let id = self.id { self.connections.took(count, by: id) }
      }
      context.write(wrapOutboundOut(.body(bytes)), promise: written)
    }

    // MARK: Time

    private func end(after time: Duration) -> NIODeadline { .now() + TimeAmount(isEnding ? min(time, limits.endTime) : time) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        isEnding = true
        if phaseEnd != nil { phaseEnd = end(after: limits.endTime) }
        if readerEnd != nil { readerEnd = end(after: limits.endTime) }
        setAlarm(context)
      }
      context.fireUserInboundEventTriggered(event)
    }

    private func setAlarm(_ context: ChannelHandlerContext) {
      guard let next = [phaseEnd, readerEnd].compactMap({ $0 }).min() else { return }
      if let alarm {
        // One that comes too early looks, and is set again.
        guard next < alarm.time else { return }
        alarm.task.cancel()
      }
      alarm = (
        next,
        context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
          self.alarm = nil
          let now = NIODeadline.now()
          if [self.phaseEnd, self.readerEnd].contains(where: { $0.map { $0 <= now } ?? false }) {
            context.close(promise: nil)
          } else {
            self.setAlarm(context)
          }
        }
      )
    }
  }

  /// Tells that bytes have come.
  private final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let bytesCame: () -> Void

    init(_ bytesCame: @escaping () -> Void) { self.bytesCame = bytesCame }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      bytesCame()
      context.fireChannelRead(data)
    }
  }
#endif
