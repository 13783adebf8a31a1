import _AlterTerminal

/// The part of a list that a page requests, from the query of its URL: `show=open&search=rent&tag=@home&sort=due&limit=200`.
public struct ListRequest: Sendable, Hashable {
  /// The filter and the order.
  public var query = ItemQuery()
  /// The maximum number of items.
  public var limit = 200

  /// The parameters of the query.
  public enum Parameter: String, CaseIterable, Sendable {
    /// `open`, `done`, `overdue` or `all`.
    case show
    /// Words that an item must all contain.
    case search
    /// A tag. The parameter may be repeated.
    case tag
    /// An order.
    case sort
    /// The maximum number of items.
    case limit
  }

  /// The highest limit that a request may have.
  public static let most = 10_000
  /// The maximum length of a parameter's value, in bytes.
  public static let longest = 1_000

  /// All open items.
  public init() { query.status = .open }

  /// Parses the parameters of a URL.
  ///
  /// - Parameter parameters: The names and values, decoded. `tag` may be repeated: an item must have all of the tags.
  /// - Throws: ``MalformedRequest``, also for an unknown parameter.
  public init(_ parameters: [(name: String, value: String)]) throws(MalformedRequest) {
    self.init()
    var seen: Set<String> = []
    for (name, value) in parameters {
      guard value.utf8.count <= Self.longest else {
        throw MalformedRequest("'\(name.printable)' is too long: it may have \(Self.longest) bytes.")
      }
      if name != "tag", !seen.insert(name).inserted { throw MalformedRequest("'\(name.printable)' is given twice.") }
      switch Parameter(rawValue: name) {
      case .show:
        switch value {
        case "open": query.status = .open
        case "done": query.status = .done
        case "all": query.status = nil
        case "overdue": query.isOverdue = true
        default: throw MalformedRequest("'show' is open, done, overdue or all.")
        }
      case .search: query.words = value.split(whereSeparator: \.isWhitespace).map(String.init)
      case .tag:
        guard Tag.name(of: value) != nil else { throw MalformedRequest("\(value.quoted) is not a tag: a tag is a single word.") }
        query.tags.append(value)
      case .sort:
        guard let order = ItemQuery.Order(rawValue: value) else {
          throw MalformedRequest("'sort' is one of \(ItemQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        query.order = order
      case .limit:
        guard let limit = Int(value), (1...Self.most).contains(limit) else {
          throw MalformedRequest("'limit' is a number from 1 to \(Self.most).")
        }
        self.limit = limit
      case nil: throw MalformedRequest("There is no parameter \(name.quoted): there are show, search, tag, sort and limit.")
      }
    }
  }
}
