// Generic and generated code passes a change on to a part of a model by this method. It unifies the part's error type: `Never`, `Refusal`
// or another error.

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
