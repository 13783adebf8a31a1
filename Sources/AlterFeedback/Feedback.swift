public import AlterCollections
public import AlterCore
import AlterStore

/// An effect that the state requests: a query of the state, and an effect that answers with a change.
///
/// The state contains the request: a flag, a search text, a payment. A feedback examines each state, performs the request with the
/// dependencies in an environment, and answers with a change.
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
/// struct World: Sendable { var find: @Sendable (String) async throws -> [String] }
///
/// let search = Feedback<AppState, World>("search", request: \.search) { text, world in .found(try await world.find(text)) }
/// let store = Store(AppState())
/// try store.run([search], in: World(find: { [$0] }))
/// ```
///
/// ## Three forms
///
/// | form | for | a request is the same if |
/// |---|---|---|
/// | `of:when:` | keeping the world like the state: saving, an index, a refresh | the input is equal |
/// | `request:`, `each:request:` with a value | reading the world: a search, loading | the value is equal |
/// | the same with a ``/AlterCore/Requested`` | acting on the world, once: paying, sending | its id is equal |
///
/// `each:` has one request for each element of a collection, the others one for the whole state. Each of these slots has one performance at a
/// time.
///
/// ## Return and throw
///
/// An effect that returns has decided, and its change ends the request. **An effect that throws has decided nothing:** it is repeated after a
/// pause of 1 s, which doubles up to 100 s and varies by 20 %. So a service's refusal is a change, and a timeout is an error. Effects that act
/// pass `request.id.key("charge")` to the service with each attempt, so that it acts once.
///
/// Reading and reconciling effects are repeated without a limit, acting ones until 23 hours after the request was made, because services
/// forget keys. At the limit the change of `unclear:` is made; without it, the request is stuck, and `store.problems` reports it.
///
/// ## Changes of the request
///
/// If a request changes while its effect runs, the effect runs to its end, its answer to the former request is dropped, and the effect begins
/// again with the new request; ``latestWins`` cancels it instead. If the request disappears, the effect is cancelled. An effect that acts is
/// not cancelled: its answer is offered to `apply` all the same.
///
/// If the state still asks for the same after an answer, or refuses the answer, the request is stuck, and `store.problems` reports it.
///
/// ## Durable and local feedback
///
/// **Durable** is the default in a store with a journal. The feedback examines confirmed states, and one process at a time performs it, under
/// a lease. If that process dies, another one continues, so an effect runs at least once. **Local** (``local``) examines the visible
/// state, with pending changes, in every process. It suits searches and timers.
///
/// ## Undo
///
/// An answer is no step of its own. The answer to a read request is undone with the request. The answer of a reconciling effect stays: it is
/// a fact about the world. Compare with it in `when:`, as in `{ $0.todos != $0.stored }`, so that an undo asks for the next save. After an
/// answer to a request that acts, the entry that asks can't be undone any more; ``undoable`` permits it.
///
/// ## Concurrency
///
/// Effects of different slots run concurrently, each in a task of its own, at most ``FeedbackOptions/atOnce`` at a time. Cancellation is
/// that of Swift tasks: an effect that ignores it runs to its end, and nothing else happens in its slot until then.
///
/// ## Complexity
///
/// The query runs at each change of the state, so it must be pure and fast. `each:` examines only the elements that have changed: O(k log n)
/// for k changed elements of n.
public struct Feedback<State: Alterable, Environment: Sendable>: Sendable {
  /// The name of the feedback in journals, leases and reports. The journal stores it: keep it stable, and use each name once in a store.
  package let name: String

  var traits: FeedbackTraits
  typealias MakeRunner = @Sendable (RunContext<State>, FeedbackTraits, Environment) -> any FeedbackRunner
  let makeRunner: MakeRunner

  /// Performs a request.
  typealias Perform<Request> = @Sendable (Request, Environment, Effect<State>) async throws -> State.Change

  private init<S: Slots>(
    _ name: String, _ slots: S, isFact: Bool, _ perform: @escaping Perform<S.Request>,
    _ unclear: (@Sendable (S.Request, any Error) -> State.Change)?
  ) where S.State == State {
    self.name = name
    traits = FeedbackTraits(form: S.Request.self is any Acting.Type ? .act : isFact ? .reconcile : .ask)
    makeRunner = { context, traits, environment in
      Runner(context, traits, slots, perform: { try await perform($0, environment, $1) }, unclear: unclear)
    }
  }

  init(_ name: String, _ traits: FeedbackTraits, makeRunner: @escaping MakeRunner) {
    (self.name, self.traits, self.makeRunner) = (name, traits, makeRunner)
  }
}

/// The properties of a feedback that its runner obeys.
struct FeedbackTraits: Sendable {
  enum Form: Sendable { case reconcile, ask, act }

  let form: Form
  var isLocal = false
  var latestWins = false
  var isUndoable = false
  /// The limit of attempts; nil for the default of the form.
  var limit: (most: Int?, within: Duration?)?

  /// The longest time from the request to its last attempt; nil for no limit. A service may forget a key after 24 hours.
  var horizon: Duration? { limit.map(\.within) ?? (form == .act ? .seconds(23 * 3_600) : nil) }
}

// MARK: - Reconcile

extension Feedback {
  /// Creates a feedback that keeps the world like the state while a condition holds.
  ///
  /// ```swift
  /// let store = Feedback<List, Disk>("store", of: \.todos, when: \.mustStore) { todos, disk in
  ///   try await disk.save(todos)
  ///   return .stored
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - input: Returns the part of the state that the effect receives. Pure.
  ///   - condition: Whether the state needs the effect. Pure and fast: it is called for each change.
  ///   - effect: Performs the effect, which can be repeated. Its change should make the condition false.
  ///   - unclear: Returns the change when no further attempt is made, from the input and the last error.
  public init<Input: Equatable & Sendable>(
    _ name: String, of input: @escaping @Sendable (State) -> Input, when condition: @escaping @Sendable (State) -> Bool,
    effect: @escaping @Sendable (Input, Environment) async throws -> State.Change,
    unclear: (@Sendable (Input, any Error) -> State.Change)? = nil
  ) {
    self.init(name, of: input, when: condition, effect: { input, environment, _ in try await effect(input, environment) }, unclear: unclear)
  }

  /// Creates a feedback that keeps the world like the state while a condition holds, and whose effect sends changes while it runs.
  ///
  /// The effect may send changes before its last one. The parameters are those of the initializer without such an effect.
  public init<Input: Equatable & Sendable>(
    _ name: String, of input: @escaping @Sendable (State) -> Input, when condition: @escaping @Sendable (State) -> Bool,
    effect: @escaping @Sendable (Input, Environment, Effect<State>) async throws -> State.Change,
    unclear: (@Sendable (Input, any Error) -> State.Change)? = nil
  ) {
    self.init(name, OneSlot { condition($0) ? input($0) : nil }, isFact: true, effect, unclear)
  }
}

// MARK: - Ask and act

extension Feedback {
  /// Creates a feedback for one request at a time.
  ///
  /// To debounce, wait in the effect, and let a newer request cancel the waiting one:
  ///
  /// ```swift
  /// Feedback<AppState, World>("search", request: \.search) { text, world in
  ///   try await world.clock.sleep(for: .milliseconds(300))
  ///   return .found(try await world.find(text))
  /// }.latestWins.local
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure and fast: it is called for each change.
  ///   - effect: Performs the request. It returns the answer, or throws if it does not know one.
  ///   - unclear: Returns the change when no further attempt is made, from the request and the last error.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment) async throws -> State.Change,
    unclear: (@Sendable (Request, any Error) -> State.Change)? = nil
  ) {
    self.init(name, request: request, effect: { request, environment, _ in try await effect(request, environment) }, unclear: unclear)
  }

  /// Creates a feedback for one request at a time, whose effect sends changes while it runs.
  ///
  /// ```swift
  /// let charge = Feedback<Order, Bank>("charge", request: \.payment) { payment, bank, effect in
  ///   try await effect.send(.charging(payment.id))  // in the journal before the bank is asked: from now on an undo is refused
  ///   switch try await bank.charge(payment.value, key: payment.id.key("charge")) {
  ///   case .accepted: return .paid(payment.id)
  ///   case .declined(let why): return .declined(payment.id, why)  // the bank's word. A timeout throws.
  ///   }
  /// } unclear: { payment, _ in .unclear(payment.id) }
  /// ```
  ///
  /// The effect may send changes before its answer. The parameters are those of the initializer without such an effect.
  public init<Request: Equatable & Sendable>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async throws -> State.Change,
    unclear: (@Sendable (Request, any Error) -> State.Change)? = nil
  ) {
    self.init(name, OneSlot(request: request), isFact: false, effect, unclear)
  }

  /// Creates a feedback for one request of each element of a collection.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - request: Returns an element's request, or nil. Pure. Other changes of the element leave the effect alone.
  ///   - effect: Performs the request. It returns the answer, or throws if it does not know one.
  ///   - unclear: Returns the change when no further attempt is made, from the request and the last error.
  public init<Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    request: @escaping @Sendable (Element) -> Request?,
    effect: @escaping @Sendable (Request, Environment) async throws -> State.Change,
    unclear: (@Sendable (Request, any Error) -> State.Change)? = nil
  ) where Element.ID: Sendable {
    self.init(
      name, each: elements, request: request, effect: { request, environment, _ in try await effect(request, environment) },
      unclear: unclear)
  }

  /// Creates a feedback for one request of each element of a collection, whose effect sends changes while it runs.
  ///
  /// The effect may send changes before its answer. The parameters are those of the initializer without such an effect.
  public init<Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    request: @escaping @Sendable (Element) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async throws -> State.Change,
    unclear: (@Sendable (Request, any Error) -> State.Change)? = nil
  ) where Element.ID: Sendable {
    self.init(name, ElementSlots(elements: elements, request: request), isFact: false, effect, unclear)
  }
}

// MARK: - Modifiers

extension Feedback {
  private func with(_ change: (inout FeedbackTraits) -> Void) -> Feedback {
    var copy = self
    change(&copy.traits)
    return copy
  }

  /// The same feedback as a local one: it examines the visible state, with pending changes, in every process. A feedback that acts can't be
  /// local in a store with a journal.
  public var local: Feedback { with { $0.isLocal = true } }

  /// The same feedback, in which a newer request cancels the effect of the former one. Requests that change faster than the effect then starve
  /// it.
  public var latestWins: Feedback { with { $0.latestWins = true } }

  /// The same feedback, of which the entry that asks can be undone after the effect has acted: for an act that is harmless to repeat, such as
  /// a notification. The answer stays, and a redo asks again under the same key. `apply` must accept the answer without its request: otherwise
  /// the undo is refused for its sake.
  public var undoable: Feedback { with { $0.isUndoable = true } }

  /// The same feedback with another limit of attempts.
  ///
  /// - Parameters:
  ///   - most: The number of attempts of one process, at least 1; nil for no limit. A process that dies in an attempt has not counted it: the
  ///     next one makes as many.
  ///   - duration: The time from the request after which no attempt begins; nil for no limit. For a feedback that acts, it must be shorter than
  ///     the time after which the service forgets a key.
  public func attempts(_ most: Int? = nil, within duration: Duration?) -> Feedback { with { $0.limit = (most, duration) } }

  /// The same feedback for a larger environment, so that one run has feedbacks with different environments.
  ///
  /// ```swift
  /// try store.run([load.provide(\.jokes), draw.provide(\.dice)], in: app)
  /// ```
  ///
  /// - Parameter environment: Extracts this feedback's environment from the larger one.
  public func provide<Larger: Sendable>(_ environment: @escaping @Sendable (Larger) -> Environment) -> Feedback<State, Larger> {
    Feedback<State, Larger>(name, traits) { context, traits, larger in makeRunner(context, traits, environment(larger)) }
  }
}
