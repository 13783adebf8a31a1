public import AlterCollections
public import AlterCore
import AlterStore

/// An effect that the state requests: a query for requests, and an effect that answers them.
///
/// The state contains the request (`mustSave`, `search == "abc"`, an item that needs saving). A feedback observes the state, performs the
/// request with the dependencies in an environment, and answers with a change.
///
/// ```swift
/// struct AppState: Alterable {
///   enum Change: Hashable, Codable { case search(String), found([String]) }
///   private(set) var search: String?
///   private(set) var results: [String] = []
///
///   mutating func apply(_ change: Change, at stamp: Stamp) {
///     switch change {
///     case .search(let text): search = text
///     case .found(let results): (search, self.results) = (nil, results)
///     }
///   }
/// }
/// struct World: Sendable { var find: @Sendable (String) async -> [String] }
///
/// let search = Feedback<AppState, World>("search", request: \.search) { text, world in .found(await world.find(text)) }
/// let store = Store(AppState())
/// let loop = store.run([search], in: World(find: { [$0] }))
/// ```
///
/// ## Requests
///
/// A *query* maps the state to requests. A new request starts its effect, and an unchanged request is left alone. If a request disappears
/// or changes, its effect is cancelled, and later answers of the effect are ignored. The answer of an effect should end its request, as
/// `found` does above.
///
/// The initialisers differ in the number of requests:
///
/// | initialiser | requests |
/// |---|---|
/// | `init(_:_:when:)` | one while a condition on the state holds |
/// | `init(_:request:effect:)` | at most one |
/// | `init(_:requests:effect:)` | a set |
/// | `init(_:requestsByID:effect:)` | one per id |
/// | `init(_:each:where:effect:)` | one per element of a collection that needs the effect |
/// | `init(_:each:request:effect:)` | one per element of a collection, with a value of its own |
///
/// ## Durable and local feedback
///
/// **Durable** is the default in a store with a journal. The feedback observes the confirmed state, and one replica at a time performs it,
/// under a lease. The request is in the journal: if the process dies midway, another process repeats the effect. An effect therefore runs
/// at least once, and every repetition has the same ``Effect/key``.
///
/// **Local** (``local``; always in a store without a journal) observes the visible state, including pending changes, on every replica
/// independently. Use it for searches, timers and animations.
///
/// ## Errors
///
/// A failure of an effect is a change, too, such as `saveFailed`. The initialisers with `failure:` take effects that throw, or that are an
/// ``AsyncResult`` with a failure, and turn the failure into a change; the other initialisers take effects that cannot fail.
///
/// If the state refuses an answer, the request stays unanswered, and `store.problems` reports it. If an answer leaves its request in the
/// state, the effect does not run again in this loop, and nothing is reported. To retry after a failure, let the failure change the request,
/// for example by counting the attempts. An endless chain, in which answers cause further requests, pauses after ``FeedbackOptions/rounds``
/// answers.
///
/// ## Environments
///
/// A feedback declares the environment that its effect needs, often a part of the app's. `provide` turns it into a feedback for the
/// app's environment, so that one loop runs feedbacks with different environments.
///
/// ```swift
/// let loop = store.run([load.provide(\.jokes), draw.provide(\.dice)], in: app)
/// ```
///
/// ## Concurrency
///
/// Each request's effect runs in a task of its own, so effects of different requests run concurrently, without a limit. Cancellation is
/// that of Swift tasks: an effect that ignores it runs to its end, and its answer is dropped. ``FeedbackLoop/stop()`` waits for such
/// effects.
///
/// ## Complexity
///
/// The query runs at each change of the state, so it must be pure and fast. The two `each:` forms examine only the elements that have
/// changed: O(k log n) for k changed elements of n.
public struct Feedback<State: Alterable, Environment: Sendable>: Sendable {
  /// The name of the feedback in journals, leases and reports. The journal stores it: keep it stable, and use each name once in a store.
  public let name: String

  /// Whether the feedback observes the visible state of this replica; nil for the store's default.
  var isLocal: Bool?

  let makeRunner: @Sendable (LoopContext<State, Environment>) -> any FeedbackRunner<State>

  init<Requests: RequestTracker>(
    _ name: String, _ requests: Requests,
    _ perform: @escaping @Sendable (Requests.Request, Environment, Effect<State>) async -> State.Change?
  ) where Requests.State == State {
    self.name = name
    makeRunner = { context in Runner(context, tracker: requests, perform: perform) }
  }

  init(
    _ name: String, isLocal: Bool?,
    makeRunner: @escaping @Sendable (LoopContext<State, Environment>) -> any FeedbackRunner<State>
  ) { (self.name, self.isLocal, self.makeRunner) = (name, isLocal, makeRunner) }

  /// The same feedback as a local one: it observes the visible state, including pending changes, on every replica independently.
  public var local: Feedback {
    var copy = self
    copy.isLocal = true
    return copy
  }
}

// MARK: - One request

extension Feedback {
  /// Creates a feedback for one request at a time.
  ///
  /// To debounce, wait in the effect: a newer request cancels the waiting one.
  ///
  /// ```swift
  /// Feedback<AppState, World>("search", request: \.search) { text, world in
  ///   guard (try? await world.clock.sleep(for: .milliseconds(300))) != nil else { return nil }
  ///   return .found(await world.search(text))
  /// }.local
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure and fast: it is called for each change.
  ///   - effect: Performs the request. Its answer is one change; nil for none.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment) async -> State.Change?
  ) {
    self.init(name, request: request) { request, environment, _ in await effect(request, environment) }
  }

  /// Creates a feedback for one request at a time, whose effect reports progress or uses its key.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure.
  ///   - effect: Performs the request. It may send changes while it runs; its result is the last one.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) {
    self.init(
      name,
      KeyedRequests(
        query: { state in request(state).map { [OneRequest(): $0] } ?? [:] }, lookup: { state, _ in request(state) }), effect)
  }

  /// Creates a feedback for one request at a time, answered by an ``AsyncResult``.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure.
  ///   - effect: Returns the work whose value is the answer.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request) -> AsyncResult<Environment, State.Change, Never>
  ) {
    self.init(name, request: request) { request, environment, _ in await effect(request).run(in: environment).get() }
  }
}

// MARK: - Many requests

extension Feedback {
  /// Creates a feedback for a set of requests, each with an effect of its own.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - requests: Returns the state's requests. Pure.
  ///   - effect: Performs one of them.
  public init<Request: Hashable & Sendable>(
    _ name: String, requests: @escaping @Sendable (State) -> Set<Request>,
    effect: @escaping @Sendable (Request, Environment) async -> State.Change?
  ) {
    self.init(name, requests: requests) { request, environment, _ in await effect(request, environment) }
  }

  /// Creates a feedback for a set of requests, whose effects report progress or use their keys.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - requests: Returns the state's requests. Pure.
  ///   - effect: Performs one of them.
  public init<Request: Hashable & Sendable>(
    _ name: String, requests: @escaping @Sendable (State) -> Set<Request>,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) {
    self.init(
      name,
      KeyedRequests(
        query: { state in Dictionary(uniqueKeysWithValues: requests(state).map { ($0, $0) }) },
        lookup: { state, request in requests(state).contains(request) ? request : nil }, subject: { RequestText.values(of: $0) }),
      effect)
  }

  /// Creates a feedback for requests by id. If the value of a request changes, its effect is cancelled and restarted.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - requests: Returns the state's requests, by their subjects. Pure.
  ///   - effect: Performs one of them.
  public init<ID: Hashable & Sendable, Request: Equatable & Sendable>(
    _ name: String, requestsByID requests: @escaping @Sendable (State) -> [ID: Request],
    effect: @escaping @Sendable (Request, Environment) async -> State.Change?
  ) {
    self.init(name, requestsByID: requests) { request, environment, _ in await effect(request, environment) }
  }

  /// Creates a feedback for requests by id, whose effects report progress or use their keys.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - requests: Returns the state's requests, by their subjects. Pure.
  ///   - effect: Performs one of them.
  public init<ID: Hashable & Sendable, Request: Equatable & Sendable>(
    _ name: String, requestsByID requests: @escaping @Sendable (State) -> [ID: Request],
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) {
    self.init(name, KeyedRequests(query: requests, lookup: { state, id in requests(state)[id] }), effect)
  }
}

// MARK: - Elements of a collection

extension Feedback {
  /// Creates a feedback for the elements of a collection that need an effect. Any change to such an element cancels and restarts its
  /// effect.
  ///
  /// A change of the state costs O(k log n) for the k elements that it modifies, and nothing for the others.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - condition: Whether an element needs the effect. Pure.
  ///   - effect: Performs the effect for one element.
  public init<Element: Identifiable & Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    where condition: @escaping @Sendable (Element) -> Bool,
    effect: @escaping @Sendable (Element, Environment) async -> State.Change?
  ) where Element.ID: Sendable {
    self.init(name, each: elements, request: { condition($0) ? $0 : nil }) { element, environment, _ in await effect(element, environment) }
  }

  /// Creates a feedback for the elements of a collection that need an effect, whose effects use their keys.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - condition: Whether an element needs the effect. Pure.
  ///   - effect: Performs the effect for one element. A change that it sends to the element changes its request, and cancels it. For an
  ///     effect with progress, use ``init(_:each:request:effect:)``, which separates the request from the element.
  public init<Element: Identifiable & Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    where condition: @escaping @Sendable (Element) -> Bool,
    effect: @escaping @Sendable (Element, Environment, Effect<State>) async -> State.Change?
  ) where Element.ID: Sendable {
    self.init(name, each: elements, request: { condition($0) ? $0 : nil }, effect: effect)
  }

  /// Creates a feedback for the requests of a collection's elements. Only a change of the *request* cancels an effect, not any change of
  /// the element.
  ///
  /// A change of the state costs O(k log n) for the k elements that it modifies, and nothing for the others.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - request: Returns an element's request, or nil. Pure.
  ///   - effect: Performs the request. It may send changes while it runs; its result is the last one.
  public init<Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    request: @escaping @Sendable (Element) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) where Element.ID: Sendable {
    self.init(name, ElementRequests(elements: elements, request: request), effect)
  }
}
