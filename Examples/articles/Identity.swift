#if Macros
  import Alter
  import AlterSQLite
  import Foundation

  // The second article: identity is not equality, and a store keeps the latest value of each identity.

  // lines: Person and IdentityStore
  struct Person: Identifiable, Codable, Hashable {
    let socialSecurityNumber: String
    let name: String
    let salary: Int

    var id: String { socialSecurityNumber }

    func giveRaise() -> Person { Person(socialSecurityNumber: socialSecurityNumber, name: name, salary: salary + 500) }
  }

  func personStore(in folder: URL) async throws -> IdentityStore<Person> {
    try await .open([], in: .file(folder.path + "/Company.alter", key: "people"))
  }
  // end

  /// The screen of one person: another person opens it afresh, the same one changed is highlighted.
  @MainActor final class PersonScreen {
    private(set) var lines: [String] = []
    private var binding: ViewBinding?

    init(_ store: IdentityStore<Person>, showing id: String) {
      binding = store.bind(id: { $0.values[id: id] }) { [weak self] step in
        switch step {
        case .switched(let person): self?.lines.append("open \(person?.name ?? "nobody")")
        case .changed(let old, let new): self?.lines.append("highlight \(old.salary) → \(new.salary)")
        }
      }
    }
  }

  @MainActor func identity(in folder: URL) async throws {
    let jack = Person(socialSecurityNumber: "123", name: "Jack", salary: 3_000)
    let richer = jack.giveRaise()
    print("equal:", jack == richer, "the same:", isTheSameIdentity(jack, richer), "a set has", Set([jack, richer]).count)

    let store = try await personStore(in: folder)
    let screen = PersonScreen(store, showing: jack.id)
    try store.put(jack)
    try await store.put(richer).durable()  // on the disk: from here on, other stores and processes see it
    print(screen.lines)

    // Another store of the key, as an extension of the app opens it.
    let other = try await personStore(in: folder)
    print(other.latest(jack)?.salary ?? 0)
    try await other.put(richer.giveRaise()).durable()
    for await people in store.values(of: { Array($0.values) }) where people.map(\.salary) == [4_000] { break }
    print(store.latest(jack)?.salary ?? 0)
    await other.close()
    await store.close()
  }
#endif
