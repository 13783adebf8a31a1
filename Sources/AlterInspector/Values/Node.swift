/// A place in a state: a value, and those in it.
package struct Node: Codable, Sendable, Hashable {
  /// What a value is.
  package enum Kind: String, Codable, Sendable, Hashable {
    /// Values by name.
    case object
    /// Values in order.
    case array
    /// Text.
    case string
    /// A number.
    case number
    /// True or false.
    case bool
    /// Nothing.
    case null
  }

  /// Where it is: a JSON Pointer (RFC 6901), "" for the whole.
  package var path: String
  /// What it is called there: a name, an index, or the id of an element that has one.
  package var key: String
  /// What it is.
  package var kind: Kind
  /// It as short Swift-like text.
  package var text: String
  /// How many values it holds.
  package var count: Int
  /// The values in it, from ``offset`` on; nil for a node that stands in another's list.
  package var children: [Node]?
  /// The number of the first child that is told.
  package var offset: Int?
}

/// A part of a state at a revision.
package struct StateAnswer: Codable, Sendable, Hashable {
  /// The revision whose state it is.
  package var at: Int64
  /// The revision that was asked for.
  package var asked: Int64
  /// Whether it is the state at the revision that was asked for. Without the app's types only some are known.
  package var exact: Bool
  /// The part.
  package var node: Node
}

/// Where a text is in a state.
package struct StateFound: Codable, Sendable, Hashable {
  /// A place.
  package struct Place: Codable, Sendable, Hashable {
    /// Where: a JSON Pointer.
    package var path: String
    /// What it is called there.
    package var key: String
    /// The value as short text.
    package var text: String
  }

  /// The revision whose state was searched.
  package var at: Int64
  /// Whether it is the one that was asked for.
  package var exact: Bool
  /// The places.
  package var found: [Place]
  /// Whether that is all.
  package var isComplete: Bool
}

/// How two states differ.
package struct DifferenceAnswer: Codable, Sendable, Hashable {
  /// The revision whose state is the older one.
  package var from: Int64
  /// The revision whose state is the newer one.
  package var to: Int64
  /// Whether both are the ones that were asked for.
  package var exact: Bool
  /// What differs.
  package var differences: [StateDifference]
  /// Whether that is all.
  package var isComplete: Bool
}

/// One thing in which two states differ.
package struct StateDifference: Codable, Sendable, Hashable {
  /// What happened to it.
  package enum Kind: String, Codable, Sendable, Hashable {
    /// It is only in the newer one.
    case added
    /// It is only in the older one.
    case removed
    /// It is in both, and differs.
    case changed
    /// It is in both, in another order. `old` and `new` are its indexes.
    case moved
  }

  /// Where: as in `items[7].title`. Elements with an id are named by it.
  package var path: String
  /// What happened.
  package var kind: Kind
  /// It before, as text.
  @OrNull package var old: String?
  /// It now, as text.
  @OrNull package var new: String?
}
