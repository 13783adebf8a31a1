/// Changes a value with `let` properties: takes it apart, changes the parts, and builds the value from them again.
///
/// While the parts change, the original value no longer holds them, so that collections inside change in place. Code that knows that the
/// type contains a reference can write `_ = consume self` instead. The compiler rejects that for a trivial type; this function serves code
/// that does not know which kind it has.
///
/// - Parameters:
///   - whole: The value.
///   - parts: Takes the value apart.
///   - make: Builds the value from its parts.
///   - body: Changes the parts. Modifications that it makes before it throws are kept.
/// - Throws: Any error of the closure `body`.
@inlinable
public func _rebuild<Whole, Parts, Failure: Error>(
  _ whole: inout Whole, from parts: (Whole) -> Parts, to make: (Parts) -> Whole,
  changing body: (inout Parts) throws(Failure) -> Void
) throws(Failure) {
  var fields = parts(whole)
  _ = consume whole
  defer { whole = make(fields) }
  try body(&fields)
}
