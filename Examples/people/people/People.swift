// A value has an identity that is independent of its equality.
//
//   people                                 the whole story, with a second process
//   people FILE                            lists everyone
//   people FILE add sales/1 Jack 2000
//   people FILE raise sales/1 500
//   people FILE watch sales/1              shows one person, until the input ends; a line with an identity shows another person
//   people FILE desk                       reads commands from the input: 'raise sales/1 500'
//   people FILE watch top                  shows the person with the highest salary

import Alter
import AlterSQLite
import Console
import PeopleCore

@main struct People {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.popFirst() else { return try await Story.tell() }
    do {
      // A forgotten file or an option is no journal.
      guard !file.hasPrefix("-"), ["add", "raise", "desk", "watch", nil].contains(arguments.first) else { throw Usage() }
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
      guard words.count == 4, let id = PersonID(words[1]), let salary = amount(words[3]) else { throw Usage() }
      let person = Person(id, words[2], salary: salary)
      try await people.add(person).durable()
      say("\(person)")
    case "raise":
      guard words.count == 3, let id = PersonID(words[1]), let amount = amount(words[2]) else { throw Usage() }
      let commit = try people.change(id, .raise(by: amount))
      if let person = people.state[id: id] { say("\(person)") }  // visible at once, here
      try await commit.durable()
      if let person = people.state[id: id] { say("written: \(person)") }
    case "desk":
      say("\(people.state.count) people")
      for await line in inputLines() {
        let words = line.split(separator: " ").map(String.init)
        guard words.first != "desk", words.first != "watch" else { throw Usage() }  // The input has one reader.
        try await run(words, people)
      }
    case "watch":
      guard words.count == 2, let choice = choice(words[1]) else { throw Usage() }
      await watch(choice, people)
    default: throw Usage()
    }
  }

  /// An amount of money. The limit keeps every sum of them far from the limits of an integer.
  private static func amount(_ word: String) -> Int? {
    Int(word).flatMap { (-1_000_000_000...1_000_000_000).contains($0) ? $0 : nil }
  }

  /// The person that the words `top` or `sales/1` choose; nil for other words.
  private static func choice(_ word: String) -> PersonController.Choice? {
    if word == "top" { return { people in people.max { $0.salary < $1.salary } } }
    guard let id = PersonID(word) else { return nil }
    return { $0[id: id] }
  }

  @MainActor private static func watch(_ first: @escaping PersonController.Choice, _ people: Store<IdentityArray<Person>>) async {
    let controller = PersonController(showing: first, of: people, onEnd: { if case .failed(let error) = $0 { say("\(error)") } }) {
      screen in
      for line in screen.lines { say(line) }
    }
    for await line in inputLines() { if let next = choice(line) { controller.show(next) } }
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = "usage: people [FILE [add sales/1 Jack 2000 | raise sales/1 500 | desk | watch sales/1|top]]"
  }
}
