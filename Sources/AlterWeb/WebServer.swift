#if Inspector
  public import Hummingbird
  import HummingbirdCore
  import Logging
  import NIOCore
  import UnixSignals

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// An HTTP server for a person's own browser: on the loopback interface unless told otherwise, and with a token, since other users of the machine reach it there.
  public struct WebServer: Sendable {
    /// The address or name that it is bound to.
    public let host: String
    /// The port; 0 for any free one.
    public let port: Int
    /// Who may come in.
    public let access: WebAccess
    /// The connections, within their limits.
    package let connections: Connections

    /// What a visitor must bring.
    public enum Token: Sendable, Hashable {
      /// A random one, made for this server.
      case fresh
      /// This one.
      case given(String)
      /// Nothing: everybody may come in who reaches the server.
      case none
    }

    /// A server that is not running yet.
    ///
    /// - Parameters:
    ///   - host: What to bind to.
    ///   - port: The port; 0 for any free one.
    ///   - names: Names of this server beside "localhost" and the host, each with a port or without.
    ///   - token: What a visitor must bring.
    ///   - limits: How much its clients may take.
    public init(
      host: String = "127.0.0.1", port: Int = 0, names: Set<String> = [], token: Token = .fresh, limits: WebLimits = WebLimits()
    ) {
      self.host = host
      self.port = port
      connections = Connections(limits)
      let text: String? =
        switch token {
        case .fresh: WebAccess.makeToken()
        case .given(let text): text
        case .none: nil
        }
      access = WebAccess(host: host, names: names, token: text)
    }

    /// Serves until the task is cancelled, or the process is told to end.
    ///
    /// - Parameters:
    ///   - obeysSignals: Whether SIGINT and SIGTERM end it, and SIGHUP and SIGQUIT unless the process ignores them.
    ///   - assets: The files.
    ///   - routes: Adds what is answered.
    ///   - onReady: Called once it accepts connections, with the address to open: it holds the token, if there is one.
    /// - Throws: ``WebServerError`` when it can't be bound.
    public func run(
      obeysSignals: Bool = true, assets: [WebAsset], routes: (Router<WebContext>) -> Void,
      onReady: @escaping @Sendable (_ address: String) async -> Void
    ) async throws {
      let router = Router(context: WebContext.self, options: [.autoGenerateHeadEndpoints])
      router.add(middleware: WebAccessMiddleware(access: access, connections: connections))
      router.add(assets)
      routes(router)
      var logger = Logger(label: "alter.web")
      logger.logLevel = .critical
      let (host, access, connections) = (host, access, connections)
      let limits = connections.limits
      let channel = HTTP1Channel.Configuration(
        additionalChannelHandlers: [ConnectionGuard(connections)],
        httpDecoderConfiguration: .init(maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes, maxHeaderFieldCount: 100)
      )
      let application = Application(
        router: router, server: .http1(configuration: channel),
        configuration: ApplicationConfiguration(
          address: .hostname(host, port: port), serverName: nil,
          availableConnectionsDelegate: MaximumAvailableConnections(connections.most, logger: logger)),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? 0
          let name =
            host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "[::1]" : host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
          await onReady("http://\(name):\(port)/" + (access.token.map { "?token=\($0)" } ?? ""))
        }, logger: logger)
      do {
        try await application.runService(gracefulShutdownSignals: obeysSignals ? Self.signals : [])
      } catch let error as IOError {
        throw WebServerError(host: host, port: port, code: error.errnoCode)
      } catch let error as SocketAddressError {
        throw WebServerError(host: host, port: port, code: nil, why: "\(error)")
      }
    }
  }

  extension WebServer {
    /// The signals that end a server in good order. Under `nohup`, SIGHUP is ignored; a listener would change that.
    private static var signals: [UnixSignal] {
      let ignorable = [(SIGHUP, UnixSignal.sighup), (SIGQUIT, .sigquit)]
      return [.sigint, .sigterm] + ignorable.filter { !isIgnored($0.0) }.map(\.1)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0 else { return false }
      #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
      #else
        let handler = action.__sigaction_handler.sa_handler
      #endif
      // SIG_IGN is the address 1 on every platform.
      return unsafeBitCast(handler, to: Int.self) == 1
    }
  }

  /// Why a server can't begin.
  public struct WebServerError: Error, CustomStringConvertible {
    /// The address or name that the server was to listen on.
    public let host: String
    /// The port.
    public let port: Int
    /// The system's error number, if it gave one.
    public let code: Int32?
    var why: String?

    /// The message: the place, the reason, and the option to change.
    public var description: String {
      let place = "can't listen on \(host):\(port)"
      switch code {
      case EADDRINUSE: return "\(place): another program has the port. Name another by --port, or 0 for any free one."
      case EACCES, EPERM: return "\(place): this user may not. Ports below 1024 are for root; name another by --port."
      case EADDRNOTAVAIL: return "\(place): this machine has no such address. Name another by --host."
      case let code?: return "\(place): \(String(cString: strerror(code)))."
      case nil: return "\(place): \(why ?? "no such host"). Name another by --host."
      }
    }
  }

  extension Router {
    /// Serves files.
    ///
    /// - Parameter assets: The files; each path once.
    public func add(_ assets: [WebAsset]) {
      for asset in assets { add(asset) }
    }

    private func add(_ asset: WebAsset) {
      get(RouterPath(asset.path)) { request, _ in
        // A page's relative links begin at its folder.
        if asset.path.hasSuffix("/"), !request.uri.path.hasSuffix("/") {
          return Response(status: .movedPermanently, headers: [.location: asset.path + (request.uri.query.map { "?\($0)" } ?? "")])
        }
        var headers: HTTPFields = [.contentType: asset.type, .eTag: asset.tag, .cacheControl: "no-cache"]
        if request.headers[.ifNoneMatch] == asset.tag { return Response(status: .notModified, headers: headers) }
        headers[.contentLength] = "\(asset.bytes.count)"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
      }
    }
  }
#endif
