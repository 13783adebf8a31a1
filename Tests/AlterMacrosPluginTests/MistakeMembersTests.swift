#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite("A model with mistakes")
  struct MistakeMembersTests {
    @Test("has its members, without bodies")
    func members() {
      expectExpansion(
        of: """
          @Alterable struct A: Hashable {
            @Nested let part: Part?
            @Each let items: IdentityArray<Item>
            @Stamped let altered: Date?
          }
          """,
        """
        struct A: Hashable {
          let part: Part?
          let items: IdentityArray<Item>

          private typealias _each_items = AlterMacros._EachIsAlterable<Item>
          let altered: Date?

          /// The changes of `A`.
          nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
            /// Adds an element at the end. Refused if its id exists already.
            indirect case add(ElementValue)
            /// Removes an element. Refused if it does not exist.
            case remove(ElementID)
            /// Sets `part`.
            case part(Part?)
            /// Changes one of the `items`.
            indirect case item(Item.ID, Item.Change)

            init(from decoder: any Decoder) throws { fatalError() }
            func encode(to encoder: any Encoder) throws { fatalError() }
            init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) { fatalError() }
            func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) { fatalError() }

            /// An element of one of the collections.
            nonisolated enum ElementValue: Sendable, Hashable, Codable, AlterCore.StoredForm {
              /// One of the `items`.
              case item(Item)

              init(from decoder: any Decoder) throws { fatalError() }
              func encode(to encoder: any Encoder) throws { fatalError() }
              init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) { fatalError() }
              func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) { fatalError() }
            }

            /// The id of an element of one of the collections.
            nonisolated enum ElementID: Sendable, Hashable, Codable, AlterCore.StoredForm {
              /// One of the `items`.
              case item(Item.ID)
              /// One of the `items`, by any version of its value.
              @_disfavoredOverload
              nonisolated static func item(_ value: Item, _: Void = ()) -> ElementID { .item(value.id) }

              init(from decoder: any Decoder) throws { fatalError() }
              func encode(to encoder: any Encoder) throws { fatalError() }
              init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) { fatalError() }
              func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) { fatalError() }
            }

            @available(*, unavailable, message: "list .put in the @Each of 'items': .add, .put, .remove")
            nonisolated static func put(_: _Unlisted) -> Change { Swift.fatalError() }
            @available(*, unavailable, message: "list .update in the @Each of 'items': .add, .update, .remove")
            nonisolated static func update(_: _Unlisted) -> Change { Swift.fatalError() }
            @available(*, unavailable, message: "list .move in the @Each of 'items': .add, .remove, .move")
            nonisolated static func move(_: _Unlisted) -> Change { Swift.fatalError() }
            @available(*, unavailable, message: "list .replace in the @Each of 'items': .add, .remove, .replace")
            nonisolated static func replace(_: _Unlisted) -> Change { Swift.fatalError() }

            /// The payloads of verbs that no collection lists.
            nonisolated enum _Unlisted {
              nonisolated static func item(_: Item) -> _Unlisted { Swift.fatalError() }
              nonisolated static func item(_: Item.ID, to: Swift.Int) -> _Unlisted { Swift.fatalError() }
              nonisolated static func items(_: IdentityArray<Item>) -> _Unlisted { Swift.fatalError() }
            }
          }

          /// Why a change is refused.
          typealias Failure = AlterCore.Refusal

          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never

          /// Makes the change, or refuses it and changes nothing.
          nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
            fatalError()
          }

          /// Sets the stamped properties to the stamp's date; without a date they keep their values.
          nonisolated mutating func _restamp(at stamp: AlterCore.Stamp) {
            fatalError()
          }

          /// A value of these properties.
          nonisolated init(part: Part? = nil, items: IdentityArray<Item> = [], altered: Date? = nil) {
            fatalError()
          }

          /// The empty value: every property has its default value.
          nonisolated init() { fatalError() }

          nonisolated init(from decoder: any Decoder) throws { fatalError() }

          nonisolated func encode(to encoder: any Encoder) throws { fatalError() }

          nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) { fatalError() }
          nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) { fatalError() }
        }

        nonisolated extension A: AlterJournal.Journaled, AlterCore.StoredForm, AlterMacros._Restamping, AlterCore.EmptyInitializable {}
        """,
        diagnostics: [
          .init(
            message: """
              @Nested needs a type that is not optional: a change to 'part' could find nil. Without @Nested, the change sets the whole value: \
              .part(nil).
              """, line: 2, column: 21)
        ])
    }
  }
#endif
