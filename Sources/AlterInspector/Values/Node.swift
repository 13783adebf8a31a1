/// A value in a state, with its children.
package struct Node: Codable, Sendable, Hashable {
  /// The kind of a value.
  package enum Kind: String, Codable, Sendable, Hashable {
    /// An object: values by name.
    case object
    /// An array: values in order.
    case array
    /// A string.
    case string
    /// A number.
    case number
    /// A Boolean value.
    case bool
    /// The JSON value null.
    case null
  }

  /// The path of the value: a JSON Pointer (RFC 6901), '' for the whole state.
  package var path: String
  /// The key in the parent: a name, an index, or the id of an element that has one.
  package var key: String
  /// The kind of the value.
  package var kind: Kind
  /// The value as short Swift-like text.
  package var text: String
  /// The number of children.
  package var count: Int
  /// The requested children, from ``offset`` on; nil for a node that is itself in a list of children.
  package var children: [Node]?
  /// The index of the first of the requested children; nil if no children were requested.
  package var offset: Int?
}

/// A part of a state at a revision.
package struct StateAnswer: Codable, Sendable, Hashable {
  /// The revision of the state.
  package var at: Int64
  /// The requested revision.
  package var asked: Int64
  /// Whether the state is the one at the requested revision. Without the app's types only some states are known.
  package var exact: Bool
  /// The part.
  package var node: Node
}

/// The result of a search in a state.
package struct StateFound: Codable, Sendable, Hashable {
  /// A place in the state.
  package struct Place: Codable, Sendable, Hashable {
    /// The path: a JSON Pointer.
    package var path: String
    /// The key in the parent.
    package var key: String
    /// The value as short text.
    package var text: String
  }

  /// The revision of the searched state.
  package var at: Int64
  /// Whether that is the requested revision.
  package var exact: Bool
  /// The places, in the order of the state.
  package var found: [Place]
  /// Whether the list contains all places.
  package var isComplete: Bool
}

/// The differences between two states.
package struct DifferenceAnswer: Codable, Sendable, Hashable {
  /// The revision of the older state.
  package var from: Int64
  /// The revision of the newer state.
  package var to: Int64
  /// Whether both states are those at the requested revisions.
  package var exact: Bool
  /// The differences.
  package var differences: [StateDifference]
  /// Whether the list contains all differences.
  package var isComplete: Bool

  /// Whether one known state stands for both requested ones, so that nothing is known of their differences.
  package var areUnknown: Bool { !exact && from == to }
}

/// One difference between two states.
package struct StateDifference: Codable, Sendable, Hashable {
  /// The kind of a difference.
  package enum Kind: String, Codable, Sendable, Hashable {
    /// The value is only in the newer state.
    case added
    /// The value is only in the older state.
    case removed
    /// The value is in both states, and differs.
    case changed
    /// The element is in both states, in a different order. `old` and `new` are its indexes.
    case moved
  }

  /// The path, like 'items[7].title'. An element with an id is named by the id.
  package var path: String
  /// The kind of the difference.
  package var kind: Kind
  /// The older value, as text; nil if it was added.
  @OrNull package var old: String?
  /// The newer value, as text; nil if it was removed.
  @OrNull package var new: String?
}
