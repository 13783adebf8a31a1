import Alter
import Foundation
import Testing

#if Macros
  /// The guide "Evolving your schema": the migrations of a model.
  enum ModelMigrationGuide {
    /// The app in schema 2.
    enum Before {
      @Alterable struct Person: Identifiable, Hashable {
        let id: Int
        let name: String
      }

      @Alterable struct Parcel: Identifiable, Hashable {
        let id: Int
        let weight: Double
      }

      @Alterable struct Club: Hashable {
        static let schema = StateSchema(version: 2)
        @Each(.add, .update, .remove) let people: IdentityArray<Person>
        @Each(.add, .remove, .replace) let parcels: IdentityArray<Parcel>
      }
    }

    // snippet: schema-model
    struct Name: Hashable, Codable { let first, last: String }

    @Alterable struct Person: Identifiable, Hashable, Migrating {
      let id: Int
      let name: Name  // a String before schema 3

      static let migrations = [ModelMigration(before: 3, value: { divided($0) }, change: { divided($0) })]

      private static func divided(_ json: JSONValue) -> JSONValue {
        json.converting("name") { ["first": $0, "last": ""] }
      }
    }

    @Alterable struct Club: Hashable {
      static let schema = StateSchema(version: 3)
      @Each(.add, .update, .remove) let people: IdentityArray<Person>
      @Each(.add, .remove, .replace) let parcels: IdentityArray<Parcel>
    }
    // end

    // snippet: schema-doubles
    @Alterable struct Parcel: Identifiable, Hashable, Migrating {
      let id: Int
      let weight: Int  // in grams; before schema 3, a Double in kilograms

      static let migrations = [ModelMigration(before: 3, value: { inGrams($0) }, change: { inGrams($0) })]

      private static func inGrams(_ json: JSONValue) -> JSONValue {
        // 90.0 is stored as 90. `double` reads both, .integer(90) and .number(72.5); `int` would leave 72.5 unconverted.
        json.converting("weight") { kilograms in
          kilograms.double.map { .integer(Int64(($0 * 1000).rounded())) } ?? kilograms
        }
      }
    }
    // end

    // snippet: schema-by-hand
    struct Guest: Hashable, Codable, Migrating {
      static let migrations = [ModelMigration(before: 3, value: { $0.renaming("nick", to: "name") })]
      let name: String

      init(from decoder: any Decoder) throws {
        let fields = try WireReader(of: Self.self, from: decoder)
        name = try fields.value("name")
      }
    }
    // end

    @Suite("The guide on migrations of models")
    struct Tests {
      @Test("a model is converted wherever it is stored")
      func everywhere() async throws {
        let journal = MemoryJournal()
        var options = StoreOptions()
        options.keepsJournalOpen = true
        let old = try await Store.open(Before.Club(people: [.init(id: 1, name: "Ann")], parcels: []), in: journal, options: options)
        try old.change(.add(.person(.init(id: 2, name: "Bob"))), .person(1, .name("Anna")))
        try old.change(.update(.person(.init(id: 2, name: "Rob"))))
        try old.change(.replace(.parcels([.init(id: 7, weight: 90), .init(id: 8, weight: 72.5)])))
        try old.change(.parcel(7, .weight(91)), .parcel(8, .weight(0.25)))
        await old.close()

        let store = try await Store.open(Club(), in: journal, options: options)
        #expect(
          store.state.people == [Person(id: 1, name: Name(first: "Anna", last: "")), Person(id: 2, name: Name(first: "Rob", last: ""))])
        #expect(store.state.parcels == [Parcel(id: 7, weight: 91_000), Parcel(id: 8, weight: 250)])
        #expect(try await store.state(at: 4).parcels == [Parcel(id: 7, weight: 90_000), Parcel(id: 8, weight: 72_500)])
        await store.close()
      }

      @Test("one model can be tested without a journal")
      func alone() throws {
        // snippet: schema-test
        let stored = Data(#"{"id":1,"name":"Ann"}"#.utf8)
        let person = try JournalCoding.decode(Person.self, from: stored, schema: 2, current: 3)
        // end
        #expect(person == Person(id: 1, name: Name(first: "Ann", last: "")))
        #expect(try JournalCoding.decode(Guest.self, from: Data(#"{"nick":"Al"}"#.utf8), schema: 1, current: 3).name == "Al")
      }
    }
  }
#endif
