#if Macros
  import AlterCore
  import AlterJournal

  /// Generates the `Change` type of a struct, its `apply`, its initialisers and its stored form.
  ///
  /// ```swift
  /// @Alterable struct TodoItem: Identifiable, Hashable {
  ///   let id: UUID                             // identity: never alterable
  ///   let text: String                         // .text("…")
  ///   @Default(false) let completed: Bool      // .completed(true)
  ///   let due: Date?                           // .due(nil)
  ///   @Stamped let altered: Date?              // set from the stamp by every change
  /// }
  /// @Alterable struct AppState: Hashable {
  ///   @Each let items: IdentityArray<TodoItem> // .add(.item(x)) .remove(.item(id)) .item(id, .completed(true))
  ///   @Nested let settings: Settings           // .settings(.theme("dark"))
  /// }
  /// ```
  ///
  /// ### Generated members
  ///
  /// - `Change`, an enum with at least one case for each property that can change. It is `Hashable` (or `Equatable`) if the struct's own
  ///   declaration names that protocol.
  /// - `apply(_:at:)`, which changes the value in place. It refuses nothing, unless the model has an `@Each` or a `@Nested` property, or
  ///   cases of its own whose `apply` throws: then `Failure` is `Refusal`.
  /// - A memberwise initialiser. It has a default argument for an optional, an `@Each` collection, a property with a `@Default`, and a
  ///   variable with an initial value. If all properties have one, the macro adds `init()` and `EmptyInitializable`.
  /// - The conformance to `Journaled` (which includes `Alterable` and `Codable`), in the compact stored form. Any model can be the whole
  ///   state of a store; to raise its generation, declare `static let schema = StateSchema(version: 2)`.
  ///
  /// The properties must be sealed: `let`, or `private(set) var`. Both cost the same, because a change of a `let` is made in place, too.
  ///
  /// ### Your own members
  ///
  /// The macro respects these members, if they stand in the struct's declaration itself, not in an extension:
  ///
  /// - An `init` with the labels of the memberwise initialiser replaces it.
  /// - `mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal)` wraps the generated method, which is then called
  ///   `applyGenerated(_:at:)`.
  /// - A type or type alias `Failure` replaces the generated one.
  /// - The cases of an `enum OwnChange` become cases of `Change`. The model makes them in
  ///   `mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)`. This method may stand in an extension.
  @attached(
    member,
    names: named(Change), named(Failure), named(_Fields), named(apply), named(applyGenerated), named(_restamp), named(init), named(encode))
  @attached(extension, conformances: Journaled, _Restamping, EmptyInitializable)
  public macro Alterable() = #externalMacro(module: "AlterMacrosPlugin", type: "AlterableMacro")

  /// Marks a property that no change alters. A property named `id` is fixed without the attribute.
  ///
  /// The property has no case in `Change`.
  @attached(peer)
  public macro Fixed() = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Marks a property that changes by its own `Change` type: `.settings(.theme("dark"))`.
  ///
  /// The type of the property must be `Alterable`, by macro or by hand, and must not be an optional. Without the attribute, a change
  /// replaces the whole value.
  @attached(peer, names: prefixed(_nested_))
  public macro Nested() = #externalMacro(module: "AlterMacrosPlugin", type: "NestedMacro")

  /// Marks an `IdentityArray` whose elements are added, removed and changed one by one: `.add(.item(x))`, `.remove(.item(id))`,
  /// `.item(id, .text("…"))`.
  ///
  /// These changes can't go around the vocabulary of the elements: an element that is in the state changes only by its own `Change`, so that
  /// its `apply` decides. For other changes list all that the collection shall have (``EachVerb``): `@Each(.add, .remove, .move)`.
  ///
  /// The elements must be `Alterable`. The macro derives the name of one element from the name of the property: `items` gives `item`,
  /// `entries` gives `entry`, `boxes` gives `box`, `people` gives `person`. If it cannot derive the name, it reports an error; use
  /// `@Each("one")` then.
  @attached(peer, names: prefixed(_each_))
  public macro Each() = #externalMacro(module: "AlterMacrosPlugin", type: "EachMacro")

  /// Marks an `IdentityArray` whose elements are changed one by one, and lists the changes of the collection.
  ///
  /// - Parameters:
  ///   - verb: A change that the collection has, besides the changes of an element by its own `Change`.
  ///   - others: The other ones.
  @attached(peer, names: prefixed(_each_))
  public macro Each(_ verb: EachVerb, _ others: EachVerb...) = #externalMacro(module: "AlterMacrosPlugin", type: "EachMacro")

  /// Marks an `IdentityArray` whose elements are changed one by one, and names one element.
  ///
  /// - Parameters:
  ///   - singular: The name of one element, for a property whose name has no derivable singular:
  ///     `@Each("sheep") let flock: IdentityArray<Sheep>`.
  ///   - verbs: The changes that the collection has; without any, `.add` and `.remove`.
  @attached(peer, names: prefixed(_each_))
  public macro Each(_ singular: String, _ verbs: EachVerb...) = #externalMacro(module: "AlterMacrosPlugin", type: "EachMacro")

  /// A change that `@Each` can give to a collection.
  ///
  /// | listed | change | refused if | stored as | lets code and other writers |
  /// |---|---|---|---|---|
  /// | `.add` | `.add(.item(x))` | the id exists | `insert` | create an element with any content |
  /// | `.remove` | `.remove(.item(id))`, `.remove(.item(x))` | the id is absent | `remove` | delete an element |
  /// | `.put` | `.put(.item(x))` | never | `add` | overwrite an element, past the checks of its `apply` |
  /// | `.update` | `.update(.item(x))` | the id is absent | `update` | overwrite an element, past the checks of its `apply` |
  /// | `.move` | `.move(.item(id, to: 0))` | the id is absent | `move` | change the order |
  /// | `.replace` | `.replace(.items([…]))` | never | `replace` | overwrite the whole collection |
  ///
  /// Changes of an element, `.item(id, change)`, exist always. To check the content of an added element, or who may remove one, wrap the
  /// generated `apply` (``Alterable()``).
  ///
  /// A journal holds the changes that were made: a verb that is taken off the list can't be read from older entries any more. Journals of
  /// development versions from before this list can hold all of them; their `add` replaced an existing element, and is `put` today. List
  /// `@Each(.add, .put, .update, .remove, .move, .replace)` to read them, or turn the older ones into other changes in a migration.
  public enum EachVerb: Sendable {
    /// Adds an element at the end; refused if its id exists. Part of `@Each` without a list.
    case add
    /// Adds an element, or replaces the one with its id in place.
    case put
    /// Replaces an existing element.
    case update
    /// Removes an element. Part of `@Each` without a list.
    case remove
    /// Moves an element to another position.
    case move
    /// Replaces all elements.
    case replace
  }

  /// Marks a `Date` or `Date?` that every change sets to the time of its stamp. It has no case in `Change`.
  ///
  /// A change without a stamp leaves the property unchanged: `item.alter(.text("…"))` outside a store is such a change.
  @attached(peer)
  public macro Stamped() = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a property a default, for stored data that lacks the property and for calls of the initialiser that omit it.
  ///
  /// - Parameter value: An expression of the property's type. Name the type: `@Default(Theme.dark)`, not `@Default(.dark)`.
  @attached(peer)
  public macro Default<T>(_ value: T) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a property an empty array as its default: `@Default([])`. The type of the literal cannot be inferred in an attribute.
  ///
  /// - Parameter value: The literal `[]`.
  @attached(peer)
  public macro Default(_ value: [Never]) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a property an empty dictionary as its default: `@Default([:])`. The type of the literal cannot be inferred in an attribute.
  ///
  /// - Parameter value: The literal `[:]`.
  @attached(peer)
  public macro Default(_ value: [Never: Never]) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives an optional property nil as its default: `@Default(nil)`.
  ///
  /// An optional has this default without the attribute. With the attribute, the stored form of nil is an explicit `null`; otherwise nil is
  /// omitted. Both forms are read in either case.
  ///
  /// - Parameter value: The literal `nil`.
  @attached(peer)
  public macro Default(_ value: Never?) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives the names that a property, or a case of a `@Wire` enum, had in older versions. They are read, and no longer written.
  ///
  /// - Parameter older: The older names. For an `@Each` property, the macro derives the older name of one element from each of them.
  @attached(peer)
  public macro Renamed(from older: String...) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives the names that an `@Each` property and one of its elements had in an older version, if the second cannot be derived from the
  /// first.
  ///
  /// - Parameters:
  ///   - older: The older name of the property.
  ///   - singular: The older name of one element.
  @attached(peer)
  public macro Renamed(from older: String, each singular: String) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a hand-written enum of changes the compact stored form: `{"completed":true}`.
  ///
  /// ```swift
  /// @Wire enum Change: Hashable {
  ///   case level(Int)                          // {"level":3}
  ///   case toggle                              // {"toggle":true}
  ///   case move(Lamp.ID, to: Int)              // {"move":{"id":…,"to":0}}
  ///   case lamp(Lamp.ID, Lamp.Change)          // {"lamp":{"change":{…},"id":…}}
  ///   @Renamed(from: "colour") case tint(Tint) // reads {"colour":…}, writes {"tint":…}
  /// }
  /// ```
  ///
  /// A case with several values needs a label for each of them, because the stored form names them. The forms of `move` and `lamp` above
  /// are the two exceptions. Decoding an unknown case throws an error that names the type, the case and its position in the data.
  @attached(extension, conformances: Codable, names: named(init), named(encode))
  public macro Wire() = #externalMacro(module: "AlterMacrosPlugin", type: "WireMacro")
#endif
