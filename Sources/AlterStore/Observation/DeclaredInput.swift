public import AlterCollections
public import AlterCore

// The comparison of elements is inlinable: compiled where the type of the elements is known, it takes a tenth of the time.

/// The parts of a state that a function of it reads, as its caller declares them. Only if they differ can the function's value differ.
///
/// All followers that declare one input share its comparison, so the cost of a change does not grow with their number.
@usableFromInline
struct DeclaredInput<State: Alterable>: Sendable {
  /// The property of the state: the followers of one property are compared together.
  @usableFromInline let property: InputName
  /// The part of the property, such as an element; the property itself if it has no parts.
  @usableFromInline let part: InputName
  /// Begins a comparison of the property with later states.
  @usableFromInline let comparison: @Sendable (State) -> InputComparison<State>

  @inlinable
  init(property: InputName, part: InputName, comparison: @escaping @Sendable (State) -> InputComparison<State>) {
    self.property = property
    self.part = part
    self.comparison = comparison
  }

  /// A property as a whole.
  static func property<Input: Equatable & Sendable>(_ path: KeyPath<State, Input> & Sendable) -> DeclaredInput {
    let name = InputName(path)
    return DeclaredInput(property: name, part: name) { .property(path, name, of: $0) }
  }

  /// An element of a property.
  @inlinable
  static func element<Element: Equatable>(
    _ path: KeyPath<State, IdentityArray<Element>> & Sendable, _ id: Element.ID
  ) -> DeclaredInput {
    DeclaredInput(property: InputName(ElementsOf(path: path)), part: InputName(id)) { .elements(path, of: $0) }
  }
}

/// The elements of a property, which are compared otherwise than the property.
@usableFromInline
struct ElementsOf<Path: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline let path: Path

  @inlinable
  init(path: Path) { self.path = path }
}

/// The comparison of a property with the one of an earlier state.
@usableFromInline
struct InputComparison<State: Alterable>: Sendable {
  /// The parts that differ in a later state.
  @usableFromInline let differing: @Sendable (State) -> [InputName]
  /// The comparison with a later state instead.
  @usableFromInline let next: @Sendable (State) -> InputComparison

  @inlinable
  init(
    differing: @escaping @Sendable (State) -> [InputName], next: @escaping @Sendable (State) -> InputComparison
  ) {
    self.differing = differing
    self.next = next
  }

  fileprivate static func property<Input: Equatable & Sendable>(
    _ path: KeyPath<State, Input> & Sendable, _ name: InputName, of state: State
  ) -> InputComparison {
    let input = state[keyPath: path]
    return InputComparison {
      $0[keyPath: path] == input ? [] : [name]
    } next: {
      .property(path, name, of: $0)
    }
  }

  @inlinable
  static func elements<Element: Equatable>(
    _ path: KeyPath<State, IdentityArray<Element>> & Sendable, of state: State
  ) -> InputComparison {
    let elements = state[keyPath: path]
    return InputComparison {
      $0[keyPath: path].changes(from: elements).compactMap { step in
        switch step {
        case .inserted(let element, at: _), .removed(let element, from: _), .updated(from: _, to: let element): InputName(element.id)
        // The element is the same at another position.
        case .moved: nil
        }
      }
    } next: {
      .elements(path, of: $0)
    }
  }
}

/// A key path or an id, of any type. Its hash is computed once, because a key path takes long to hash, and a property is looked up at each change.
@usableFromInline
struct InputName: Hashable, Sendable {
  private let value: any Hashable & Sendable
  private let hash: Int

  @usableFromInline
  init(_ value: any Hashable & Sendable) {
    self.value = value
    hash = value.hashValue
  }

  @usableFromInline
  static func == (left: InputName, right: InputName) -> Bool { left.hash == right.hash && isEqual(left.value, right.value) }

  /// Compares a value with another one of the same type. Without the detour of `AnyHashable`, which asks types for conformances.
  private static func isEqual<Value: Hashable>(_ value: Value, _ other: any Hashable) -> Bool { (other as? Value) == value }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
