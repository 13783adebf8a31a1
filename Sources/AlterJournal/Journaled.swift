public import AlterCore

/// A state that can be kept in a journal: it and its changes have a stored form.
///
/// ```swift
/// struct AppState: Journaled {
///   enum Change: Hashable, Codable { … }
///   …
/// }
/// ```
public protocol Journaled: Alterable, Codable where Change: Codable {
  /// Which generation of stored data this type writes. Raise it whenever the stored form, or what `apply` does, changes.
  static var schema: Schema { get }
}

extension Journaled {
  /// The first generation.
  public static var schema: Schema { Schema(version: 1) }
}

/// A generation of stored data.
public struct Schema: Sendable {
  /// 1, 2, 3 … Stored with each entry. An app refuses to write a journal that holds a version newer than its own.
  public let version: Int

  /// A generation by number.
  public init(version: Int) { self.version = version }
}
