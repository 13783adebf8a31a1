import Alter
import AlterSQLite
import Console
import Foundation
import PeopleCore

/// The story of Jack and his raise: old values of him, and his identity.
enum Story {
  static func tell() async throws {
    let jack = Person(PersonID(.sales, 1), "Jack", salary: 2_000)
    let raised = jack.alter(.raise(by: 500))
    say("\(jack). After a raise: \(raised).")
    say("Equal: \(jack == raised). The same identity: \(isSameIdentity(jack, raised)).")
    say("A set keeps him twice: \((Set([jack, raised]).map(\.salary)).sorted()).")
    let people: IdentityArray = [jack, raised]
    say("An identity array keeps the latest: \(people.map(\.salary)).\n")

    let folder = FileManager.default.temporaryDirectory.appending(path: "people-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await share(jack, in: folder.appending(path: "people.alter").path)
  }

  /// Opens an identity store in a file, and starts this program again as a second process.
  @MainActor private static func share(_ jack: Person, in file: String) async throws {
    let store: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: file))
    try await store.add(jack).durable()
    let (shown, show) = AsyncStream<Person?>.makeStream()
    let controller = PersonController(showing: jack.id, of: store) { person in
      say("  shown: \(person.map { "\($0)" } ?? "no person")")
      show.yield(person)
    }
    for words in [["add", "kitchen/1", "Jill", "3000"], ["raise", "kitchen/1", "100"], ["raise", "sales/1", "500"]] {
      say("Another process: people FILE \(words.joined(separator: " "))")
      try another(file, words)
    }
    // The observer receives only Jack's own raise.
    for await person in shown where person?.salary == 2_500 { break }
    say("The latest of every person: \(store.all().map { "\($0.name) \($0.salary)" }.joined(separator: ", ")).")
    say("The Jack that we began with: \(jack.salary). The latest of him: \(store.latest(of: jack)?.salary ?? 0).")
    withExtendedLifetime(controller) {}
    _ = await store.close()
  }

  private static func another(_ file: String, _ words: [String]) throws {
    let process = Process()
    process.executableURL = programFolder.appending(path: "people")
    process.arguments = [file] + words
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
