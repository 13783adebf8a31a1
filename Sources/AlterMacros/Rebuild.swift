/// Changes a value of constants: takes it apart, changes the parts, and puts them together again.
///
/// While the parts change nobody else holds them, so that collections inside change in place. Code that knows the whole's type as one
/// with a collection says it more directly (`_ = consume self`); the compiler refuses that for a type of nothing but plain bits, and
/// this function is for code that can't know which it is.
///
/// - Parameters:
///   - whole: The value.
///   - parts: Takes it apart.
///   - make: Puts it together.
///   - body: Changes the parts. When it throws, what it has changed stays changed.
/// - Throws: What the closure throws.
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
