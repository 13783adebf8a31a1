public import AlterCollections
public import AlterCore

// How a generated `apply` hands a change on to a part of it, whatever that part refuses with: `Never`, `Refusal` or an error of its own.

extension Refusal {
  /// What a part refused with, as a refusal of the whole.
  ///
  /// - Parameter error: A `Refusal` stays as it is; another error becomes `custom`, with its description as the message.
  @usableFromInline
  init(of error: any Error) {
    self = error as? Refusal ?? .custom(code: "refused", message: "\(error)")
  }
}

extension Alterable {
  /// Makes a change to this part of a model, in place.
  ///
  /// - Parameters:
  ///   - change: What happens.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: What the part refuses with, as a `Refusal`.
  /// - Complexity: that of `apply`.
  @inlinable
  public mutating func _apply(part change: Change, at stamp: Stamp) throws(Refusal) {
    do throws(Failure) { try apply(change, at: stamp) } catch { throw Refusal(of: error) }
  }
}

extension IdentityArray where Element: Alterable {
  /// Makes a change to one element, in place.
  ///
  /// As `alter(_:_:at:)`, with one error type whatever the elements refuse with.
  ///
  /// - Parameters:
  ///   - change: What happens to the element.
  ///   - id: Which element.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: `Refusal.missing` when the element isn't here; what it refuses with, as a `Refusal`.
  /// - Complexity: that of the element's `apply`, and of `modify`.
  @inlinable
  public mutating func _apply(_ change: Element.Change, to id: Element.ID, at stamp: Stamp) throws(Refusal) {
    let done: Void? = try modify(id: id) { element throws(Refusal) in try element._apply(part: change, at: stamp) }
    guard done != nil else { throw .missing("\(Element.self)", id) }
  }
}
