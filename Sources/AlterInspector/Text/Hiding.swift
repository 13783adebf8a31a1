public import AlterJournal

/// The keys whose values nobody is to see.
///
/// Applied to everything before it is shown, searched or compared: what is hidden can't be found, either.
public struct Hiding: Sendable, Hashable {
  /// What is shown instead of a value.
  public static let mark = "•••"

  /// The keys: names of properties, of cases, of metadata, at any depth.
  public let keys: Set<String>

  /// Hides the values of these keys.
  public init(_ keys: some Sequence<String> = []) { self.keys = Set(keys) }

  /// Whether anything is hidden.
  public var isEmpty: Bool { keys.isEmpty }

  /// A value with what is in it hidden.
  ///
  /// - Complexity: O(size), O(1) when nothing is hidden.
  public func apply(to value: JSONValue) -> JSONValue { keys.isEmpty ? value : hide(value) }

  /// Metadata with what is in it hidden.
  public func apply(to metadata: [String: String]) -> [String: String] {
    keys.isEmpty ? metadata : Dictionary(uniqueKeysWithValues: metadata.map { ($0, keys.contains($0) ? Self.mark : $1) })
  }

  // JSON in a journal is at most 512 deep, and a level takes about 200 bytes of the stack.
  private func hide(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let values): .array(values.map(hide))
    case .object(let members):
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0, keys.contains($0) ? .string(Self.mark) : hide($1)) }))
    case .null, .bool, .integer, .number, .decimal, .string: value
    }
  }
}
