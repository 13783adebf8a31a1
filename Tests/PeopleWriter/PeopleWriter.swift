// A process for a test: adds people to an identity store that others write at the same time.
//
//   people-writer PATH COUNTRY COUNT
//   people-writer heavy PATH COUNT       renames somebody COUNT times, by names of 8 MiB, opens again, takes two back, and says how much memory that took
//   people-writer wait PATH COUNT        waits COUNT times for a lock that the test holds, in each of three ways, and says what that leaves behind
//   people-writer read PATH              opens it for reading, says where it ends, and again after each line that it is given

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
      if arguments.count == 4, arguments[1] == "wait", let count = Int(arguments[3]) { return try await waitInVain(arguments[2], count) }
      if arguments.count == 4, arguments[1] == "heavy", let count = Int(arguments[3]) {
        return try await renameHeavily(arguments[2], count)
      }
      if arguments.count == 3, arguments[1] == "read" { return try await readAgain(arguments[2]) }
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
