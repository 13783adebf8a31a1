// This is not AppIntents. It declares a part of the public interface of AppIntents, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Compared with the pages of the same names under AppIntents, except for the marked ones.

/// The type of Foundation, which exists only on Apple's platforms.
public struct LocalizedStringResource: Equatable, Sendable, ExpressibleByStringInterpolation {
  private let key: String
  public init(stringLiteral value: String) { key = value }
}

/// The protocol of Foundation, which exists only on Apple's platforms.
public protocol CustomLocalizedStringResourceConvertible {
  var localizedStringResource: LocalizedStringResource { get }
}

public protocol PersistentlyIdentifiable {
  static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
  public static var persistentIdentifier: String { String(describing: Self.self) }
}

public protocol AppIntent: PersistentlyIdentifiable, Sendable {
  associatedtype PerformResult: IntentResult
  static var title: LocalizedStringResource { get }
  init()
  func perform() async throws -> PerformResult
}

extension AppIntent {
  public typealias Parameter = IntentParameter
}

// Parameters

/// The values that a parameter can have.
// uncertain: the protocol has other requirements, which its users never write.
public protocol _IntentValue {
  associatedtype ValueType
  associatedtype UnwrappedType
}

extension _IntentValue {
  public typealias ValueType = Self
  public typealias UnwrappedType = Self
}

// Some of those that have a page under AppIntents/IntentParameter. Entities are values, too.
extension Int: _IntentValue {}
extension String: _IntentValue {}

@propertyWrapper
public final class IntentParameter<Value>: @unchecked Sendable where Value: _IntentValue, Value: Sendable {
  // AppIntents declares one initializer for each kind of value, with more parameters, all of which have a default.
  public init(title: LocalizedStringResource, description: LocalizedStringResource? = nil, requestValueDialog: IntentDialog? = nil) {}

  public var wrappedValue: Value {
    get { preconditionFailure("The stand-ins for Apple's frameworks have no code.") }
    set {}
  }
}

// Results

public protocol IntentResult: Sendable {
  associatedtype Value
  associatedtype Dialog
  var value: Value? { get }
}

public protocol ProvidesDialog: IntentResult where Dialog == IntentDialog {}

public struct IntentDialog: Sendable, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
}

// uncertain: its four parameters have the names of AppIntents, but fewer constraints.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult where Value: Sendable {
  public var value: Value? { nil }
}

extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}

extension IntentResult where Self == IntentResultContainer<Never, Never, Never, Never> {
  public static func result() -> Self { IntentResultContainer() }
}

extension IntentResult where Self == IntentResultContainer<Never, Never, Never, IntentDialog> {
  public static func result(dialog: IntentDialog) -> Self { IntentResultContainer() }
}

// Entities

public struct TypeDisplayRepresentation: Sendable, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
}

// uncertain: its page lists only `ExpressibleByStringLiteral`, but Apple's code of WWDC 2022 ('Dive into App Intents') writes "\(title)".
public struct DisplayRepresentation: Equatable, Sendable, ExpressibleByStringInterpolation {
  public var title: LocalizedStringResource
  public init(stringLiteral value: String) { title = LocalizedStringResource(stringLiteral: value) }
  // The third parameter, an image, has the default nil.
  public init(title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil) { self.title = title }
}

public protocol TypeDisplayRepresentable {
  static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
}

public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
  var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
  public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

public protocol DisplayRepresentable: InstanceDisplayRepresentable, TypeDisplayRepresentable {}

public protocol AppValue: _IntentValue, PersistentlyIdentifiable, TypeDisplayRepresentable, Sendable {}

public protocol EntityIdentifierConvertible {
  var entityIdentifierString: String { get }
  static func entityIdentifier(for entityIdentifierString: String) -> Self?
}

extension Int: EntityIdentifierConvertible {
  public var entityIdentifierString: String { "" }
  public static func entityIdentifier(for entityIdentifierString: String) -> Int? { nil }
}

extension UUID: EntityIdentifierConvertible {
  public var entityIdentifierString: String { "" }
  public static func entityIdentifier(for entityIdentifierString: String) -> UUID? { nil }
}

public protocol AppEntity: AppValue, DisplayRepresentable, Identifiable
where Self == ValueType, ID: EntityIdentifierConvertible, ID: Sendable {
  associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self
  static var defaultQuery: DefaultQuery { get }
}

// uncertain: AppIntents derives both types from DynamicOptionsProvider, whose requirements have defaults.
public protocol EntityQuery: PersistentlyIdentifiable, Sendable {
  associatedtype Entity: AppEntity
  associatedtype Result = [Entity]
  init()
  func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
  func suggestedEntities() async throws -> Result
}

extension EntityQuery where Result == [Entity] {
  public func suggestedEntities() async throws -> [Entity] { [] }
}

public protocol EntityStringQuery: EntityQuery {
  func entities(matching string: String) async throws -> Result
}

public protocol AppIntentsPackage {
  static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
  public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
