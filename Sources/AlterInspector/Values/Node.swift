/// A place in a state: a value, and those in it.
public struct Node: Codable, Sendable, Hashable {
  /// What a value is.
  public enum Kind: String, Codable, Sendable, Hashable {
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
  public var path: String
  /// What it is called there: a name, an index, or the id of an element that has one.
  public var key: String
  /// What it is.
  public var kind: Kind
  /// It as short Swift-like text.
  public var text: String
  /// How many values it holds.
  public var count: Int
  /// The values in it, from ``offset`` on; nil for a node that stands in another's list.
  public var children: [Node]?
  /// The number of the first child that is told.
  public var offset: Int?
}

/// A part of a state at a revision.
public struct StateAnswer: Codable, Sendable, Hashable {
  /// The revision whose state it is.
  public var at: Int64
  /// The revision that was asked for.
  public var asked: Int64
  /// Whether it is the state at the revision that was asked for. Without the app's types only some are known.
  public var exact: Bool
  /// The part.
  public var node: Node
}

/// Where a text is in a state.
public struct StateFound: Codable, Sendable, Hashable {
  /// A place.
  public struct Place: Codable, Sendable, Hashable {
    /// Where: a JSON Pointer.
    public var path: String
    /// What it is called there.
    public var key: String
    /// The value as short text.
    public var text: String
  }

  /// The revision whose state was searched.
  public var at: Int64
  /// Whether it is the one that was asked for.
  public var exact: Bool
  /// The places.
  public var found: [Place]
  /// Whether that is all.
  public var isComplete: Bool
}

/// How two states differ.
public struct DifferenceAnswer: Codable, Sendable, Hashable {
  /// The revision whose state is the older one.
  public var from: Int64
  /// The revision whose state is the newer one.
  public var to: Int64
  /// Whether both are the ones that were asked for.
  public var exact: Bool
  /// What differs.
  public var differences: [StateDifference]
  /// Whether that is all.
  public var isComplete: Bool
}

/// One thing in which two states differ.
public struct StateDifference: Codable, Sendable, Hashable {
  /// What happened to it.
  public enum Kind: String, Codable, Sendable, Hashable {
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
  public var path: String
  /// What happened.
  public var kind: Kind
  /// It before, as text.
  @OrNull public var old: String?
  /// It now, as text.
  @OrNull public var new: String?
}
