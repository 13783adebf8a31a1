// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking on Linux.
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
  public init(wrappedValue value: Value) {}
  public init(initialValue value: Value) {}

  public var wrappedValue: Value {
    get { declared() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { declared() }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}

  public init(projectedValue: Binding<Value>) {}

  public var wrappedValue: Value {
    get { declared() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { declared() }
}

extension Binding: Sendable where Value: Sendable {}

@dynamicMemberLookup @propertyWrapper
public struct Bindable<Value> {
  // Documented in an extension with these constraints.
  public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {}

  public var wrappedValue: Value {
    get { declared() }
    set {}
  }
  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> { declared() }
}

extension Bindable: Sendable where Value: Sendable {}

@propertyWrapper
public struct FocusState<Value>: DynamicProperty where Value: Hashable {
  @propertyWrapper
  public struct Binding {
    fileprivate let state: FocusState<Value>

    public var wrappedValue: Value {
      get { declared() }
      nonmutating set {}
    }

    public var projectedValue: FocusState<Value>.Binding { self }
  }

  public init() where Value == Bool {}
  public init<T>() where Value == T?, T: Hashable {}

  public var wrappedValue: Value {
    get { declared() }
    nonmutating set {}
  }

  public var projectedValue: FocusState<Value>.Binding { Binding(state: self) }
}

extension FocusState: Sendable where Value: Sendable {}
extension FocusState.Binding: Sendable where Value: Sendable {}
