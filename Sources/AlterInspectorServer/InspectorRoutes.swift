#if InspectorServer
  import AlterCore
  public import AlterInspector
  import AlterInspectorPage
  import AlterJournal
  public import _AlterWeb
  public import Hummingbird

  /// The inspector for your own web server: its page, and a JSON interface to an ``/AlterInspector/Inspection``.
  ///
  /// ```swift
  /// let inspection = Inspection(of: store)
  /// router.add(middleware: WebAccessMiddleware(WebAccess(token: token), port: 8080))
  /// router.add(WebAsset.library + InspectorRoutes.assets(under: "/inspector"))
  /// InspectorRoutes(inspection).add(to: router, under: "/inspector")
  /// ```
  ///
  /// The router answers HEAD only with the option `.autoGenerateHeadEndpoints`. `Design/0012-inspector.md` specifies the routes.
  public struct InspectorRoutes: Sendable {
    private let inspection: Inspection

    /// Creates the routes.
    ///
    /// - Parameter inspection: The inspection that answers. It starts to follow its journal at the first request.
    public init(_ inspection: Inspection) { self.inspection = inspection }

    /// Adds all routes that answer with JSON. The page itself consists of ``assets(under:of:)``.
    ///
    /// - Parameters:
    ///   - router: The router. It needs access rules, because every admitted client can read the whole journal.
    ///   - folder: The path of the page without a slash at the end, like '' or '/inspector'.
    public func add<Context: RequestContext>(to router: Router<Context>, under folder: String = "") {
      let inspection = inspection
      for route in InspectorRoute.allCases {
        let handler: @Sendable (Request, Context) async throws -> Response = { request, context in
          inspection.follow()
          return try await Self.answering {
            let parameters = try Parameters(request, context, of: route)
            if route == .events { return ServerEvent.response(inspection.news().map(Self.event), to: request, context) }
            return try await Self.answer(route, parameters, inspection)
          }
        }
        add(handler, to: router, at: "\(folder)/api/\(route.path)")
      }
      // Unknown routes are reported as JSON, too.
      add(
        { _, _ in Self.problem(.notFound, "There is no such route. The routes are listed in Design/0012-inspector.md.") }, to: router,
        at: "\(folder)/api/**")
    }

    /// Adds a handler for GET and HEAD. Other methods are refused, because no route changes anything.
    private func add<Context: RequestContext>(
      _ answer: @escaping @Sendable (Request, Context) async throws -> Response, to router: Router<Context>, at path: String
    ) {
      let path = RouterPath(path)
      router.on(path, method: .get, use: answer)
      for method: HTTPRequest.Method in [.post, .put, .delete, .patch, .options] {
        router.on(path, method: method) { _, _ -> Response in
          var response = Self.problem(.methodNotAllowed, "The inspector is read-only: use GET.")
          response.headers[.allow] = "GET, HEAD"
          return response
        }
      }
    }

    // MARK: Answers

    private static func answer(_ route: InspectorRoute, _ parameters: Parameters, _ inspection: Inspection) async throws -> Response {
      switch route {
      case .journal: return try json(await inspection.overview())
      case .entries:
        let limit = try parameters.count("limit", or: 100, atMost: Inspection.pageLimit)
        if let after = try parameters.revision("after") { return try json(await inspection.entries(after: after, limit: limit)) }
        return try json(await inspection.entries(before: parameters.revision("before"), limit: limit))
      case .search:
        let limit = try parameters.count("limit", or: 100, atMost: Inspection.pageLimit)
        return try json(await inspection.search(parameters.query(), before: parameters.revision("before"), limit: limit))
      case .entry: return try json(await inspection.detail(parameters.revisionInPath()))
      case .state:
        return try json(
          await inspection.state(
            at: parameters.revision("at"), path: parameters.text("path") ?? "", offset: parameters.count("offset", or: 0, atMost: .max),
            limit: parameters.count("limit", or: 200, atMost: 1_000)))
      case .stateSearch:
        return try json(
          await inspection.searchState(
            at: parameters.revision("at"), for: parameters.needed("text", "the text to search for"),
            limit: parameters.count("limit", or: 100, atMost: 1_000)))
      case .difference:
        guard let from = try parameters.revision("from") else {
          throw InspectionError(.badParameter, "The parameter 'from' is missing: the revision to compare with.")
        }
        return try json(
          await inspection.difference(
            from: from, to: parameters.revision("to"), limit: parameters.count("limit", or: 500, atMost: 5_000)))
      case .drafts:
        return try json(
          await inspection.drafts(
            in: parameters.list("list", or: .outbox), after: parameters.revision("after"),
            limit: parameters.count("limit", or: 100, atMost: Inspection.pageLimit)))
      case .verdicts:
        return try json(
          await inspection.verdicts(
            skipping: parameters.count("offset", or: 0, atMost: .max),
            limit: parameters.count("limit", or: 100, atMost: Inspection.pageLimit)))
      case .feedback: return try json(await inspection.feedback())
      case .verify: return try json(await inspection.verify())
      case .stats: return try json(await inspection.stats(isComplete: false))
      case .bisect:
        return try json(
          await inspection.bisect(
            parameters.needed("condition", "the condition to search for"), from: parameters.revision("from"), to: parameters.revision("to"),
            scan: parameters.flag("scan") ?? false))
      case .export:
        // The status of a refusal must precede the stream.
        _ = try await inspection.journal.exportedFloor()
        return export(inspection)
      case .events: return problem(.notFound, "Events are sent as a stream.")
      }
    }

    static func json(_ value: some Encodable) throws -> Response { .json(try JournalCoding.encode(value)) }

    private struct Problem: Encodable { let error: String }

    static func problem(_ status: HTTPResponse.Status, _ text: String) -> Response {
      (try? .json(JournalCoding.encode(Problem(error: text)), status: status)) ?? Response(status: status)
    }

    private static func answering(_ body: () async throws -> Response) async throws -> Response {
      do { return try await body() } catch let error as InspectionError {
        return problem(status(of: error), error.description)
      } catch let error as JournalError {
        return problem(status(of: error), error.description)
      }
    }

    private static func status(of error: InspectionError) -> HTTPResponse.Status {
      switch error.code {
      case .badParameter, .needsTypes: .badRequest
      case .notFound: .notFound
      case .busy: .tooManyRequests
      }
    }

    static func status(of error: JournalError) -> HTTPResponse.Status {
      switch error.code {
      case .noSuchRevision: .notFound
      case .diverged: .conflict
      case .newerSchema, .newerFormat, .undecodable: .unprocessableContent
      default: .internalServerError
      }
    }

    private static func export(_ inspection: Inspection) -> Response {
      Response(
        status: .ok,
        headers: [.contentType: "application/x-ndjson", .contentDisposition: "attachment; filename=\"journal.jsonl\""],
        body: ResponseBody { writer in
          // An error in the middle closes the connection, because an incomplete export must not look like a complete one.
          try await inspection.export { lines in try await writer.write(ByteBuffer(bytes: lines)) }
          try await writer.finish(nil)
        })
    }

    private struct At: Encodable {
      let revision: Int64
      var floor: Int64?
    }
    private struct Transactions: Encodable { let transactions: Int64 }

    private static func event(_ news: InspectionNews) -> ServerEvent {
      func data(_ value: some Encodable) -> String {
        (try? JournalCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
      }
      return switch news {
      case .head(let revision, let floor): ServerEvent("head", data(At(revision: revision, floor: floor > 0 ? floor : nil)))
      case .indexed(let revision): ServerEvent("indexed", data(At(revision: revision)))
      case .device(let transactions): ServerEvent("device", data(Transactions(transactions: transactions)))
      case .effects(let effects): ServerEvent("effects", data(effects))
      case .gone(let why): ServerEvent("gone", data(Problem(error: why)))
      }
    }
  }

  extension InspectorRoutes {
    /// Returns the files of the inspector's page. They also need `WebAsset.library`.
    ///
    /// - Parameters:
    ///   - folder: The path of the page without a slash at the end, like '' or '/inspector'.
    ///   - app: The page of the app, to which the inspector's page links; nil for none.
    public static func assets(under folder: String = "", of app: (address: String, title: String)? = nil) -> [WebAsset] {
      InspectorPage.files.map { file in
        guard file.name == "index.html" else { return WebAsset("\(folder)/\(file.name)", file.bytes) }
        guard let app else { return WebAsset("\(folder)/", file.bytes) }
        let link = "<link rel=\"up\" href=\"\(escaped(app.address))\" title=\"\(escaped(app.title))\">"
        return WebAsset(
          "\(folder)/", Array(String(decoding: file.bytes, as: UTF8.self).replacing("</head>", with: "\(link)\n</head>").utf8))
      }
    }

    /// Escapes a text as the value of an HTML attribute.
    private static func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
  }
#endif
