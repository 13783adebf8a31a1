// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct EnvironmentValues {
  public init() {}
  public var undoManager: UndoManager? { declared() }
  public var isEnabled: Bool {
    get { declared() }
    set {}
  }
  public var scenePhase: ScenePhase {
    get { declared() }
    set {}
  }
}

public enum ScenePhase: Comparable, Hashable, Sendable { case background, inactive, active }

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { declared() }
}

extension Environment: Sendable where Value: Sendable {}

extension View {
  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { self }
}
