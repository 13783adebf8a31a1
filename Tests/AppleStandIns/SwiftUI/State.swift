// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// The property wrapper of Xcode 26 and earlier, whose initial value is made at each creation of the view. In Xcode 27 `@State` is a macro
/// that makes it once.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  package let link: Link<Value>

  public init(wrappedValue value: Value) { link = Link(value) }
  public init(initialValue value: Value) { link = Link(value) }

  public var wrappedValue: Value {
    get { link.value }
    nonmutating set { link.value = newValue }
  }

  public var projectedValue: Binding<Value> {
    let link = link
    return Binding(reading: { link.value }, writing: { link.value = $0 })
  }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // Like SwiftUI, the binding trusts its caller to be on the actor of the closures.
    self.get = unsafeBitCast(get, to: (@Sendable () -> Value).self)
    self.set = unsafeBitCast(set, to: (@Sendable (Value) -> Void).self)
  }

  init(reading get: @escaping () -> Value, writing set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

  public init(projectedValue: Binding<Value>) { self = projectedValue }

  public init<V>(_ base: Binding<V>) where Value == V? {
    self.init(reading: { base.wrappedValue }, writing: { if let new = $0 { base.wrappedValue = new } })
  }

  public init?(_ base: Binding<Value?>) {
    guard let first = base.wrappedValue else { return nil }
    self.init(reading: { base.wrappedValue ?? first }, writing: { base.wrappedValue = $0 })
  }

  public static func constant(_ value: Value) -> Binding<Value> { Binding(reading: { value }, writing: { _ in }) }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(reading: { wrappedValue[keyPath: keyPath] }, writing: { wrappedValue[keyPath: keyPath] = $0 })
  }
}

extension Binding: DynamicProperty {}
extension Binding: @unchecked Sendable where Value: Sendable {}
extension Binding: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

@dynamicMemberLookup @propertyWrapper
public struct Bindable<Value> {
  fileprivate var object: Value

  // Documented in an extension with these constraints.
  public init(wrappedValue: Value) where Value: AnyObject, Value: Observable { object = wrappedValue }

  public var wrappedValue: Value {
    get { object }
    set { object = newValue }
  }
  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    let object = wrappedValue
    return Binding<Subject>(reading: { object[keyPath: keyPath] }, writing: { object[keyPath: keyPath] = $0 })
  }
}

extension Bindable where Value: AnyObject, Value: Observable {
  public init(_ wrappedValue: Value) { self.init(wrappedValue: wrappedValue) }
  public init(projectedValue: Bindable<Value>) { self = projectedValue }
}

extension Bindable: Sendable where Value: Sendable {}
extension Bindable: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

@propertyWrapper
public struct FocusState<Value>: DynamicProperty where Value: Hashable {
  package let link: Link<Value>

  @propertyWrapper
  public struct Binding {
    let link: Link<Value>

    public var wrappedValue: Value {
      get { link.value }
      nonmutating set { link.value = newValue }
    }

    public var projectedValue: FocusState<Value>.Binding { self }
  }

  public var wrappedValue: Value {
    get { link.value }
    nonmutating set { link.value = newValue }
  }

  public var projectedValue: FocusState<Value>.Binding { Binding(link: link) }

  public init() where Value == Bool { link = Link(false) }
  public init<T>() where Value == T?, T: Hashable { link = Link(nil) }
}

extension FocusState: Sendable where Value: Sendable {}
extension FocusState.Binding: Sendable where Value: Sendable {}

/// Connects the copies of a wrapper to the storage that the evaluator keeps for an identity.
package final class Link<Value>: @unchecked Sendable {
  private let initial: Value
  private var slot: Slot<Value>?

  init(_ initial: Value) { self.initial = initial }

  package var value: Value {
    get { slot?.value ?? initial }
    set { slot?.set(newValue) }
  }

  package func connect(_ present: AnyObject?, onChange: @escaping () -> Void) -> AnyObject {
    let slot = present as? Slot<Value> ?? Slot(initial)
    slot.onChange = onChange
    self.slot = slot
    return slot
  }
}

/// The storage of a state.
private final class Slot<Value> {
  private(set) var value: Value
  var onChange: () -> Void = {}

  init(_ value: Value) { self.value = value }

  func set(_ new: Value) {
    let isSame = isEqual(value, new)
    value = new
    if !isSame { onChange() }
  }
}

/// Whether two values are known to be the same: equal, or the same object.
package func isEqual(_ one: Any, _ other: Any) -> Bool {
  func compare<T: Equatable>(_ one: T) -> Bool { (other as? T).map { $0 == one } ?? false }
  if let one = one as? any Equatable { return compare(one) }
  if type(of: one) is AnyClass, type(of: other) is AnyClass { return one as AnyObject === other as AnyObject }
  return false
}

/// A wrapper whose storage the evaluator keeps.
package protocol Linked {
  func connect(_ present: AnyObject?, onChange: @escaping () -> Void) -> AnyObject
}

extension State: Linked {
  package func connect(_ present: AnyObject?, onChange: @escaping () -> Void) -> AnyObject { link.connect(present, onChange: onChange) }
}

extension FocusState: Linked {
  package func connect(_ present: AnyObject?, onChange: @escaping () -> Void) -> AnyObject { link.connect(present, onChange: onChange) }
}
