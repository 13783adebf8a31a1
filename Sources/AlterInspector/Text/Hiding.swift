package import AlterJournal

/// The keys whose values nobody is to see.
///
/// Applied to everything before it is shown, searched or compared: what is hidden can't be found, either.
public struct Hiding: Sendable, Hashable {
  /// What is shown instead of a value.
  package static let mark = "•••"

  /// The keys: names of properties, of cases, of metadata, at any depth.
  public let keys: Set<String>

  /// Hides the values of these keys.
  public init(_ keys: some Sequence<String> = []) { self.keys = Set(keys) }

  /// Whether anything is hidden.
  public var isEmpty: Bool { keys.isEmpty }

  /// A value with what is in it hidden.
  ///
  /// - Complexity: O(size), O(1) when nothing is hidden.
  package func apply(to value: JSONValue) -> JSONValue { keys.isEmpty ? value : hide(value) }

  /// Metadata with what is in it hidden.
  package func apply(to metadata: [String: String]) -> [String: String] {
    keys.isEmpty ? metadata : Dictionary(uniqueKeysWithValues: metadata.map { ($0, keys.contains($0) ? Self.mark : $1) })
  }

  /// An array or an object whose values are being looked at.
  private struct Frame {
    /// The names of the values; nil for an array.
    let names: [String]?
    /// Those to be looked at, the next one last.
    var rest: [JSONValue]
    var done: [JSONValue] = []

    var whole: JSONValue {
      guard let names else { return .array(done) }
      return .object(Dictionary(uniqueKeysWithValues: zip(names, done)))
    }
  }

  // With a stack of its own instead of recursion, as all that reads JSON of any depth: a thread's stack may be small.
  private func hide(_ root: JSONValue) -> JSONValue {
    var stack: [Frame] = []
    var value = root
    while true {
      switch value {
      case .array(let values) where !values.isEmpty:
        stack.append(Frame(names: nil, rest: values.reversed()))
      case .object(let members) where !members.isEmpty:
        let shown = members.map { ($0, keys.contains($0) ? .string(Self.mark) : $1) }
        stack.append(Frame(names: shown.map(\.0), rest: shown.map(\.1).reversed()))
      case .null, .bool, .integer, .number, .decimal, .string, .array, .object:
        guard !stack.isEmpty else { return value }
        stack[stack.count - 1].done.append(value)
      }
      while let top = stack.last, top.rest.isEmpty {
        stack.removeLast()
        guard !stack.isEmpty else { return top.whole }
        stack[stack.count - 1].done.append(top.whole)
      }
      value = stack[stack.count - 1].rest.removeLast()
    }
  }
}
