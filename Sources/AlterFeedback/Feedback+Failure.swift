public import AlterCollections
public import AlterCore

// Effects that may fail. The failure becomes a change: the answer to the request.

extension Feedback {
  /// Creates a feedback for one request at a time, answered by an ``AsyncResult`` that may fail.
  ///
  /// ```swift
  /// Feedback<AppState, World>("load", request: \.wanted) { category in
  ///   joke(of: category).map(Change.told)
  /// } failure: { category, error in .failed(category, error) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure.
  ///   - effect: Returns the work whose value is the answer.
  ///   - failure: Returns the answer for a failure of the work.
  public init<Request: Equatable & Sendable, Failure: Error>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request) -> AsyncResult<Environment, State.Change, Failure>,
    failure: @escaping @Sendable (Request, Failure) -> State.Change
  ) {
    self.init(name, request: request) { request in effect(request).recover { failure(request, $0) } }
  }

  /// Creates a feedback for one request at a time, whose effect throws.
  ///
  /// ```swift
  /// Feedback<AppState, World>("save", request: \.unsaved) { draft, world in
  ///   try await world.save(draft)
  ///   return .saved(draft.id)
  /// } failure: { draft, error in .saveFailed(draft.id, "\(error)") }
  /// ```
  ///
  /// Swift infers `any Error` from a closure. To keep a typed error, write `{ draft, world throws(Offline) in … }`, or pass a function.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure and fast: it is called for each change.
  ///   - effect: Performs the request. Its answer is one change; nil for none.
  ///   - failure: Returns the answer for an error of the effect. The answer of a cancelled effect is ignored, as always.
  public init<Request: Equatable & Sendable, Failure: Error>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Request, Failure) -> State.Change
  ) {
    self.init(name, request: request) { request, environment, _ in
      do throws(Failure) { return try await effect(request, environment) } catch { return failure(request, error) }
    }
  }

  /// Creates a feedback for one request at a time, whose effect throws, and reports progress or uses its key.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - request: Returns the state's request, or nil. Pure and fast: it is called for each change.
  ///   - effect: Performs the request. It may send changes while it runs; its result is the last one.
  ///   - failure: Returns the answer for an error of the effect. Changes that the effect has sent before stay.
  public init<Request: Equatable & Sendable, Failure: Error>(
    _ name: String, request: @escaping @Sendable (State) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Request, Failure) -> State.Change
  ) {
    self.init(name, request: request) { request, environment, progress in
      do throws(Failure) { return try await effect(request, environment, progress) } catch { return failure(request, error) }
    }
  }

  /// Creates a feedback for the elements of a collection that need an effect, which throws. Any change to such an element cancels and
  /// restarts its effect.
  ///
  /// A change of the state costs O(k log n) for the k elements that it modifies, and nothing for the others.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - condition: Whether an element needs the effect. Pure.
  ///   - effect: Performs the effect for one element.
  ///   - failure: Returns the answer for an error of the effect.
  public init<Element: Identifiable & Equatable & Sendable, Failure: Error>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    where condition: @escaping @Sendable (Element) -> Bool,
    effect: @escaping @Sendable (Element, Environment) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Element, Failure) -> State.Change
  ) where Element.ID: Sendable {
    self.init(name, each: elements, where: condition) { element, environment, _ in
      do throws(Failure) { return try await effect(element, environment) } catch { return failure(element, error) }
    }
  }

  /// Creates a feedback for the elements of a collection that need an effect, which throws and uses its key.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - condition: Whether an element needs the effect. Pure.
  ///   - effect: Performs the effect for one element.
  ///   - failure: Returns the answer for an error of the effect.
  public init<Element: Identifiable & Equatable & Sendable, Failure: Error>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    where condition: @escaping @Sendable (Element) -> Bool,
    effect: @escaping @Sendable (Element, Environment, Effect<State>) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Element, Failure) -> State.Change
  ) where Element.ID: Sendable {
    self.init(name, each: elements, where: condition) { element, environment, progress in
      do throws(Failure) { return try await effect(element, environment, progress) } catch { return failure(element, error) }
    }
  }

  /// Creates a feedback for the requests of a collection's elements, whose effect throws. Only a change of the *request* cancels an effect, not
  /// any change of the element.
  ///
  /// A change of the state costs O(k log n) for the k elements that it modifies, and nothing for the others.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - elements: The collection.
  ///   - request: Returns an element's request, or nil. Pure.
  ///   - effect: Performs the request. It may send changes while it runs; its result is the last one.
  ///   - failure: Returns the answer for an error of the effect. Changes that the effect has sent before stay.
  public init<Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable, Failure: Error>(
    _ name: String, each elements: @escaping @Sendable (State) -> IdentityArray<Element>,
    request: @escaping @Sendable (Element) -> Request?,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Request, Failure) -> State.Change
  ) where Element.ID: Sendable {
    self.init(name, each: elements, request: request) { request, environment, progress in
      do throws(Failure) { return try await effect(request, environment, progress) } catch { return failure(request, error) }
    }
  }

  /// Creates a feedback for a set of requests, whose effects throw.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - requests: Returns the state's requests. Pure.
  ///   - effect: Performs one of them. It may send changes while it runs; its result is the last one.
  ///   - failure: Returns the answer for an error of the effect. Changes that the effect has sent before stay.
  public init<Request: Hashable & Sendable, Failure: Error>(
    _ name: String, requests: @escaping @Sendable (State) -> Set<Request>,
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Request, Failure) -> State.Change
  ) {
    self.init(name, requests: requests) { request, environment, progress in
      do throws(Failure) { return try await effect(request, environment, progress) } catch { return failure(request, error) }
    }
  }

  /// Creates a feedback for requests by id, whose effects throw. If the value of a request changes, its effect is cancelled and restarted.
  ///
  /// - Parameters:
  ///   - name: The name in journals, leases and reports; unique in a store.
  ///   - requests: Returns the state's requests, by their subjects. Pure.
  ///   - effect: Performs one of them. It may send changes while it runs; its result is the last one.
  ///   - failure: Returns the answer for an error of the effect. Changes that the effect has sent before stay.
  public init<ID: Hashable & Sendable, Request: Equatable & Sendable, Failure: Error>(
    _ name: String, requestsByID requests: @escaping @Sendable (State) -> [ID: Request],
    effect: @escaping @Sendable (Request, Environment, Effect<State>) async throws(Failure) -> State.Change?,
    failure: @escaping @Sendable (Request, Failure) -> State.Change
  ) {
    self.init(name, requestsByID: requests) { request, environment, progress in
      do throws(Failure) { return try await effect(request, environment, progress) } catch { return failure(request, error) }
    }
  }
}
