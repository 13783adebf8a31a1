public import AlterCore

// The macros `@Nested` and `@Each` generate a private type alias beside the property that names one of these types. The compiler then
// reports a type that is not Alterable at that property, in these words. `@Alterable` generates a private type alias for the type of each other
// property that it does not know. The generated expressions of these types name the alias, so that the compiler reports nothing else.

/// Requires that the type of a `@Nested` property is Alterable: mark the type with `@Alterable`, or omit `@Nested`.
public enum _NestedIsAlterable<Model: Alterable> {
  /// The changes of the model.
  public typealias Change = Model.Change
}

/// Requires that the elements of an `@Each` property are Alterable and Identifiable: mark their type with `@Alterable`, or omit `@Each`.
public enum _EachIsAlterable<Model: Alterable & Identifiable> {
  /// The type of the elements.
  public typealias Element = Model
  /// The type of their ids.
  public typealias ID = Model.ID
  /// The changes of an element.
  public typealias Change = Model.Change
}

/// Requires that a property can be stored: write `@Wire` at the declaration of its type, or `Codable, StoredForm`.
public enum _StoredIsCodable<Stored: Codable> {
  /// The type that is stored.
  public typealias Value = Stored
}
