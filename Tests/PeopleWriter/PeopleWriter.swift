// A process for a test: adds people to an identity store that others write at the same time.
//
//   people-writer PATH COUNTRY COUNT

#if SQLite
  import Alter
  import AlterSQLite

  struct Person: Identifiable, Hashable, Codable {
    struct ID: Hashable, Codable {
      let country: String
      let number: Int
    }
    let id: ID
    var name: String
    var salary: Int
  }

  @main struct PeopleWriter {
    static func main() async throws {
      let arguments = CommandLine.arguments
      guard arguments.count == 4, let count = Int(arguments[3]) else { return print("usage: people-writer PATH COUNTRY COUNT") }
      let people: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: arguments[1], key: "people"))
      for number in 1...count {
        try people.add(Person(id: .init(country: arguments[2], number: number), name: "Person \(number)", salary: 100))
        // Everybody has an opinion about Jack; the last one counts.
        try await people.add(Person(id: .init(country: "CH", number: 0), name: "Jack", salary: number)).durable()
      }
      let unwritten = await people.close()
      precondition(unwritten.isEmpty, "Not everything was written.")
    }
  }
#else
  @main struct PeopleWriter {
    static func main() { print("Built without the trait SQLite.") }
  }
#endif
