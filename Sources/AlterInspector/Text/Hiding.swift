package import AlterJournal

/// The keys whose values are hidden.
///
/// Values are hidden before they are shown, searched or compared, so a search cannot find them either. If any key is hidden, the requests
/// of a live store's effects are hidden as a whole, because they are texts without keys.
public struct Hiding: Sendable, Hashable {
  /// The replacement for a hidden value.
  package static let mark = ChangeText.hidden

  /// The keys: names of properties, of cases and of metadata, at any depth.
  package let keys: Set<String>

  /// Hides the values of these keys.
  public init(_ keys: some Sequence<String> = []) { self.keys = Set(keys) }

  /// Whether no key is hidden.
  package var isEmpty: Bool { keys.isEmpty }

  /// Returns a value with all hidden values replaced.
  ///
  /// - Complexity: O(size); O(1) if no key is hidden.
  package func apply(to value: JSONValue) -> JSONValue { keys.isEmpty ? value : hide(value) }

  /// Returns metadata with all hidden values replaced.
  package func apply(to metadata: [String: String]) -> [String: String] {
    keys.isEmpty ? metadata : Dictionary(uniqueKeysWithValues: metadata.map { ($0, keys.contains($0) ? Self.mark : $1) })
  }

  /// An array or an object that is being processed.
  private struct Frame {
    /// The names of the values; nil for an array.
    let names: [String]?
    /// The values that are not processed yet, the next one last.
    var rest: [JSONValue]
    var done: [JSONValue] = []

    var whole: JSONValue {
      guard let names else { return .array(done) }
      return .object(Dictionary(uniqueKeysWithValues: zip(names, done)))
    }
  }

  // This uses an explicit stack instead of recursion, because JSON may be nested deeply and a thread's stack may be small.
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
