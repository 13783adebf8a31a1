#if InspectorServer
  internal import AlterInspector
  import AlterJournal
  internal import Hummingbird

  /// The parameters of a request. Parsing is strict, so that a typing error is reported instead of ignored.
  struct Parameters {
    private var values: [String: String] = [:]
    private let inPath: String?

    /// The maximum length of a query, in bytes. A single value may have a quarter of it.
    static let limit = 8_192

    init(_ request: Request, _ context: some RequestContext, of route: InspectorRoute) throws {
      let names = Set(route.parameters.keys)
      inPath = context.parameters.get("revision")
      let query = request.uri.query ?? ""
      guard query.utf8.count <= Self.limit else {
        throw InspectionError(.badParameter, "The query is longer than \(Self.limit) bytes. Send a shorter one.")
      }
      for part in query.split(separator: "&") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { Self.decoded($0) }
        guard let name = pair[0], let value = pair.count > 1 ? pair[1] : "" else {
          throw InspectionError(.badParameter, "The query is not percent-encoded UTF-8: '\(part)'.")
        }
        guard names.contains(name) else {
          let known = names.isEmpty ? "it takes none" : "it takes " + names.sorted().joined(separator: ", ")
          throw InspectionError(.badParameter, "This route has no parameter '\(name)': \(known).")
        }
        values[name] = value
      }
      guard values.values.allSatisfy({ $0.utf8.count <= Self.limit / 4 }) else {
        throw InspectionError(.badParameter, "A parameter is longer than \(Self.limit / 4) bytes. Send a shorter one.")
      }
    }

    /// Decodes a part of a query (WHATWG URL standard, `application/x-www-form-urlencoded`); nil if the result is not UTF-8.
    static func decoded(_ text: Substring) -> String? {
      var bytes: [UInt8] = []
      var rest = text.utf8[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "+") {
          bytes.append(UInt8(ascii: " "))
        } else if byte == UInt8(ascii: "%"), rest.count >= 2, let digits = String(rest.prefix(2)), let value = UInt8(digits, radix: 16) {
          bytes.append(value)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      }
      return String(validating: bytes, as: UTF8.self)
    }

    /// Returns a text; nil if it is absent.
    func text(_ name: String) -> String? { values[name] }

    /// Returns a text that must be present.
    func needed(_ name: String, _ purpose: String) throws -> String {
      guard let text = values[name], !text.isEmpty else {
        throw InspectionError(.badParameter, "The parameter '\(name)' is missing: \(purpose).")
      }
      return text
    }

    /// Returns a whole number; nil if it is absent.
    func number(_ name: String) throws -> Int64? {
      guard let text = values[name], !text.isEmpty else { return nil }
      guard let number = Int64(text) else { throw InspectionError(.badParameter, "'\(name)' must be a whole number, not '\(text)'.") }
      return number
    }

    /// Returns a revision, 0 or more; nil if it is absent.
    func revision(_ name: String) throws -> Int64? {
      guard let number = try number(name) else { return nil }
      guard number >= 0 else { throw InspectionError(.badParameter, "'\(name)' must be a revision, 0 or more, not \(number).") }
      return number
    }

    /// Returns a number from 0 to a limit, or the default if it is absent.
    func count(_ name: String, or usual: Int, atMost limit: Int) throws -> Int {
      guard let number = try number(name) else { return usual }
      guard number >= 0, number <= limit else {
        throw InspectionError(.badParameter, "'\(name)' must be \(limit == .max ? "0 or more" : "0 to \(limit)"), not \(number).")
      }
      return Int(number)
    }

    /// Returns a list of drafts, or the default if it is absent.
    func list(_ name: String, or usual: DeviceList) throws -> DeviceList {
      guard let text = values[name], !text.isEmpty else { return usual }
      guard let list = DeviceList(rawValue: text) else {
        let known = DeviceList.allCases.map(\.rawValue).joined(separator: ", ")
        throw InspectionError(.badParameter, "There is no list '\(text)': the lists are \(known).")
      }
      return list
    }

    /// Returns a Boolean value; nil if it is absent.
    func flag(_ name: String) throws -> Bool? {
      switch values[name] {
      case nil, "": nil
      case "true", "1": true
      case "false", "0": false
      case let text?: throw InspectionError(.badParameter, "'\(name)' must be true or false, not '\(text)'.")
      }
    }

    /// Returns the revision in the path.
    func revisionInPath() throws -> Int64 {
      guard let inPath, let revision = Int64(inPath) else {
        throw InspectionError(.badParameter, "A revision is a whole number, not '\(inPath ?? "")'.")
      }
      return revision
    }

    /// Returns the filter of a search.
    func query() throws -> Inspection.Query {
      var query = Inspection.Query()
      query.text = text("text") ?? ""
      query.kinds = Set(
        try (text("kind") ?? "").split(separator: ",").map { name in
          guard let kind = Entry.Kind(rawValue: String(name)) else {
            let known = Entry.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw InspectionError(.badParameter, "There is no kind '\(name)': the kinds are \(known).")
          }
          return kind
        })
      query.origin = text("origin") ?? ""
      query.scope = text("scope").flatMap { $0.isEmpty ? nil : $0 }
      query.from = try number("from")
      query.to = try number("to")
      query.undone = try flag("undone")
      return query
    }
  }
#endif
