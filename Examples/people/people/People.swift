// A value has an identity that is independent of its equality.
//
//   people                                 the whole story, with a second process
//   people FILE                            lists everyone
//   people FILE add sales/1 Jack 2000
//   people FILE raise sales/1 500
//   people FILE watch sales/1              shows one person, until the input ends

import Alter
import AlterSQLite
import Console
import PeopleCore

@main struct People {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.popFirst() else { return try await Story.tell() }
    do {
      let people: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: file))
      try await run(Array(arguments), people)
      _ = await people.close()
    } catch {
      fail("people: \(error)")
    }
  }

  private static func run(_ words: [String], _ people: Store<IdentityArray<Person>>) async throws {
    switch words.first {
    case nil: for person in people.all() { say("\(person)") }
    case "add":
      guard words.count == 4, let id = PersonID(words[1]), let salary = Int(words[3]) else { throw Usage() }
      let person = Person(id, words[2], salary: salary)
      try await people.add(person).durable()
      say("\(person)")
    case "raise":
      guard words.count == 3, let id = PersonID(words[1]), let amount = Int(words[2]) else { throw Usage() }
      try await people.change(id, .raise(by: amount)).durable()
      if let person = people.state[id: id] { say("\(person)") }
    case "watch":
      guard words.count == 2, let id = PersonID(words[1]) else { throw Usage() }
      try await watch(id, people)
    default: throw Usage()
    }
  }

  @MainActor private static func watch(_ id: PersonID, _ people: Store<IdentityArray<Person>>) async throws {
    let controller = PersonController(showing: id, of: people, onEnd: { if case .failed(let error) = $0 { say("\(error)") } }) { person in
      say(person.map { "\($0)" } ?? "There is no \(id) yet.")
    }
    for await _ in inputLines() {}
    withExtendedLifetime(controller) {}
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = "usage: people [FILE [add sales/1 Jack 2000 | raise sales/1 500 | watch sales/1]]"
  }
}
