public import AlterCollections
public import AlterCore
import AlterStore

/// An effect that the state asks for: what is asked, and how it is answered.
///
/// The state says what is wanted (`mustSave`, `search == "abc"`, an item that needs saving). A feedback sees it, performs it with the
/// dependencies in an environment, and answers with a change.
///
/// ```swift
/// let save = Feedback<AppState, World>("save", each: \.items, where: \.needsSaving) { item, world in
///   await world.api.save(item) ? .item(item.id, .saved(true)) : .item(item.id, .saveFailed)
/// }
/// let loop = store.run([save, search], in: World.live)
/// ```
///
/// A *query* maps the state to requests. A request that appears starts its effect; one that stays is left alone; one that disappears or changes
/// is cancelled, and nothing that its effect sends afterwards counts. An effect does not throw: its failure is a change, too.
///
/// **Durable** is the default in a store with a journal: the feedback looks at the confirmed state, and one replica at a time performs it,
/// under a lease. Because the request is in the journal, a process that dies in the middle is followed by another that does it again: at least once, with
/// the same ``Effect/key``. **Local** (``local``; the default in a store without a journal) looks at what shows, pending changes included, on every replica: for searches,
/// timers, animations.
public struct Feedback<State: Alterable, Environment: Sendable>: Sendable {
  /// What journals, leases and reports call it. It is stored: keep it stable, and use it once in a store.
  public let name: String

  /// Whether it looks at what shows on this replica; nil for what the store suggests.
  var isLocal: Bool?

  let makeRunner: @Sendable (LoopContext<State, Environment>) -> any FeedbackRunner<State>

  init<Requests: RequestTracker>(
    _ name: String, _ requests: Requests,
    _ perform: @escaping @Sendable (Requests.Request, Environment, Effect<State>) async -> State.Change?
  ) where Requests.State == State {
    self.name = name
    makeRunner = { context in Runner(context, tracker: requests, perform: perform) }
  }

  /// The same feedback, looking at what shows (pending changes included) on every replica by itself.
  public var local: Feedback {
    var copy = self
    copy.isLocal = true
    return copy
  }
}

// MARK: - One request

extension Feedback {
  /// A feedback for one request at a time.
  ///
  /// Waiting in the effect is how to debounce: a newer request cancels the one that waits.
  ///
  /// ```swift
  /// Feedback<AppState, World>("search", request: \.search) { text, world in
  ///   guard (try? await world.clock.sleep(for: .milliseconds(300))) != nil else { return nil }
  ///   return .found(await world.search(text))
  /// }.local
  /// ```
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - request: What the state asks for, or nil. Pure, and called for each change: keep it quick.
  ///   - effect: Performs it. Its answer is one change; nil for none.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment) async -> State.Change?
  ) {
    self.init(name, request: request) { request, environment, _ in await effect(request, environment) }
  }

  /// A feedback for one request at a time, whose effect tells of its progress or needs its key.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - request: What the state asks for, or nil. Pure.
  ///   - effect: Performs it. It may send changes on the way; what it returns is its last.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) {
    self.init(
      name,
      KeyedRequests(
        query: { state in request(state).map { [OneRequest(): $0] } ?? [:] }, lookup: { state, _ in request(state) }), effect)
  }

  /// A feedback for one request at a time, answered by an ``AsyncResult``.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - request: What the state asks for, or nil. Pure.
  ///   - effect: Makes the result whose value is the answer.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request) -> AsyncResult<Environment, State.Change, Never>
  ) {
    self.init(name, request: request) { request, environment, _ in await effect(request).run(in: environment).get() }
  }
}

// MARK: - Many requests

extension Feedback {
  /// A feedback for a set of requests, each with an effect of its own.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - requests: What the state asks for. Pure.
  ///   - effect: Performs one of them.
  public init<Request: Hashable & Sendable>(
    _ name: String, requests: @escaping @Sendable (State) -> Set<Request>,
    effect: @escaping @Sendable (Request, Environment) async -> State.Change?
  ) {
    self.init(name, requests: requests) { request, environment, _ in await effect(request, environment) }
  }

  /// A feedback for a set of requests, whose effects tell of their progress or need their keys.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - requests: What the state asks for. Pure.
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

  /// A feedback for requests by id. One whose value changes is cancelled and begun anew.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - requests: What the state asks for, by what each is about. Pure.
  ///   - effect: Performs one of them.
  public init<ID: Hashable & Sendable, Request: Equatable & Sendable>(
    _ name: String, requestsByID requests: @escaping @Sendable (State) -> [ID: Request],
    effect: @escaping @Sendable (Request, Environment) async -> State.Change?
  ) {
    self.init(name, requestsByID: requests) { request, environment, _ in await effect(request, environment) }
  }

  /// A feedback for requests by id, whose effects tell of their progress or need their keys.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - requests: What the state asks for, by what each is about. Pure.
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
  /// A feedback for the elements of a collection that need something. Any change to such an element cancels its effect and begins anew.
  ///
  /// A change of the state costs O(k log n) for the k elements that it touches, and nothing for the others.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - elements: The collection.
  ///   - condition: Whether an element needs the effect. Pure.
  ///   - effect: Performs it for one element.
  public init<Element: Identifiable & Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    where condition: @escaping @Sendable (Element) -> Bool,
    effect: @escaping @Sendable (Element, Environment) async -> State.Change?
  ) where Element.ID: Sendable {
    self.init(name, each: elements, request: { condition($0) ? $0 : nil }) { element, environment, _ in await effect(element, environment) }
  }

  /// A feedback for the elements of a collection that need something, whose effects need their keys.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - elements: The collection.
  ///   - condition: Whether an element needs the effect. Pure.
  ///   - effect: Performs it for one element. A change that it sends to the element is a change of its request, and cancels it: an effect with progress names
  ///     what it asks for with ``init(_:each:request:effect:)``.
  public init<Element: Identifiable & Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    where condition: @escaping @Sendable (Element) -> Bool,
    effect: @escaping @Sendable (Element, Environment, Effect<State>) async -> State.Change?
  ) where Element.ID: Sendable {
    self.init(name, each: elements, request: { condition($0) ? $0 : nil }, effect: effect)
  }

  /// A feedback for what the elements of a collection ask for: only a change of *that* cancels an effect, not any change of the element.
  ///
  /// A change of the state costs O(k log n) for the k elements that it touches, and nothing for the others.
  ///
  /// - Parameters:
  ///   - name: What journals, leases and reports call it; once in a store.
  ///   - elements: The collection.
  ///   - request: What an element asks for, or nil. Pure.
  ///   - effect: Performs it. It may send changes on the way; what it returns is its last.
  public init<Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    request: @escaping @Sendable (Element) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) where Element.ID: Sendable {
    self.init(name, ElementRequests(elements: elements, request: request), effect)
  }
}
