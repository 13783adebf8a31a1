#if Macros
  import AlterCore
  import AlterJournal

  /// Generates the `Change` type of a struct, or of an enum of states, with its `apply`, its initialisers and its stored form.
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
  /// - `apply(_:at:)`, which changes the value in place. It refuses nothing, unless the model has an `@Each` or a `@Nested` property,
  ///   a sum (``Changes(_:)``), or cases of its own whose `apply` throws: then `Failure` is `Refusal`.
  /// - A memberwise initialiser. It has a default argument for an optional, an `@Each` collection, a property with a `@Default`, and a
  ///   variable with an initial value. If all properties have one, the macro adds `init()` and `EmptyInitializable`.
  /// - The conformance to `Journaled` (which includes `Alterable` and `Codable`), in the compact stored form by the names of the properties;
  ///   `CodingKeys` are an error. Any model can be the whole
  ///   state of a store; to raise its generation, declare `static let schema = StateSchema(version: 2)`.
  ///
  /// The properties must be sealed: `let`, or `private(set) var`. Both cost the same, because a change of a `let` is made in place, too. They have
  /// no observers (`willSet`, `didSet`). Properties that a computed `id` reads are `@Fixed`.
  ///
  /// In a public or package model, a variable without a role of its own has no generated change: the cases of the model's `Change` are public, and the
  /// setter is not. Changes in `OwnChange` set it, and ``Changes(_:)`` gives it changes. A `let` has one.
  ///
  /// ### States
  ///
  /// Attached to an enum, the macro takes its cases as states. It generates the `Change`, whose cases are those of `OwnChange` and the changes
  /// of payloads, the refusals, and the compact stored form: `{"basket":3}`. The transitions are yours, and the compiler asks for each of them:
  ///
  /// ```swift
  /// @Alterable enum Door: Hashable {
  ///   case open, closed
  ///   @Nested case locked(Lock)  // .lock(…): a change of the payload, in place; refused in the other states
  ///
  ///   @Wire enum OwnChange: Hashable {
  ///     @Refused(in: Door.locked) case open
  ///     @Refused(in: Door.locked) case close
  ///     @Refused(in: Door.open, Door.locked) case shut(code: Int)
  ///     @Ignored(in: Door.open, Door.closed) case unlock(code: Int)
  ///   }
  ///
  ///   mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal) {
  ///     switch step {  // no `default`: a new state or a new change does not compile until its meaning is defined here
  ///     case .open(.open), .closed(.open): self = .open
  ///     case .open(.close), .closed(.close): self = .closed
  ///     case .closed(.shut(let code)): self = .locked(Lock(code: code))
  ///     case .locked(let lock, .unlock(let code)): if lock.opens(with: code) { self = .closed }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// A `Step` is a state together with a change that has a meaning in it. ``Refused(in:_:)`` and ``Ignored(in:_:)`` list the states in which a
  /// change has none. A state or a change that is new is in no list, so its pairs are steps, and the `switch` needs them. If most changes have a
  /// meaning in few states only, ``Takes(_:)`` on the states is shorter. Without any list, write `apply(_ change: OwnChange, at:)` instead, as in a
  /// struct, and switch over `(self, change)`. `OwnChange` and the `apply` must stand in the enum itself, not in an extension.
  ///
  /// ### Your own members
  ///
  /// The macro respects these members, if they stand in the struct's declaration itself, not in an extension:
  ///
  /// - An `init` with the labels of the memberwise initialiser replaces it.
  /// - `mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal)` wraps the generated method, which is then called
  ///   `applyGenerated(_:at:)`. An `apply` of a change with another signature is an error: it would never be called.
  /// - A type or type alias `Failure` replaces the generated one.
  /// - The cases of an `enum OwnChange` become cases of `Change`. The model makes them in
  ///   `mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)`. This method of a struct may stand in an extension.
  ///
  /// - Parameters:
  ///   - spelling: `.nounFirst` for a model whose collections' changes can also be written noun first: `.item(.add(x))`.
  ///   - properties: `.marked` for a model in which only properties with ``Changes(_:)``, `@Nested`, `@Each` or `@Stamped` change: each other one is
  ///     as if it had ``Fixed()``.
  @attached(
    member,
    names: named(Change), named(Failure), named(_Fields), named(apply), named(applyGenerated), named(_restamp), named(_enter), named(init),
    named(encode), named(write), named(_isTotal), named(_describe), named(CodingKeys), named(_Stored), named(Step),
    named(_stateIndex), named(_stateNames))
  @attached(extension, conformances: Journaled, StoredForm, _Restamping, _StampingOnce, EmptyInitializable)
  public macro Alterable(_ spelling: ChangeSpelling = .verbFirst, changing properties: ChangedProperties = .all) =
    #externalMacro(module: "AlterMacrosPlugin", type: "AlterableMacro")

  /// The ways in which the changes of an `@Each` collection can be written.
  public enum ChangeSpelling: Sendable {
    /// `.add(.item(x))`.
    case verbFirst
    /// `.item(.add(x))` as well as `.add(.item(x))`. Both are the same change, with the same stored form; a `switch` matches the second.
    case nounFirst
  }

  /// The properties of a model that have changes.
  public enum ChangedProperties: Sendable {
    /// All properties, but `id`, those with ``Fixed()``, and in a public model the variables without a role.
    case all
    /// Those with ``Changes(_:)``, `@Nested`, `@Each` or `@Stamped`.
    case marked
  }

  /// The times at which a `@Stamped` property is set.
  public enum StampedTimes: Sendable {
    /// Every change sets the property.
    case always
    /// The change that adds the value to a collection sets the property.
    case once
  }

  /// Marks a property that no change alters. A property named `id` is fixed without the attribute.
  ///
  /// The property has no case in `Change`.
  @attached(peer)
  public macro Fixed() = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a property all changes that its type allows: besides the one that sets it, those that depend on its value at the time of the change.
  ///
  /// ```swift
  /// @Changes let salary: Int           // .salary(85_000) and .salary(by: 500)
  /// @Changes let tags: Set<String>     // .tags(["new"]), .tags(adding: "new") and .tags(removing: "new")
  /// @Changes(.by) let visits: Int      // .visits(by: 1) only: two writers can't lose a visit
  /// @Changes("due") let dueDate: Date? // .due(nil)
  /// ```
  ///
  /// A writer that reads a value and sets it to another one loses the change of a second writer in between: of two raises, one remains.
  /// `.salary(by: 500)` is made to the value that the other writer has left, so that both count. Undo takes out its own change alone.
  ///
  /// | form | for | effect |
  /// |---|---|---|
  /// | `.set` | any type | replaces the value |
  /// | `.by` | numbers and `Duration` | adds; refused with the code 'overflow' if the type has no such number |
  /// | `.adding` | sets, arrays | a set that has the element stays as it is; an array appends |
  /// | `.removing` | sets, arrays | removes each element that is equal; without any, the value stays as it is |
  ///
  /// With `.by`, the model's `Failure` is `Refusal`. The amount of an unsigned number is an `Int`. An optional has no `.by`: a default of zero says
  /// where counting starts. An array has `.removing` if the model is declared `Equatable` or `Hashable`, so that its elements can be compared.
  ///
  /// In `Change`, the forms are the cases `salaryBy`, `tagsAdding` and `tagsRemoving`, and are stored by these names. A journal holds the changes
  /// that were made: a form that is taken off the list can't be read from older entries any more.
  ///
  /// - Parameter forms: The forms; without any, all that the type has.
  @attached(peer)
  public macro Changes(_ forms: ChangeForm...) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives the changes of a property another name than the property's: `@Changes("due") let dueDate: Date?` has `.due(nil)`.
  ///
  /// Older entries with the property's name are read.
  ///
  /// - Parameters:
  ///   - name: The name of the changes.
  ///   - forms: The forms, as in ``Changes(_:)``; without any, all that the type has.
  @attached(peer)
  public macro Changes(_ name: String, _ forms: ChangeForm...) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// A change that ``Changes(_:)`` gives to a property.
  public enum ChangeForm: Sendable {
    /// `.salary(85_000)`: replaces the value.
    case set
    /// `.salary(by: 500)`: adds to a number.
    case by
    /// `.tags(adding: "new")`: adds an element to a set or an array.
    case adding
    /// `.tags(removing: "new")`: removes an element from a set or an array.
    case removing
  }

  /// Marks a property that changes by its own `Change` type: `.settings(.theme("dark"))`.
  ///
  /// The type of the property must be `Alterable`, by macro or by hand, and must not be an optional. Without the attribute, a change
  /// replaces the whole value.
  @attached(peer, names: prefixed(_nested_))
  public macro Nested() = #externalMacro(module: "AlterMacrosPlugin", type: "NestedMacro")

  /// Marks a case of an enum whose payload changes by its own `Change` type, and names that change: `.seller(.sold(1))`.
  ///
  /// - Parameter name: The name of the change. Without it, the change has the label of the payload, or the name of its type: `.seller` for
  ///   `case loggedIn(Seller)`. Several cases with one type may share the name.
  @attached(peer, names: prefixed(_nested_))
  public macro Nested(_ name: String) = #externalMacro(module: "AlterMacrosPlugin", type: "NestedMacro")

  /// Lists the states in which a change of an enum's `OwnChange` is refused.
  ///
  /// The generated `apply` throws `Refusal.illegal` there. A state that is added later is in no list: the compiler asks for its meaning.
  ///
  /// - Parameters:
  ///   - state: A case of the enum: `Door.locked`.
  ///   - others: The other ones.
  @attached(peer)
  public macro Refused(in state: Any, _ others: Any...) = #externalMacro(module: "AlterMacrosPlugin", type: "StateListMacro")

  /// Lists the changes of an enum's `OwnChange` that have a meaning in a state. All others are refused there, or ignored if ``Ignored(in:_:)``
  /// says so.
  ///
  /// ```swift
  /// @Alterable enum Checkout: Hashable {
  ///   @Takes(OwnChange.take) case shelf
  ///   @Takes(OwnChange.take, OwnChange.putBack, OwnChange.pay) case basket(cookies: Int)
  ///   @Takes() case paid
  ///   @Wire enum OwnChange: Hashable { case take(Int), putBack, pay }
  ///   …
  /// ```
  ///
  /// If one state has a list, each must have one, and each change must be in a list. A new state or a new change therefore does not compile until
  /// it is in the lists, and then each of its steps needs a meaning.
  ///
  /// - Parameter changes: Cases of `OwnChange`.
  @attached(peer)
  public macro Takes(_ changes: Any...) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Lists the states in which a change of an enum's `OwnChange` has no effect.
  ///
  /// A state that is added later is in no list: the compiler asks for its meaning.
  ///
  /// - Parameters:
  ///   - state: A case of the enum: `Door.open`.
  ///   - others: The other ones.
  @attached(peer)
  public macro Ignored(in state: Any, _ others: Any...) = #externalMacro(module: "AlterMacrosPlugin", type: "StateListMacro")

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
  /// | listed | change | refused if | lets code and other writers |
  /// |---|---|---|---|
  /// | `.add` | `.add(.item(x))` | the id exists | create an element with any content |
  /// | `.remove` | `.remove(.item(id))`, `.remove(.item(x))` | the id is absent | delete an element |
  /// | `.put` | `.put(.item(x))` | never | overwrite an element, past the checks of its `apply` |
  /// | `.update` | `.update(.item(x))` | the id is absent | overwrite an element, past the checks of its `apply` |
  /// | `.move` | `.move(.item(id, to: 0))` | the id is absent | change the order |
  /// | `.replace` | `.replace(.items([…]))` | never | overwrite the whole collection |
  ///
  /// Changes of an element, `.item(id, change)`, exist always. To check the content of an added element, or who may remove one, wrap the
  /// generated `apply` (``Alterable(_:changing:)``).
  ///
  /// A journal holds the changes that were made: a verb that is taken off the list can't be read from older entries any more. Keep
  /// the verb, or turn such changes into others in a migration.
  public enum EachVerb: Sendable {
    /// Adds an element at the end; refused if its id exists. Part of `@Each` without a list.
    case add
    /// Replaces the element with the id in place, or appends it.
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
  ///
  /// - Parameter times: `.once` for a `Date?` that is set when `.add` or `.put` makes the value an element of an `@Each` collection, such as a
  ///   date of creation. A date that the value has already is kept; no later change alters it, and a value that replaces this one (`.put`,
  ///   `.update`) gets it. These keep what they have: the values of a `.replace`, the elements inside an added value, a value in a `@Nested`
  ///   property or state, and a value that the model's own `apply` inserts. Without a stamp, the date stays nil.
  @attached(peer)
  public macro Stamped(_ times: StampedTimes = .always) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a property a default, for stored data that lacks the property and for calls of the initialiser that omit it.
  ///
  /// Data without the property is read at each opening, so the value must always be the same. The macro accepts literals, members of a type
  /// (`Theme.dark`), and calls of the standard library's types with such arguments (`Set(["a"])`, `Date(timeIntervalSince1970: 0)`). For any
  /// other expression use ``Default(constant:)``.
  ///
  /// - Parameter value: An expression of the property's type. Name the type: `@Default(Theme.dark)`, not `@Default(.dark)`.
  @attached(peer)
  public macro Default<T>(_ value: T) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

  /// Gives a property a default that the macro can't know to be the same each time, as in `@Default(constant: Settings())`.
  ///
  /// - Parameter value: An expression of the property's type, with the same value at each call: no `UUID()`, no present time, no random number.
  @attached(peer)
  public macro Default<T>(constant value: T) = #externalMacro(module: "AlterMacrosPlugin", type: "MarkerMacro")

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

  /// Gives a hand-written enum of changes, or a hand-written struct, its stored form: the conformances to `Codable` and `StoredForm`.
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
  ///
  /// A struct is an object of its stored properties by their names; an optional that is nil is absent. These are the bytes of the compiler's
  /// own `Codable`, which `@Wire` replaces: remove it from the declaration. Such a struct is coded without Foundation's coders, its errors name
  /// type and property, and it can be `Migrating`. One difference: a property with a wrapper is stored as its wrapped value, where the
  /// compiler's `Codable` stores the wrapper. `@Default` and `@Renamed` read older data:
  ///
  /// ```swift
  /// @Wire struct Place: Hashable {
  ///   var height: Double?                      // {"name":"Rigi"} without a height
  ///   @Renamed(from: "title") var name: String
  ///   @Default(false) var isVisited: Bool
  /// }
  /// ```
  @attached(
    extension, conformances: Codable, StoredForm,
    names: named(init), named(encode), named(write), named(_isTotal), named(_describe), named(CodingKeys))
  public macro Wire() = #externalMacro(module: "AlterMacrosPlugin", type: "WireMacro")
#endif
