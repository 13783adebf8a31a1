#if InspectorServer || SyncServer
  import HTTPTypes
  import NIOHTTP1
  public import Hummingbird

  /// Applies a ``WebAccess`` to every request of a router. It also adds response headers that disable browser features that the pages never
  /// need (Content Security Policy and similar).
  ///
  /// ``WebServer`` contains this middleware already. Add it to a router of your own, before any route:
  ///
  /// ```swift
  /// router.add(middleware: WebAccessMiddleware(WebAccess(token: token), port: 8080))
  /// ```
  public struct WebAccessMiddleware<Context: RequestContext>: RouterMiddleware {
    private let access: WebAccess
    /// The port that clients connect to; nil if the context knows it.
    private let port: Int?
    /// The connections of a ``WebServer``; nil for other routers.
    private var connections: Connections?

    /// Creates the middleware for a router of your own.
    ///
    /// - Parameters:
    ///   - access: The rules.
    ///   - port: The port that the server listens on. A request must name it in its `Host` field, unless it is 80.
    public init(_ access: WebAccess, port: Int) {
      self.access = access
      self.port = port
    }

    /// Creates the middleware of a ``WebServer``.
    init(access: WebAccess, connections: Connections) where Context == WebContext {
      self.access = access
      self.connections = connections
      port = nil
    }

    /// Refuses a request as the rules say, and passes on any other.
    public func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      // All ports of a host share their cookies, so the name contains the port.
      let cookie = "alter-token-\(WebHost.port(in: request.head.authority ?? ""))"
      var visit = WebAccess.Visit()
      visit.method = request.method.rawValue
      visit.path = request.uri.path
      visit.query = request.uri.query
      // Hummingbird moves the first `Host` field into the authority; further ones stay in the headers.
      visit.hosts = [request.head.authority].compactMap { $0 } + request.headers[values: HTTPField.Name("Host")!]
      visit.port = port ?? (context as? WebContext)?.port
      visit.origin = request.headers[.origin]
      visit.site = request.headers[HTTPField.Name("Sec-Fetch-Site")!]
      visit.cookie = request.cookies[cookie]?.value
      visit.queryToken = request.uri.queryParameters["token"].map(String.init)
      if let authorization = request.headers[.authorization], authorization.hasPrefix("Bearer ") {
        visit.bearer = String(authorization.dropFirst("Bearer ".count))
      }
      var response: Response
      switch access.decide(visit) {
      case .allow:
        var context = context
        if var own = context as? WebContext {
          own.connections = connections
          connections?.letIn(own.channel)
          context = own as? Context ?? context
        }
        do { response = try await next(request, context) } catch let error as any HTTPResponseError {
          response = try error.response(from: request, context: context)
        } catch is HTTPParserError {
          response = .text(
            "The body of the request is malformed HTTP. Send it with a correct length, or in correct chunks.", status: .badRequest)
        }
      case .welcome(let location):
        if let own = context as? WebContext { connections?.letIn(own.channel) }
        // The redirect removes the token from the address, where it would be visible, kept in the history and sent as a referrer.
        response = Response(status: .seeOther, headers: [.location: location])
        response.headers[.setCookie] = "\(cookie)=\(access.token ?? ""); Path=/; HttpOnly; SameSite=Strict"
      case .refuse(let status, let why):
        response = Response(
          status: HTTPResponse.Status(code: status), headers: [.contentType: "text/plain; charset=utf-8"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: why + "\n")))
      }
      for (name, value) in Self.headers where response.headers[name] == nil { response.headers[name] = value }
      return response
    }

    private static var headers: [(HTTPField.Name, String)] {
      [
        (
          .contentSecurityPolicy,
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        (.xContentTypeOptions, "nosniff"), (HTTPField.Name("Referrer-Policy")!, "no-referrer"),
        (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"), (.cacheControl, "no-store"),
      ]
    }
  }
#endif
