public import AlterCollections
public import AlterCore

// A generated `apply` passes a change on to a part of the model by these methods. They unify the part's error type: `Never`, `Refusal` or
// another error.

extension Refusal {
  /// Converts the error of a part into a refusal of the whole.
  ///
  /// - Parameter error: The error of the part. A `Refusal` stays as it is; any other error becomes `custom` with the code 'refused' and the
  ///   error's description as the message.
  @usableFromInline
  init(of error: any Error) {
    self = error as? Refusal ?? .custom(code: "refused", message: "\(error)")
  }
}

extension Alterable {
  /// Makes a change to this part of a model, in place.
  ///
  /// - Parameters:
  ///   - change: The change to make.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Throws: The part's error, as a `Refusal`.
  /// - Complexity: that of `apply`.
  @inlinable
  public mutating func _apply(part change: Change, at stamp: Stamp) throws(Refusal) {
    do throws(Failure) { try apply(change, at: stamp) } catch { throw Refusal(of: error) }
  }
}

extension IdentityArray where Element: Alterable {
  /// Makes a change to one element, in place.
  ///
  /// This is `alter(_:_:at:)` with one error type, whatever the elements throw.
  ///
  /// - Parameters:
  ///   - change: The change to make to the element.
  ///   - id: The identity of the element.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Throws: `Refusal.missing` if the identity is absent; otherwise the element's error, as a `Refusal`.
  /// - Complexity: O(log n) expected, plus the element's `apply`.
  @inlinable
  public mutating func _apply(_ change: Element.Change, to id: Element.ID, at stamp: Stamp) throws(Refusal) {
    let done: Void? = try modify(id: id) { element throws(Refusal) in try element._apply(part: change, at: stamp) }
    guard done != nil else { throw .missing("\(Element.self)", id) }
  }
}
