/// An argument that may be 'none', which is parsed as nil.
struct OptionalArgument<Value: Sendable>: Sendable {
  let value: Value?
}
