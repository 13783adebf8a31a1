// A process for a test. It adds people to an identity store to which other processes write at the same time.
//
//   people-writer PATH COUNTRY COUNT
//   people-writer heavy PATH COUNT       renames a person COUNT times with names of 8 MiB, reopens, undoes two changes, and prints the used
//   memory
//   people-writer wait PATH COUNT        waits COUNT times for a lock that the test holds, in each of three ways, and prints the remaining
//   resources
//   people-writer few FOLDER             opens stores over a folder until no descriptor is free
//   people-writer shelf PATH COUNT       renames products COUNT times, as an older build of the app
//   people-writer read PATH              opens the store for reading, prints its revision, and again after each line of the input

#if SQLite
  import Alter
  import AlterSQLite
  import StoreTesting

  @main struct PeopleWriter {
    static func main() async throws {
      let arguments = CommandLine.arguments
      if arguments.count == 4, arguments[1] == "wait", let count = Int(arguments[3]) { return try await waitInVain(arguments[2], count) }
      if arguments.count == 4, arguments[1] == "heavy", let count = Int(arguments[3]) {
        return try await renameHeavily(arguments[2], count)
      }
      #if Macros
        if arguments.count == 4, arguments[1] == "shelf", let count = Int(arguments[3]) {
          return try await Shelves.old(SQLiteJournal(at: arguments[2], durability: .relaxed), renaming: count)
        }
      #endif
      if arguments.count == 3, arguments[1] == "few" { return try await useFewDescriptors(arguments[2]) }
      if arguments.count == 3, arguments[1] == "read" { return try await readAgain(arguments[2]) }
      guard arguments.count == 4, let count = Int(arguments[3]) else { return print("usage: people-writer PATH COUNTRY COUNT") }
      let people: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: arguments[1], key: "people"))
      for number in 1...count {
        try people.put(Person(id: .init(country: arguments[2], number: number), name: "Person \(number)", salary: 100))
        // All processes set Jack's salary. The last one counts.
        try await people.put(Person(id: .init(country: "CH", number: 0), name: "Jack", salary: number)).durable()
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
