public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// `@Changes` generates calls of these functions: changes that depend on the value of a property. No amount traps.

/// Adds an amount to a number.
///
/// - Parameters:
///   - amount: The amount.
///   - number: The number.
///   - name: The name of the property, for the refusal.
/// - Throws: A `Refusal` with the code 'overflow' if the type has no such number; the number is unchanged then.
@inlinable
public func _add<Number: FixedWidthInteger>(_ amount: Number, to number: inout Number, _ name: StaticString) throws(Refusal) {
  let (sum, overflows) = number.addingReportingOverflow(amount)
  guard !overflows else { throw .overflow(name) }
  number = sum
}

/// Adds an amount, which can be negative, to a number that can't.
///
/// - Parameters:
///   - amount: The amount.
///   - number: The number.
///   - name: The name of the property, for the refusal.
/// - Throws: A `Refusal` with the code 'overflow' if the type has no such number; the number is unchanged then.
@inlinable
public func _add<Number: FixedWidthInteger & UnsignedInteger>(_ amount: Int, to number: inout Number, _ name: StaticString) throws(Refusal)
{
  guard let size = Number(exactly: amount.magnitude) else { throw .overflow(name) }
  let (sum, overflows) = amount < 0 ? number.subtractingReportingOverflow(size) : number.addingReportingOverflow(size)
  guard !overflows else { throw .overflow(name) }
  number = sum
}

/// Adds an amount to a number.
///
/// - Parameters:
///   - amount: The amount.
///   - number: The number.
///   - name: The name of the property, for the refusal.
/// - Throws: A `Refusal` with the code 'overflow' if the sum is not finite; the number is unchanged then.
@inlinable
public func _add<Number: BinaryFloatingPoint>(_ amount: Number, to number: inout Number, _ name: StaticString) throws(Refusal) {
  let sum = number + amount
  guard sum.isFinite else { throw .overflow(name) }
  number = sum
}

/// Adds an amount to a number.
///
/// - Parameters:
///   - amount: The amount.
///   - number: The number.
///   - name: The name of the property, for the refusal.
/// - Throws: A `Refusal` with the code 'overflow' if the sum is not a number; the number is unchanged then.
public func _add(_ amount: Decimal, to number: inout Decimal, _ name: StaticString) throws(Refusal) {
  guard !amount.isNaN, !number.isNaN else { throw .overflow(name) }
  let sum = number + amount
  guard !sum.isNaN else { throw .overflow(name) }
  number = sum
}

/// Adds an amount to a duration.
///
/// - Parameters:
///   - amount: The amount.
///   - duration: The duration.
///   - name: The name of the property, for the refusal.
/// - Throws: A `Refusal` with the code 'overflow' if the sum has more seconds than an `Int64`; the duration is unchanged then.
public func _add(_ amount: Duration, to duration: inout Duration, _ name: StaticString) throws(Refusal) {
  let (_, overflows) = duration.components.seconds.addingReportingOverflow(amount.components.seconds)
  // The fractions can add one second.
  let sum = overflows ? nil : duration + amount
  guard let sum, Duration.seconds(Int64.min) <= sum, sum <= Duration.seconds(Int64.max) else { throw .overflow(name) }
  duration = sum
}

/// Adds an element to a set, unless it is there.
///
/// - Parameters:
///   - element: The element.
///   - set: The set.
@inlinable
public func _insert<Elements: SetAlgebra>(_ element: Elements.Element, into set: inout Elements) { set.insert(element) }

/// Appends an element to an array.
///
/// - Parameters:
///   - element: The element.
///   - array: The array.
@inlinable
public func _insert<Elements: RangeReplaceableCollection>(_ element: Elements.Element, into array: inout Elements) { array.append(element) }

/// Removes an element from a set, if it is there.
///
/// - Parameters:
///   - element: The element.
///   - set: The set.
@inlinable
public func _remove<Elements: SetAlgebra>(_ element: Elements.Element, from set: inout Elements) { set.remove(element) }

/// Removes each element of an array that is equal to a given one.
///
/// - Parameters:
///   - element: The element.
///   - array: The array.
/// - Complexity: O(n).
@inlinable
public func _remove<Elements: RangeReplaceableCollection>(_ element: Elements.Element, from array: inout Elements)
where Elements.Element: Equatable {
  array.removeAll { $0 == element }
}

extension Refusal {
  /// The refusal of a sum that the property's type does not have.
  @usableFromInline
  static func overflow(_ name: StaticString) -> Refusal {
    .custom(code: "overflow", message: "'\(name)' would be out of range.")
  }
}
