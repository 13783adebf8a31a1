public import AlterCore

// What `@Nested` and `@Each` name beside a property, so that the compiler complains there, and in these words, when the type isn't
// Alterable.

/// That the type of a `@Nested` property is Alterable: mark it with `@Alterable`, or leave `@Nested` out.
public enum _NestedIsAlterable<Model: Alterable> {}

/// That the elements of an `@Each` property are Alterable and Identifiable: mark their type with `@Alterable`, or leave `@Each` out.
public enum _EachIsAlterable<Model: Alterable & Identifiable> {}
