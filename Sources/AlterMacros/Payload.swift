public import AlterCore

/// Changes the payload of an enum's case, in place.
///
/// `@Alterable` generates calls of this function for the states of an enum. The payload is taken out of the enum's memory, changed, and put
/// back, so that the enum holds no second reference to it meanwhile: storage that nothing else shares is not copied.
///
/// - Parameters:
///   - whole: The enum. It is not initialised while the change is made; nothing else can access it then, because it is `inout`.
///   - take: Returns the payload of the present case.
///   - put: Creates the case from a payload.
///   - body: Makes the change. If it throws, the payload is put back as it is then.
/// - Throws: Any refusal of the change.
/// - Complexity: that of the change.
@inlinable
public func _changePayload<Whole, Payload>(
  of whole: inout Whole, taking take: (Whole) -> Payload, putting put: (Payload) -> Whole,
  _ body: (inout Payload) throws(Refusal) -> Void
) throws(Refusal) {
  try withUnsafeMutablePointer(to: &whole) { place throws(Refusal) in
    var payload = take(place.move())
    defer { place.initialize(to: put(payload)) }
    try body(&payload)
  }
}
