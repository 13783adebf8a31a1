public import AlterCore

// The macros `@Nested` and `@Each` generate a private type alias beside the property that names one of these types. The compiler then
// reports a type that is not Alterable at that property, in these words.

/// Requires that the type of a `@Nested` property is Alterable: mark the type with `@Alterable`, or omit `@Nested`.
public enum _NestedIsAlterable<Model: Alterable> {}

/// Requires that the elements of an `@Each` property are Alterable and Identifiable: mark their type with `@Alterable`, or omit `@Each`.
public enum _EachIsAlterable<Model: Alterable & Identifiable> {}
