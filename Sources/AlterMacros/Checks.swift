public import AlterCore

// The macros `@Nested` and `@Each` generate a private type alias beside the property that names one of these types. The compiler then
// reports a type that is not Alterable at that property, in these words.

/// Requires that the type of a `@Nested` property is Alterable: mark the type with `@Alterable`, or omit `@Nested`.
public enum _NestedIsAlterable<Model: Alterable> {
  public typealias Change = Model.Change
}

/// Requires that the elements of an `@Each` property are Alterable and Identifiable: mark their type with `@Alterable`, or omit `@Each`.
public enum _EachIsAlterable<Model: Alterable & Identifiable> {
  public typealias Element = Model
  public typealias ID = Model.ID
  public typealias Change = Model.Change
}

/// Requires that a property can be stored: write `@Wire` at the declaration of its type, or `Codable, StoredForm`.
public enum _StoredIsCodable<Stored: Codable> {
  public typealias Value = Stored
}
