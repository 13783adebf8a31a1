// This is not AppIntents. It declares a part of the public interface of AppIntents, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// uncertain: written from memory, except for AppIntent, its perform(), and AppIntentsPackage.

/// The type of Foundation, which exists only on Apple's platforms.
public struct LocalizedStringResource: Equatable, Sendable, ExpressibleByStringInterpolation {
  public let key: String
  public init(stringLiteral value: String) { key = value }
}

/// The protocol of Foundation, which exists only on Apple's platforms.
public protocol CustomLocalizedStringResourceConvertible {
  var localizedStringResource: LocalizedStringResource { get }
}

public protocol PersistentlyIdentifiable {}

public protocol AppIntent: PersistentlyIdentifiable, Sendable {
  associatedtype PerformResult: IntentResult
  static var title: LocalizedStringResource { get }
  init()
  func perform() async throws -> PerformResult
}

extension AppIntent {
  public typealias Parameter = IntentParameter
}

@propertyWrapper
public final class IntentParameter<Value>: @unchecked Sendable where Value: Sendable {
  private var value: Value?
  public init(title: LocalizedStringResource) {}
  public var wrappedValue: Value {
    get {
      guard let value else { preconditionFailure("The system resolves parameters before it performs an intent.") }
      return value
    }
    set { value = newValue }
  }
}

public protocol IntentResult {}
public protocol ProvidesDialog: IntentResult {}

public struct IntentDialog: Sendable, ExpressibleByStringInterpolation {
  package let text: String
  public init(stringLiteral value: String) { text = value }
}

// uncertain: generic in AppIntents.
public struct IntentResultContainer: ProvidesDialog, Sendable {
  package let dialog: IntentDialog
}

extension IntentResult where Self == IntentResultContainer {
  public static func result(dialog: IntentDialog) -> Self { IntentResultContainer(dialog: dialog) }
}

public struct TypeDisplayRepresentation: Sendable, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
}

public struct DisplayRepresentation: Sendable, ExpressibleByStringInterpolation {
  package let title: String
  public init(stringLiteral value: String) { title = value }
}

public protocol AppEntity: PersistentlyIdentifiable, Identifiable, Sendable where ID: Sendable {
  associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self
  static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
  static var defaultQuery: DefaultQuery { get }
  var displayRepresentation: DisplayRepresentation { get }
}

public protocol EntityQuery: PersistentlyIdentifiable, Sendable {
  associatedtype Entity: AppEntity
  init()
  func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
  func suggestedEntities() async throws -> [Entity]
}

public protocol EntityStringQuery: EntityQuery {
  func entities(matching string: String) async throws -> [Entity]
}

public protocol AppIntentsPackage {
  static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
  public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
