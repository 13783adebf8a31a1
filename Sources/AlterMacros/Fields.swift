/// Changes a value with `let` properties in place, through a struct that has the same stored properties as variables.
///
/// `@Alterable` generates calls of this function for a model with `let` properties. The alternative is to copy all properties and to build
/// a new value, which retains and releases each of them at every change. This function touches only the properties that change, like code
/// for `private(set) var`.
///
/// ```swift
/// struct Item {
///   let id: Int
///   let text: String
///
///   private struct _Fields {
///     let id: Int
///     var text: String
///   }
///   mutating func rename(_ text: String) {
///     _withUnsafeFields(of: &self, as: _Fields.self) { fields in fields.text = text }
///   }
/// }
/// ```
///
/// The function is unsafe: it cannot check that the two structs have the same properties in the same order. It checks only that size,
/// stride and alignment agree. The macro generates it only if it sees every stored property; otherwise it generates
/// ``_rebuild(_:from:to:changing:)``. The call is sound for these reasons:
///
/// - *The layout of a struct follows from the types of its stored properties, in the order of their declaration* (Swift's `docs/ABI`,
///   "Fragile struct and tuple layout"). Its name, `let` and `var` have no influence. The same rule applies to types whose layout is
///   computed at run time.
/// - `withMemoryRebound` is the standard way to access memory as another, layout-compatible type. It also tells the optimiser that both
///   types refer to the same memory.
/// - `model` is `inout`: no other code reads or writes it during the call, and `body` accesses it only through the fields.
/// - *The compiler does not assume that the constants of a struct in a variable stay the same*: any code that knows the layout may assign
///   the whole value at any time. For this reason, the optimiser's pass that made this assumption excludes structs (swiftlang/swift, pull
///   request 30199). It still applies to constants of classes.
///
/// - Parameters:
///   - model: The value.
///   - fields: A struct with all stored properties of the model, in the same order, with the same types.
///   - body: Changes the fields, and does not use `model`. Modifications that it makes before it throws are kept.
/// - Throws: Any error of the closure.
/// - Complexity: that of `body`. Where the compiler knows the layouts, it evaluates the check of the layouts itself.
@inlinable
@inline(__always)
public func _withUnsafeFields<Model, Fields, Failure: Error>(
  of model: inout Model, as fields: Fields.Type, _ body: (inout Fields) throws(Failure) -> Void
) throws(Failure) {
  precondition(
    MemoryLayout<Model>.size == MemoryLayout<Fields>.size && MemoryLayout<Model>.stride == MemoryLayout<Fields>.stride
      && MemoryLayout<Model>.alignment == MemoryLayout<Fields>.alignment,
    "The fields must be the stored properties of the model, all of them, in the same order, with the same types.")
  try withUnsafeMutablePointer(to: &model) { model throws(Failure) in
    try model.withMemoryRebound(to: Fields.self, capacity: 1) { fields throws(Failure) in try body(&fields.pointee) }
  }
}
