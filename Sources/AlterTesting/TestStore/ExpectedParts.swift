public import AlterCore

/// The expected effect of a change: the parts of the state that change, with their new values. All other parts must stay the same.
///
/// ```swift
/// store.send(.item(1, .completed(true)), changing: ["items[1].completed": true])
/// store.send(.add(.item(milk)), changing: ["items[2]": milk])         // added after all others
/// store.send(.remove(.item(2)), changing: ["items[2]": nil])          // removed, or an optional that becomes nil
/// store.send(.theme(.dark), changing: ["settings": Settings(theme: .dark)])
/// store.send(.selectAgain, changing: [:])                             // nothing changes
/// ```
///
/// Test code computes none of these values with the code under test, so a fault in `apply` can't hide in the expectation. The expectation
/// needs no access to the setters of the model.
///
/// ## Paths
///
/// Paths are those of `differences(from:to:)` and of failure messages: the names of properties and of enum cases with a payload, the id of
/// an element that has one, the position of any other element, and the key of a dictionary: `items[2].text`, `phase.failed.reason`,
/// `counts["a"]`. Ids are written as they are printed, so a string is in quotes: `#"cities["Rome"].name"#`. The empty path is the whole
/// state.
///
/// The path of a part that contains differences covers all of them: `"settings"` covers `settings.theme`. The part is then compared as a
/// whole. The elements of a set have no paths; name the set.
///
/// If a test cannot make a new element, because its properties are sealed or contain the stamp, name all its parts: `"items[3].text": "Milk",
/// "items[3].createdAt": Stamped { $0.time }`. Parts that are nil and the id need no entry.
///
/// ## Values
///
/// A value is compared with `==`, or part by part if its type is not `Equatable`. A literal need not have the type of the part: `3` matches
/// a `Double`, and an array matches a set, or an `IdentityArray` with these elements.
///
/// The order of elements with ids is part of the state, so it is checked, too:
///
/// | entry | expects |
/// |---|---|
/// | `"items[2]": milk` | a new element after all others; several of them stand in the order of the entries |
/// | `"items[2]": Added(milk, at: 0)` | a new element at another position |
/// | `"items[2]": Moved(to: 0)` | an element at another position among those that were there before |
/// | `"marked": Stamped { $0.time }` | a value that depends on the stamp of the change |
///
/// ## Limits
///
/// A part that is equal by `==` is not examined further. If a type hides stored content from `Mirror`, a difference in this content is
/// noticed only if the type is `Equatable` and nothing else differs in the same value.
///
/// `nil` means that the part is gone, in whatever way: a removed key and a key whose optional value became nil are not told apart. To tell
/// them apart, name the whole dictionary. A part that is NaN before and after counts as a difference, as with `==`. If two elements change
/// places, one of them has moved, and the failure says which. The order of elements inside a collection that appears as a whole is checked
/// only if the collection is named as a whole.
public struct ExpectedParts: Sendable, ExpressibleByDictionaryLiteral {
  /// A path and the expected value.
  struct Entry: Sendable {
    let path: String
    let value: (any Sendable)?
  }

  let entries: [Entry]

  /// Creates an expectation.
  ///
  /// - Parameter elements: The paths and the new values.
  public init(dictionaryLiteral elements: (String, (any Sendable)?)...) { self.init(elements) }

  /// Creates an expectation from computed paths.
  ///
  /// ```swift
  /// await store.receive(inAnyOrder: .saved(1), .saved(2), changing: ExpectedParts((1...2).map { ("items[\($0)].isSaved", true) }))
  /// ```
  ///
  /// - Parameter parts: The paths and the new values; a value is nil if the part must be removed or become nil.
  public init(_ parts: some Sequence<(String, (any Sendable)?)>) { entries = parts.map { Entry(path: $0.0, value: $0.1) } }
}

/// The expectation that an element moves; see ``ExpectedParts``.
public struct Moved: Sendable, Hashable {
  /// The new position among the elements that were there before, from 0.
  package let place: Int

  /// Creates an expectation.
  ///
  /// - Parameter place: The new position among the elements that were there before, from 0.
  public init(to place: Int) { self.place = place }
}

/// The expectation that an element is added at a position other than the end; see ``ExpectedParts``.
public struct Added: Sendable {
  /// The new element.
  package let element: any Sendable
  /// The position in the new collection, from 0.
  package let place: Int

  /// Creates an expectation.
  ///
  /// - Parameters:
  ///   - element: The new element.
  ///   - place: The position in the new collection, from 0.
  public init(_ element: any Sendable, at place: Int) {
    self.element = element
    self.place = place
  }
}

/// The expectation of a value that depends on the stamp of the change: its time, or an id that is derived from it; see ``ExpectedParts``.
public struct Stamped: Sendable {
  let value: @Sendable (Stamp) -> (any Sendable)?

  /// Creates an expectation.
  ///
  /// - Parameter value: Returns the expected value.
  public init(_ value: @escaping @Sendable (Stamp) -> (any Sendable)?) { self.value = value }
}
