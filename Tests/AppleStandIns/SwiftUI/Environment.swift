// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  private var objects: [ObjectIdentifier: AnyObject] = [:]
  package var undo: UndoManager?

  public init() {}

  public subscript<K>(key: K.Type) -> K.Value where K: EnvironmentKey {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  public subscript<T>(objectType: T.Type) -> T? where T: AnyObject, T: Observable {
    get { objects[ObjectIdentifier(objectType)] as? T }
    set { objects[ObjectIdentifier(objectType)] = newValue }
  }

  public var undoManager: UndoManager? { undo }
  public var isEnabled: Bool {
    get { self[IsEnabled.self] }
    set { self[IsEnabled.self] = newValue }
  }
  public var dismiss: DismissAction { DismissAction() }
  public var scenePhase: ScenePhase {
    get { self[Phase.self] }
    set { self[Phase.self] = newValue }
  }

  private enum IsEnabled: EnvironmentKey { static let defaultValue = true }
  private enum Phase: EnvironmentKey { static let defaultValue = ScenePhase.active }
}

public enum ScenePhase: Comparable, Hashable, Sendable { case background, inactive, active }

@MainActor @preconcurrency
public struct DismissAction {
  nonisolated init() {}
  public func callAsFunction() {}
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let read: (EnvironmentValues) -> Value
  private let place = Place()

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
    read = { values in
      guard let object = values[objectType] else { preconditionFailure("No object of the type '\(objectType)' in the environment.") }
      return object
    }
  }

  public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable { read = { $0[objectType] } }

  public var wrappedValue: Value { read(place.values) }
}

extension Environment: @unchecked Sendable where Value: Sendable {}

/// Where the copies of a wrapper find the values of the environment.
final class Place {
  var values = EnvironmentValues()
}

/// A wrapper that reads the environment.
package protocol EnvironmentReader {
  func receive(_ values: EnvironmentValues)
}

extension Environment: EnvironmentReader {
  package func receive(_ values: EnvironmentValues) { place.values = values }
}

extension View {
  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    modified(.environment { $0[keyPath: keyPath] = value })
  }

  nonisolated public func environment<T>(_ object: T?) -> some View where T: AnyObject, T: Observable {
    modified(.environment { $0[T.self] = object })
  }
}
