import AlterCollections
import AlterCore

/// The requests of a state: at most one in each slot. A pure value, which remembers those of the last state.
protocol Slots<State>: Sendable {
  associatedtype State: Alterable
  associatedtype Key: Hashable & Sendable
  associatedtype Request: Equatable & Sendable

  /// Takes a newer state.
  ///
  /// - Returns: The slots whose request has changed, with the new one.
  mutating func update(to state: State) -> [(key: Key, request: Request?)]

  /// The request of a state in a slot.
  func request(_ key: Key, in state: State) -> Request?
}

/// One request of the whole state.
struct OneSlot<State: Alterable, Request: Equatable & Sendable>: Slots {
  /// The key of the only slot.
  struct Key: Hashable, Sendable, CustomStringConvertible { var description: String { "" } }

  let request: @Sendable (State) -> Request?
  private var last: Request?

  init(request: @escaping @Sendable (State) -> Request?) { self.request = request }

  mutating func update(to state: State) -> [(key: Key, request: Request?)] {
    let present = request(state)
    defer { last = present }
    return present == last ? [] : [(Key(), present)]
  }

  func request(_ key: Key, in state: State) -> Request? { request(state) }
}

/// The requests of a collection's elements. Only changed elements are examined.
struct ElementSlots<State: Alterable, Element: Identifiable & Equatable & Sendable, Request: Equatable & Sendable>: Slots
where Element.ID: Sendable {
  let elements: @Sendable (State) -> IdentityArray<Element>
  let request: @Sendable (Element) -> Request?
  private var seen = IdentityArray<Element>()

  init(elements: @escaping @Sendable (State) -> IdentityArray<Element>, request: @escaping @Sendable (Element) -> Request?) {
    (self.elements, self.request) = (elements, request)
  }

  mutating func update(to state: State) -> [(key: Element.ID, request: Request?)] {
    let present = elements(state)
    defer { seen = present }
    return present.changes(from: seen).compactMap { step in
      let (element, old, new): (Element, Request?, Request?)
      switch step {
      case .removed(let removed, _): (element, old, new) = (removed, request(removed), nil)
      case .inserted(let inserted, _): (element, old, new) = (inserted, nil, request(inserted))
      case .updated(let before, let after): (element, old, new) = (after, request(before), request(after))
      case .moved: return nil
      }
      return old == new ? nil : (element.id, new)
    }
  }

  func request(_ key: Element.ID, in state: State) -> Request? { elements(state)[id: key].flatMap(request) }
}
