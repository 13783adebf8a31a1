import AlterJournal

/// A state as a tree that is opened node by node.
struct StateTree {
  /// The whole state, without hidden values.
  let root: JSONValue

  /// The maximum length of a node's text, in UTF-8 bytes.
  private static let textLimit = 120
  /// The maximum length of a string that is requested itself, in UTF-8 bytes. A browser could not show a longer one.
  private static let wholeLimit = 1_000_000

  /// Returns the node at a path.
  ///
  /// - Parameters:
  ///   - path: A JSON Pointer (RFC 6901).
  ///   - offset: The index of the first returned child.
  ///   - limit: The maximum number of returned children.
  /// - Returns: The node; nil if there is no value at the path.
  /// - Complexity: O(depth + limit) for an array; O(depth + n log n) for an object with n members.
  func node(at path: String, offset: Int, limit: Int) -> Node? {
    guard let value = value(at: path) else { return nil }
    var node = Self.node(value, path: path, key: Self.key(of: value, in: Self.steps(of: path)?.last ?? ""))
    let offset = max(0, offset)
    node.offset = offset
    switch value {
    case .array(let values):
      node.children = values.indices.dropFirst(offset).prefix(limit).map { index in
        Self.node(values[index], path: "\(path)/\(index)", key: Self.key(of: values[index], in: "\(index)"))
      }
    case .object(let members):
      node.children = ChangeText.sorted(members).dropFirst(offset).prefix(limit).map { member in
        Self.node(member.value, path: "\(path)/\(Self.escaped(member.key))", key: member.key)
      }
    case .string:
      node.text = ChangeText.value(value, limit: Self.wholeLimit)
      node.children = []
    case .null, .bool, .integer, .number, .decimal: node.children = []
    }
    return node
  }

  /// Returns the value at a path; nil if there is none.
  func value(at path: String) -> JSONValue? {
    guard let steps = Self.steps(of: path) else { return nil }
    return steps.reduce(root as JSONValue?) { value, step in value.flatMap { Self.child(step, of: $0) } }
  }

  /// Finds a text in the keys and values, without case.
  ///
  /// - Parameter isOver: Called every 1024 values; the search stops when it returns true.
  /// - Complexity: O(size).
  func search(_ text: String, limit: Int, isOver: () -> Bool) -> (found: [StateFound.Place], isComplete: Bool) {
    let text = text.lowercased()
    var found: [StateFound.Place] = []
    var stack: [(value: JSONValue, path: String, key: String)] = [(root, "", "")]
    var looked = 0
    while let (value, path, key) = stack.popLast() {
      looked += 1
      if looked % 1_024 == 0, isOver() { return (found, false) }
      var matches = key.lowercased().contains(text)
      switch value {
      case .array(let values):
        for (index, value) in values.enumerated().reversed() {
          stack.append((value, "\(path)/\(index)", ""))
        }
      case .object(let members):
        for member in ChangeText.sorted(members).reversed() {
          stack.append((member.value, "\(path)/\(Self.escaped(member.key))", member.key))
        }
      case .string(let string): matches = matches || string.lowercased().contains(text)
      case .null, .bool, .integer, .number, .decimal: matches = matches || ChangeText.value(value).contains(text)
      }
      guard matches else { continue }
      guard found.count < limit else { return (found, false) }
      let name = key.isEmpty ? Self.key(of: value, in: path.split(separator: "/").last.map(String.init) ?? "") : key
      found.append(StateFound.Place(path: path, key: name, text: ChangeText.value(value, limit: Self.textLimit)))
    }
    return (found, true)
  }

  private static func node(_ value: JSONValue, path: String, key: String) -> Node {
    let (kind, count): (Node.Kind, Int) =
      switch value {
      case .null: (.null, 0)
      case .bool: (.bool, 0)
      case .integer, .number, .decimal: (.number, 0)
      case .string: (.string, 0)
      case .array(let values): (.array, values.count)
      case .object(let members): (.object, members.count)
      }
    return Node(path: path, key: key, kind: kind, text: ChangeText.value(value, limit: textLimit), count: count)
  }

  /// The key of a value: its id if it is an array element with an id, otherwise the given key.
  private static func key(of value: JSONValue, in key: String) -> String {
    guard Int(key) != nil, let id = value["id"], let name = StateComparison.name(of: id) else { return key }
    return name
  }

  private static func child(_ step: String, of value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let members): return members[step]
    case .array:
      guard let index = Int(step) else { return .none }
      return value[index]
    // Not `nil`: that would be a JSON null here.
    case .null, .bool, .integer, .number, .decimal, .string: return .none
    }
  }

  private static func escaped(_ key: String) -> String {
    guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
    return key.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// The steps of a JSON Pointer; nil if the text is not one.
  static func steps(of path: String) -> [String]? {
    guard !path.isEmpty else { return [] }
    guard path.hasPrefix("/") else { return nil }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }
}
