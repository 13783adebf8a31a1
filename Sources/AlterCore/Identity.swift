/// Returns whether two values have the same identity, whether or not they are equal.
///
/// Jack before and after his raise are unequal values of one identity.
///
/// - Parameters:
///   - first: A value.
///   - second: Another value.
/// - Returns: Whether their ids are equal.
@inlinable
public func isTheSameIdentity<Value: Identifiable>(_ first: Value, _ second: Value) -> Bool {
  first.id == second.id
}
