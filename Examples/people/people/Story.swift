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
    say("Equal: \(jack == raised). The same identity: \(isTheSameIdentity(jack, raised)).")
    say("A set keeps him twice: \((Set([jack, raised]).map(\.salary)).sorted()).")
    let people: IdentityArray = [jack, raised]
    say("An identity array keeps the latest: \(people.map(\.salary)).")
    say("")

    let folder = FileManager.default.temporaryDirectory.appending(path: "people-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await share(jack, in: folder.appending(path: "people.alter").path)
  }

  /// Opens an identity store in a file, and starts this program again as a second process.
  @MainActor private static func share(_ jack: Person, in file: String) async throws {
    let store: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: file))
    try await store.add(jack).durable()
    let (shown, show) = AsyncStream<PersonScreen>.makeStream()
    let controller = PersonController(showing: { $0[id: jack.id] }, of: store) { screen in
      for line in screen.lines { say("  " + line) }
      show.yield(screen)
    }
    for words in ["add kitchen/1 Jill 3000", "raise kitchen/1 100", "raise sales/1 500"] {
      say("Another process: people FILE \(words)")
      _ = try await another(file, words).value
    }
    // The controller draws only Jack's own raise: the same person, changed.
    for await screen in shown where screen.person?.salary == 2_500 { break }

    say("Now Jill: another person.")
    controller.show(PersonID(.kitchen, 1))
    say("Two processes, at once: people FILE raise sales/1 300, people FILE raise sales/1 40")
    let raises = try [another(file, "raise sales/1 300"), another(file, "raise sales/1 40")]
    for raise in raises { _ = await raise.value }
    for await people in store.values(of: \.self) where people[id: jack.id]?.salary == 2_840 { break }
    say("The latest of every person: \(store.all().map { "\($0.name) \($0.salary)" }.joined(separator: ", ")).")
    say("The Jack that we began with: \(jack.salary). The latest of him: \(store.latest(jack)?.salary ?? 0).")
    withExtendedLifetime(controller) {}
    _ = await store.close()
  }

  /// Starts this program again with words as its arguments.
  ///
  /// - Returns: A task that ends with the process.
  private static func another(_ file: String, _ words: String) throws -> Task<Void, Never> {
    let process = Process()
    process.executableURL = programFolder.appending(path: "people")
    process.arguments = [file] + words.split(separator: " ").map(String.init)
    process.standardOutput = FileHandle.nullDevice
    let (ends, end) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { process in
      if process.terminationStatus != 0 { fail("people \(words): exit status \(process.terminationStatus)") }
      end.finish()
    }
    try process.run()
    return Task { for await _ in ends {} }
  }
}
