#if Macros
  import AlterCore
  import AlterJournal

  /// Writes what a model that changes by its own vocabulary would otherwise write by hand.
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
  ///   @Each let items: IdentityArray<TodoItem> // .add(.item(x)) .update(.item(x)) .remove(.item(id)) .move(.item(id, to: 0))
  ///                                            // .replace(.items([…])) .item(id, .completed(true))
  ///   @Nested let settings: Settings           // .settings(.theme("dark"))
  /// }
  /// ```
  ///
  /// It adds:
  ///
  /// - `Change`, an enum with a case for every property that can change. It is `Hashable` (`Equatable`) where the model says in its
  ///   declaration that it is.
  /// - `apply(_:at:)`, which changes in place what is held by nobody else. It refuses nothing, unless the model has an `@Each` or a
  ///   `@Nested` property, or cases of its own: then `Failure` is `Refusal`.
  /// - A memberwise initialiser, where an optional, a collection and a property with a `@Default` can be left out; `init()` and
  ///   `EmptyInitializable` when all of them can.
  /// - The conformance to `Journaled` (so `Alterable` and `Codable`), in the compact stored form. Any model may be a whole state;
  ///   to raise its generation, declare `static let schema = StateSchema(version: 2)`.
  ///
  /// The properties are sealed: `let`, or `private(set) var`. A `let` costs nothing: a change is made where the value is, either way.
  ///
  /// **A vocabulary of its own.** What the model declares itself, in its declaration, is left to it:
  ///
  /// - An `init` with the same labels replaces the memberwise one.
  /// - `mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal)` wraps the generated one, which is then
  ///   called `applyGenerated(_:at:)`.
  /// - The cases of an `enum OwnChange` become cases of `Change`, and the model makes them in
  ///   `mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)`.
  @attached(
    member,
    names: named(Change), named(Failure), named(_Fields), named(apply), named(applyGenerated), named(_restamp), named(init), named(encode))
  @attached(extension, conformances: Journaled, _Restamping, EmptyInitializable)
  public macro Alterable() = #externalMacro(module: "AlterMacrosPlugin", type: "AlterableMacro")

  /// A property that no change alters. (`id` is one without being marked.)
  @attached(peer)
  public macro Fixed() = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// A property that changes by its own vocabulary: `.settings(.theme("dark"))`.
  ///
  /// Its type is `Alterable`, by macro or by hand.
  @attached(peer, names: prefixed(_nested_))
  public macro Nested() = #externalMacro(module: "AlterMacrosPlugin", type: "NestedMacro")

  /// An `IdentityArray` whose elements come, go and change one by one: `.add(.item(x))`, `.item(id, .text("…"))`.
  ///
  /// The name of one element is derived from the name of the property: `items`, `entries`, `boxes`, `people`.
  @attached(peer, names: prefixed(_each_))
  public macro Each() = #externalMacro(module: "AlterMacrosPlugin", type: "EachMacro")

  /// An `IdentityArray` whose elements come, go and change one by one, with a name for one of them that can't be derived.
  ///
  /// - Parameter singular: The name of one: `@Each("sheep") let flock: IdentityArray<Sheep>`.
  @attached(peer, names: prefixed(_each_))
  public macro Each(_ singular: String) = #externalMacro(module: "AlterMacrosPlugin", type: "EachMacro")

  /// A `Date` or `Date?` that every change sets from its stamp, and no other change alters.
  ///
  /// Outside a store, `item.alter(.text("…"))` leaves it as it is.
  @attached(peer)
  public macro Stamped() = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// The value of a property where data of an older version lacks it, and where the initialiser leaves it out.
  ///
  /// - Parameter value: An expression of the property's type. Name the type: `@Default(Theme.dark)`, not `@Default(.dark)`.
  @attached(peer)
  public macro Default<T>(_ value: T) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// An empty array literal, whose type can't be inferred in this place.
  @attached(peer)
  public macro Default(_ value: [Never]) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// An empty dictionary literal, whose type can't be inferred in this place.
  @attached(peer)
  public macro Default(_ value: [Never: Never]) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// No value: data of an older version has none. (An optional needs no `@Default`, unless to read an explicit `null` as well.)
  @attached(peer)
  public macro Default(_ value: Never?) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// The names that a property, or a case of a `@Wire` enum, had in older versions. They are read, and no longer written.
  ///
  /// - Parameter older: The property's or the case's older names. For an `@Each` property the name of one element is derived
  ///   from the older name as from the present one.
  @attached(peer)
  public macro Renamed(from older: String...) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// The names that an `@Each` property and one of its elements had in an older version.
  ///
  /// - Parameters:
  ///   - older: The property's older name.
  ///   - singular: The older name of one element, which can't be derived.
  @attached(peer)
  public macro Renamed(from older: String, each singular: String) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a hand-written enum of changes the compact stored form: `{"completed":true}`.
  ///
  /// ```swift
  /// @Wire enum Change: Hashable {
  ///   case level(Int)                          // {"level":3}
  ///   case toggle                              // {"toggle":true}
  ///   case move(ID, to: Int)                   // error: name the first value, too
  ///   case lamp(Lamp.ID, Lamp.Change)          // {"lamp":{"change":{…},"id":…}}
  ///   @Renamed(from: "colour") case tint(Tint) // reads {"colour":…}, writes {"tint":…}
  /// }
  /// ```
  ///
  /// An unknown case is an error that names the type, the case and the place.
  @attached(extension, conformances: Codable, names: named(init), named(encode))
  public macro Wire() = #externalMacro(module: "AlterMacrosPlugin", type: "WireMacro")
#endif
