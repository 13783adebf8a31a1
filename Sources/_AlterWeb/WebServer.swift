#if InspectorServer || SyncServer
  public import Hummingbird
  internal import HummingbirdCore
  import Logging
  import NIOCore
  import ServiceLifecycle
  import UnixSignals

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// An HTTP server for the browser of one person.
  ///
  /// By default it listens on the loopback interface only, and requires a token, because other users of the machine can reach that
  /// interface.
  public struct WebServer: Sendable {
    /// The address or name that the server listens on.
    public let host: String
    /// The port; 0 for any free one.
    public let port: Int
    /// The access rules.
    public let access: WebAccess
    /// The connections, and their limits.
    package let connections: Connections

    /// The token that a client must send.
    public enum Token: Sendable, Hashable {
      /// A random token, generated for this server.
      case fresh
      /// The given token.
      case given(String)
      /// No token: every client that reaches the server is admitted.
      case none
    }

    /// Creates a server. It does not listen before ``run(obeysSignals:assets:routes:onReady:)``.
    ///
    /// - Parameters:
    ///   - host: The address or name to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - names: Names of this server in addition to 'localhost' and the host, each with or without a port.
    ///   - token: The token that a client must send.
    ///   - limits: The limits on the resources that clients use.
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

    /// Serves until the task is cancelled, or a signal ends the process.
    ///
    /// - Parameters:
    ///   - obeysSignals: Whether SIGINT and SIGTERM end the server, and SIGHUP and SIGQUIT unless the process ignores them.
    ///   - assets: The files to serve.
    ///   - routes: Adds the other routes to the router.
    ///   - onReady: Called once the server accepts connections, with the address to open. The address contains the token, if there is one.
    /// - Throws: ``WebServerError`` if the server cannot listen on its address.
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
      let application = Application(
        router: router, server: .guarded(connections),
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
        try await Self.run(
          ServiceGroup(
            configuration: ServiceGroupConfiguration(
              services: [application], gracefulShutdownSignals: obeysSignals ? Self.signals : [], logger: logger)))
      } catch let error as IOError {
        throw WebServerError(host: host, port: port, code: error.errnoCode)
      } catch let error as SocketAddressError {
        throw WebServerError(host: host, port: port, code: nil, why: "\(error)")
      }
    }
  }

  extension WebServer {
    /// Runs a server, and shuts it down when the task is cancelled. A server that is cancelled itself drops the connections that it has just
    /// accepted, and NIO traps then. Only requests that do not end within a second are cancelled: no connection is accepted any more.
    private static func run(_ group: ServiceGroup) async throws {
      let running = Task { try await group.run() }
      try await withTaskCancellationHandler {
        try await running.value
      } onCancel: {
        Task {
          await group.triggerGracefulShutdown()
          try? await Task.sleep(for: .seconds(1))
          running.cancel()
        }
      }
    }

    /// The signals that stop the server gracefully. Under `nohup`, SIGHUP is ignored, and must stay so: installing a listener would change
    /// that.
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

  /// The reason why a server cannot start.
  public struct WebServerError: Error, CustomStringConvertible {
    /// The address or name that the server should listen on.
    public let host: String
    /// The port.
    public let port: Int
    /// The system's error number; nil if the address could not be resolved.
    public let code: Int32?
    var why: String?

    /// The message: the address, the reason, and the option to change.
    public var description: String {
      let place = "can't listen on \(host):\(port)"
      switch code {
      case EADDRINUSE: return "\(place): another program has the port. Choose another port with --port, or 0 for any free port."
      case EACCES, EPERM: return "\(place): this user may not use the port. Ports below 1024 are for root. Choose another port with --port."
      case EADDRNOTAVAIL: return "\(place): this machine has no such address. Choose another address with --host."
      case let code?: return "\(place): \(String(cString: strerror(code)))."
      case nil: return "\(place): \(why ?? "no such host"). Choose another address with --host."
      }
    }
  }

  extension Router {
    /// Adds a route for each file.
    ///
    /// - Parameter assets: The files. Their paths must differ.
    public func add(_ assets: [WebAsset]) {
      for asset in assets { add(asset) }
    }

    private func add(_ asset: WebAsset) {
      get(RouterPath(asset.path)) { request, _ in
        // The relative links of a page need the '/' at the end of its path.
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
