public import AlterCore

/// A state that can be kept in a journal: the state and its changes are `Codable`.
///
/// ```swift
/// struct AppState: Journaled {
///   enum Change: Hashable, Codable { … }
///   …
/// }
/// ```
public protocol Journaled: Alterable, Codable where Change: Codable {
  /// The schema version that this type writes, 1 by default. Raise it whenever the stored form or the effect of a change is modified.
  static var schema: StateSchema { get }
}

extension Journaled {
  /// Version 1, without migrations.
  public static var schema: StateSchema { StateSchema(version: 1) }
}
