/// Finds parts of a value by the paths that differences have.
package struct PartLookup {
  private let root: Any
  /// The maximum depth, as in a comparison.
  private static let depth = 48

  /// Creates a lookup in a value.
  package init(in value: Any) { root = value }

  /// Returns the parts at a path: none if the path does not exist; several if long keys have the same shortened text.
  ///
  /// - Parameter path: A path as in ``Difference/path``; the empty path is the value itself.
  /// - Complexity: O(number of siblings on the path).
  package func parts(at path: String) -> [Any] {
    var found: [Any] = []
    _ = visit(root, at: [], toward: path, depth: 0) { found.append($0) }
    return found
  }

  /// The number of elements, if the value is a collection; otherwise 0.
  package var count: Int {
    guard let value = unwrapped(root) else { return 0 }
    return Comparison.elements(value, Mirror(reflecting: value))?.count ?? 0
  }

  /// Returns the paths in the deepest existing part on the way to a path: the likely intended ones if the path does not exist.
  package func siblings(of path: String) -> [String] {
    let (value, steps, depth) = visit(root, at: [], toward: path, depth: 0) { _ in }
    let here = steps.isEmpty ? [] : [steps.joined()]
    guard depth < Self.depth else { return here }
    return here + Self.children(of: value, at: steps).prefix(1_000).map { $0.steps.joined() }
  }

  /// Visits each part at a path.
  ///
  /// - Returns: The deepest part that the path leads to or through.
  private func visit(
    _ value: Any, at steps: [String], toward path: String, depth: Int, _ body: (Any) -> Void
  ) -> (value: Any, steps: [String], depth: Int) {
    if steps.joined() == path {
      body(value)
      return (value, steps, depth)
    }
    var deepest = (value: value, steps: steps, depth: depth)
    guard depth < Self.depth else { return deepest }
    for child in Self.children(of: value, at: steps) where Self.leads(child.steps.joined(), to: path) {
      let reached = visit(child.value, at: child.steps, toward: path, depth: depth + 1, body)
      if reached.depth > deepest.depth { deepest = reached }
    }
    return deepest
  }

  /// Whether `prefix` equals `path`, or names a part that contains it.
  private static func leads(_ prefix: String, to path: String) -> Bool {
    guard path.hasPrefix(prefix) else { return false }
    let rest = path.dropFirst(prefix.count)
    return prefix.isEmpty || rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
  }

  /// The parts directly below a value, with the same paths as in a comparison.
  static func children(of value: Any, at path: [String]) -> [(steps: [String], value: Any)] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.map { (path, $0.value) }
    case .set: return []
    case .dictionary: return Comparison.pairs(mirror).map { (path + [Comparison.step(to: $0.key)], $0.value) }
    case .enum: return mirror.children.filter { $0.label != nil }.map { (Comparison.path(to: $0.label, below: path, in: mirror), $0.value) }
    default:
      if let elements = Comparison.elements(value, mirror) {
        guard let ids = Comparison.identities(elements) else {
          return elements.enumerated().map { (path + ["[\($0.offset)]"], $0.element) }
        }
        return zip(ids, elements).map { (path + [Comparison.step(to: $0)], $1) }
      }
      if Description.isLeaf(value) { return [] }
      return mirror.children.map { (Comparison.path(to: $0.label, below: path, in: mirror), $0.value) }
    }
  }
}

extension PartDifference {
  /// The parts of a new content, as differences of their own; empty if it has none. A part is implied if the path states it already, as the
  /// id of an element, or if it is nil.
  package var parts: [(difference: PartDifference, isImplied: Bool)] {
    guard let value = new.flatMap({ unwrapped($0) }), old.map({ type(of: $0) == type(of: new!) }) ?? true else { return [] }
    let id = (value as? any Identifiable).map { Comparison.step(to: AnyHashable(Comparison.id(of: $0))) }
    return PartLookup.children(of: value, at: steps).map { child in
      let isID = child.steps.last == ".id" && id == steps.last
      let difference = PartDifference(steps: child.steps, old: nil, new: child.value, kind: .content, whole: nil)
      return (difference, isID || unwrapped(child.value) == nil)
    }
  }
}
