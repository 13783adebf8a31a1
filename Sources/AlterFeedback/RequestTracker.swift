import AlterCollections
import AlterCore

/// Keeps the requests of the last state and determines the changes of a newer one: a pure value.
protocol RequestTracker<State>: Sendable {
  associatedtype State
  /// The subject of a request. A subject has at most one request at a time.
  associatedtype Key: Hashable & Sendable
  associatedtype Request: Equatable & Sendable

  /// Processes a newer state.
  ///
  /// - Returns: The withdrawn requests, then the new ones. A request that has changed is in both.
  mutating func update(to state: State) -> RequestChanges<Key, Request>

  /// The request of a state for a key.
  func request(_ key: Key, in state: State) -> Request?

  /// The text of a key in an ``IdempotencyKey``: the same in every process.
  func subject(of key: Key) -> String
}

/// The changes of a state's requests.
struct RequestChanges<Key: Hashable & Sendable, Request: Equatable & Sendable>: Sendable {
  var gone: [Key] = []
  var appeared: [(key: Key, request: Request)] = []
}

/// The key of a feedback with one request at a time.
struct OneRequest: Hashable, Sendable, CustomStringConvertible {
  var description: String { "" }
}

/// Requests in a dictionary, computed again from each state.
struct KeyedRequests<State, Key: Hashable & Sendable, Request: Equatable & Sendable>: RequestTracker {
  let query: @Sendable (State) -> [Key: Request]
  let lookup: @Sendable (State, Key) -> Request?
  private let subject: @Sendable (Key) -> String
  private var last: [Key: Request] = [:]

  init(
    query: @escaping @Sendable (State) -> [Key: Request], lookup: @escaping @Sendable (State, Key) -> Request?,
    subject: @escaping @Sendable (Key) -> String = { RequestText.id($0) }
  ) {
    self.query = query
    self.lookup = lookup
    self.subject = subject
  }

  mutating func update(to state: State) -> RequestChanges<Key, Request> {
    let present = query(state)
    guard present != last else { return RequestChanges() }
    var changes = RequestChanges<Key, Request>()
    changes.gone = last.compactMap { key, request in present[key] == request ? nil : key }
    changes.appeared = present.compactMap { key, request in last[key] == request ? nil : (key, request) }
    // A dictionary's order differs from run to run.
    if changes.appeared.count > 1 { changes.appeared.sort { "\($0.key)" < "\($1.key)" } }
    last = present
    return changes
  }

  func request(_ key: Key, in state: State) -> Request? { lookup(state, key) }

  func subject(of key: Key) -> String { subject(key) }
}

/// The requests of a collection's elements; only changed elements are examined.
struct ElementRequests<State, Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable>: RequestTracker
where Element.ID: Sendable {
  let elements: @Sendable (State) -> IdentityArray<Element>
  let request: @Sendable (Element) -> Request?
  private var seen = IdentityArray<Element>()
  private var last: [Element.ID: Request] = [:]

  init(elements: @escaping @Sendable (State) -> IdentityArray<Element>, request: @escaping @Sendable (Element) -> Request?) {
    self.elements = elements
    self.request = request
  }

  mutating func update(to state: State) -> RequestChanges<Element.ID, Request> {
    let present = elements(state)
    var changes = RequestChanges<Element.ID, Request>()
    for step in present.changes(from: seen).steps {
      switch step {
      case .removed(let element, _): note(nil, element.id, &changes)
      case .inserted(let element, _): note(request(element), element.id, &changes)
      case .updated(_, let element): note(request(element), element.id, &changes)
      case .moved: break
      }
    }
    seen = present
    return changes
  }

  private mutating func note(_ request: Request?, _ key: Element.ID, _ changes: inout RequestChanges<Element.ID, Request>) {
    let old = last[key]
    guard old != request else { return }
    if old != nil { changes.gone.append(key) }
    if let request { changes.appeared.append((key, request)) }
    last[key] = request
  }

  func request(_ key: Element.ID, in state: State) -> Request? { elements(state)[id: key].flatMap(request) }

  func subject(of key: Element.ID) -> String { RequestText.id(key) }
}
