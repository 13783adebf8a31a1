#if Inspector
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import NIOHTTPTypes
  import NIOHTTPTypesHTTP1

  /// Keeps one connection within the limits of its server: closes it when a request or a reader takes too long, and counts the bytes that wait.
  ///
  /// Hummingbird's idle time knows nothing of half a head on a connection that was used before, of a body that drips, and of a client that doesn't read.
  ///
  /// ```
  ///            first byte          head             end of body            end of the answer
  ///   idle ───────────────► head ─────────► body ───────────────► answer ───────────────────► idle
  ///   idleTime              headTime        bodyTime              readerTime and              or, after the
  ///                                                               readerRate, while           last answer:
  ///                                                               bytes wait                  goodbye, closeTime
  /// ```
  final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Phase { case idle, head, body, answer, goodbye }

    private let connections: Connections
    private var limits: WebLimits { connections.limits }
    private var id: ConnectionTable.ID?
    private var phase = Phase.head
    /// How many requests have begun whose answers have not ended: more than one when a client doesn't wait.
    private var openRequests = 0
    /// When the phase has to end; nil while the request is answered.
    private var phaseEnd: NIODeadline?
    private var pace: ReaderPace
    /// Whether the answer that is being written is a stream of events.
    private var isStream = false
    /// Whether the head that the parser has read lets the connection live on.
    private var isKeptAlive = true
    /// Whether no request is taken any more, after the one that came last or because of a refusal.
    private var isLast = false
    /// Whether the answer that is being written ends the connection, whatever else was asked.
    private var isRefusal = false
    /// How many requests came after the last one that is taken.
    private var dropped = 0
    private var isClosed = false
    /// Whether the server ends.
    private var isEnding = false
    private var alarm: (time: NIODeadline, task: Scheduled<Void>)?

    /// What is written at once: a client takes a large answer in parts of so many bytes.
    private static let partSize = 65_536

    /// The answers to a client that doesn't know the token or its way. Keeping the connection would let it ask on and on, and keep others out.
    private static let refusals: Set<Int> = [400, 401, 403, 421]

    init(_ connections: Connections) {
      self.connections = connections
      pace = ReaderPace(patience: connections.limits.readerTime, rate: connections.limits.readerRate)
    }

    // MARK: Its life

    func handlerAdded(context: ChannelHandlerContext) {
      // Before the parser, which says nothing of half a head.
      let pipeline = context.pipeline.syncOperations
      try? pipeline.addHandler(ByteWatch { [weak self] in self?.bytesCame(context) }, position: .first)
      // Before the codec, which drops the version of HTTP.
      if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
        try? pipeline.addHandler(HeadWatch { [weak self] in self?.isKeptAlive = $0.isKeepAlive }, position: .before(codec))
      }
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
      (alarm, phaseEnd, isClosed) = (nil, nil, true)
    }

    // MARK: Requests

    private func bytesCame(_ context: ChannelHandlerContext) { if phase == .idle { enter(.head, context) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard phase != .goodbye, !isClosed else { return }
      let part = unwrapInboundIn(data)
      if case .head = part {
        if isLast { dropped += 1 } else { openRequests += 1 }
        guard openRequests <= limits.pipelinedRequests, dropped <= limits.pipelinedRequests else {
          isClosed = true
          return context.close(promise: nil)
        }
      }
      guard dropped == 0 else { return }
      switch part {
      case .head:
        isLast = !isKeptAlive
        enter(.body, context)
      case .body: break
      // The answer may have ended before the body.
      case .end: enter(openRequests > 0 ? .answer : .idle, context)
      }
      context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      context.fireChannelReadComplete()
      // Nobody else asks for what is dropped.
      if phase == .goodbye { context.read() }
    }

    private func enter(_ phase: Phase, _ context: ChannelHandlerContext) {
      self.phase = phase
      phaseEnd =
        switch phase {
        case .idle: end(after: limits.idleTime)
        case .head: end(after: limits.headTime)
        case .body: end(after: limits.bodyTime)
        case .answer: nil
        // Until the last bytes are written; then the time of the goodbye itself begins.
        case .goodbye: pace.unsent == 0 ? end(after: limits.readerTime) : nil
        }
      if let id {
        switch phase {
        case .answer: connections.beginAnswer(id)
        case .idle, .goodbye: connections.endAnswer(id)
        case .head, .body: break
        }
      }
      setAlarm(context)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      // The answers to what came after the last request.
      guard phase != .goodbye else { return promise?.succeed() ?? () }
      switch unwrapOutboundIn(data) {
      case .head(var head):
        guard head.status.kind != .informational else { return context.write(data, promise: promise) }
        if Self.refusals.contains(head.status.code) { (isRefusal, isLast) = (true, true) }
        if isRefusal || (isLast && openRequests <= 1) { head.headerFields[.connection] = "close" }
        isStream = head.headerFields[.contentType] == "text/event-stream"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
      case .body(var bytes):
        guard bytes.readableBytes > Self.partSize else { return write(bytes, context, promise) }
        while bytes.readableBytes > Self.partSize, let part = bytes.readSlice(length: Self.partSize) { write(part, context, nil) }
        write(bytes, context, promise)
      case .end:
        // A parser's error is answered, too, and no request has begun.
        openRequests = max(0, openRequests - 1)
        isStream = false
        guard !isRefusal, !isLast || openRequests > 0 else { return sayGoodbye(context, data, promise) }
        context.write(data, promise: promise)
        guard openRequests == 0 else { return }
        pace.end(at: now)
        // What is left of a body still has to come in time.
        if phase == .answer { enter(.idle, context) }
      }
    }

    /// Ends the last answer. The client gets some time to read it: what closes with unread bytes is reset, and the answer may be lost.
    private func sayGoodbye(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
      enter(.goodbye, context)
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.cascade(to: promise)
      written.futureResult.assumeIsolated().whenComplete { _ in
        guard !self.isClosed else { return }
        self.phaseEnd = self.end(after: self.limits.closeTime)
        self.setAlarm(context)
        context.close(mode: .output, promise: nil)
        context.read()
      }
      context.writeAndFlush(data, promise: written)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
      let count = bytes.readableBytes
      guard count > 0 else { return context.write(wrapOutboundOut(.body(bytes)), promise: promise) }
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.cascade(to: promise)
      pace.wait(count, at: now)
      if let id { connections.wait(count, for: id) }
      setAlarm(context)
      written.futureResult.assumeIsolated().whenComplete { _ in
        self.pace.took(count, at: self.now)
        if let id = self.id { self.connections.took(count, by: id) }
        guard self.phase == .goodbye, self.pace.unsent == 0, self.phaseEnd == nil, !self.isClosed else { return }
        self.phaseEnd = self.end(after: self.limits.readerTime)
        self.setAlarm(context)
      }
      context.write(wrapOutboundOut(.body(bytes)), promise: written)
    }

    // MARK: Time

    private func end(after time: Duration) -> NIODeadline { .now() + TimeAmount(isEnding ? min(time, limits.endTime) : time) }

    private var now: Duration { .nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }

    /// When the client has to have taken more; nil when nothing waits.
    private var readerEnd: NIODeadline? {
      guard let deadline = pace.deadline(isStream: isStream) else { return nil }
      return .uptimeNanoseconds(UInt64(max(0, TimeAmount(deadline).nanoseconds)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        isEnding = true
        if phaseEnd != nil { phaseEnd = end(after: limits.endTime) }
        pace.hurry(limits.endTime, at: now)
        setAlarm(context)
      }
      // The client has read the last answer.
      if phase == .goodbye, event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
      context.fireUserInboundEventTriggered(event)
    }

    private func setAlarm(_ context: ChannelHandlerContext) {
      guard !isClosed, let next = [phaseEnd, readerEnd].compactMap({ $0 }).min() else { return }
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

  /// Tells of each head with what the parser knows of its connection.
  private final class HeadWatch: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let headCame: (HTTPRequestHead) -> Void

    init(_ headCame: @escaping (HTTPRequestHead) -> Void) { self.headCame = headCame }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .head(let head) = unwrapInboundIn(data) { headCame(head) }
      context.fireChannelRead(data)
    }
  }
#endif
