/// An argument that may be "none": nil then.
struct OptionalArgument<Value: Sendable>: Sendable {
  let value: Value?
}
