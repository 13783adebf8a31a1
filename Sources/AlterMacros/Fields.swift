/// Changes a value of constants where it is, through a struct that has the same stored properties as variables.
///
/// What `@Alterable` writes for a model with `let` properties. To copy the properties out and to build the value anew retains and
/// releases each of them at every change; here only what changes is touched, as if the properties had been `private(set) var` all along.
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
/// It is unsafe because nobody checks that the two structs are made of the same properties in the same order. The macro writes this only
/// where it sees every stored property; otherwise it writes ``_rebuild(_:from:to:changing:)``. That it is sound there rests on this:
///
/// - *The layout of a struct follows from the types of its stored properties, in the order of their declaration* (Swift's `docs/ABI`, "Fragile
///   struct and tuple layout"), not from its name, nor from `let` or `var`. Types whose layout isn't known before the program runs
///   have it computed by the same rule.
/// - `withMemoryRebound` is the way to look at memory as another type that is layout compatible. It also tells the optimiser that both
///   types are about one memory.
/// - `model` is `inout`: nobody else reads or writes it meanwhile, and `body` gets at it through the fields alone.
/// - *The compiler doesn't assume that constants in a variable struct stay*: the whole may be assigned at any time, by anybody who knows its layout.
///   (The optimiser's pass that did assume it leaves structs alone, for this reason: swiftlang/swift, pull request 30199. Constants of
///   classes are another matter.)
///
/// - Parameters:
///   - model: The value.
///   - fields: A struct with the stored properties of the model, all of them, in the same order, with the same types.
///   - body: Changes the fields, and doesn't use `model`. When it throws, what it has changed stays changed.
/// - Throws: What the closure throws.
/// - Complexity: that of `body`. The check of the layouts is done by the compiler where it knows them.
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
