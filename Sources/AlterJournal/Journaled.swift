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
  static var schema: StateSchema { get }
}

extension Journaled {
  /// The first generation.
  public static var schema: StateSchema { StateSchema(version: 1) }
}
