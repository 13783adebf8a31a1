#if InspectorServer || SyncServer
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import NIOHTTPTypes
  import NIOHTTPTypesHTTP1

  /// Enforces the limits of a server on one connection: it closes the connection if a request or a reader takes too long, and counts the
  /// unsent bytes.
  ///
  /// Hummingbird's idle timeout does not cover three cases: an incomplete head on a reused connection, a body that arrives slowly, and a
  /// client that does not read.
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
    /// The number of requests that have begun and whose answers have not ended. It exceeds 1 if the client pipelines requests.
    private var openRequests = 0
    /// The deadline of the phase; nil while a request is being answered.
    private var phaseEnd: NIODeadline?
    private var pace: ReaderPace
    /// Whether the answer that is being written is a stream of events.
    private var isStream = false
    /// Whether the last head that the parser has read allows keeping the connection.
    private var isKeptAlive = true
    /// Whether further requests are dropped, because the last request was received or one was refused.
    private var isLast = false
    /// Whether the answer that is being written ends the connection, even if further requests are pending.
    private var isRefusal = false
    /// The number of requests that arrived after the last accepted one.
    private var dropped = 0
    private var isClosed = false
    /// Whether the server is stopping.
    private var isEnding = false
    private var alarm: (time: NIODeadline, task: Scheduled<Void>)?

    /// The size of one write, in bytes. A larger answer is written in several parts, so that the pace of the reader can be measured.
    private static let partSize = 65_536

    /// The statuses of answers to a client without the token or with a wrong host. The connection is closed after them, because such a
    /// client could otherwise keep it, and block other clients.
    private static let refusals: Set<Int> = [400, 401, 403, 421]

    init(_ connections: Connections) {
      self.connections = connections
      pace = ReaderPace(patience: connections.limits.readerTime, rate: connections.limits.readerRate)
    }

    // MARK: Life cycle

    func handlerAdded(context: ChannelHandlerContext) {
      // This handler must be in front of the parser, which does not report an incomplete head.
      let pipeline = context.pipeline.syncOperations
      try? pipeline.addHandler(ByteWatch { [weak self] in self?.bytesCame(context) }, position: .first)
      // This handler must be in front of the codec, which drops the HTTP version.
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
      // In this phase no other handler requests reads, and the dropped input must be read.
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
        // The deadline is set when the last bytes are written.
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
      // Drop the answers to requests that arrived after the last one.
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
        // The server also answers a parser error, without a request that has begun.
        openRequests = max(0, openRequests - 1)
        isStream = false
        guard !isRefusal, !isLast || openRequests > 0 else { return sayGoodbye(context, data, promise) }
        context.write(data, promise: promise)
        guard openRequests == 0 else { return }
        pace.end(at: now)
        // If the answer has ended first, the rest of the body must still arrive within its deadline.
        if phase == .answer { enter(.idle, context) }
      }
    }

    /// Ends the last answer. The client gets time to read it: closing a socket with unread input resets the connection, and the answer may
    /// be lost.
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

    /// The deadline for the client's next read; nil if no bytes are unsent.
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
        // An alarm that fires too early is set again.
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

  /// Calls a closure when bytes arrive.
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

  /// Calls a closure with each head, which tells whether the connection can be kept.
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
