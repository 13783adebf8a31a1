import Alter
import ProcessTesting
import Testing

#if SQLite
  import AlterSQLite
#endif

/// The page "Article: identity is not equality".
enum ArticlePages001 {
  typealias Person = IdentityGuide.Person

  /// The article's shape in plain Swift, without Alter.
  enum Shape {
    // snippet: article-001-shape-identity
    protocol IdentifiableBy<ID> {
      associatedtype ID: Hashable
      var identifier: ID { get }
    }

    static func isTheSameIdentity<ID>(_ one: some IdentifiableBy<ID>, _ other: some IdentifiableBy<ID>) -> Bool {
      one.identifier == other.identifier
    }

    struct Person: IdentifiableBy, Hashable {
      let socialSecurityNumber: String
      let name: String
      let salary: Int

      var identifier: String { socialSecurityNumber }

      func giveRaise() -> Person { Person(socialSecurityNumber: socialSecurityNumber, name: name, salary: salary + 500) }
    }
    // end

    // snippet: article-001-shape-screen
    final class Screen {
      private(set) var title = ""
      private(set) var isHighlighted = false

      var person: Person? {
        didSet {
          guard let person, person != oldValue else { return }
          title = "\(person.name): \(person.salary)"
          isHighlighted = oldValue.map { isTheSameIdentity(person, $0) } ?? false
        }
      }
    }
    // end

    struct IdentitySet<Element: IdentifiableBy> {
      private var latest: [Element.ID: Element] = [:]
      var all: [Element] { Array(latest.values) }
      func latest(_ element: Element) -> Element? { latest[element.identifier] }
      mutating func add(_ element: Element) { latest[element.identifier] = element }
      mutating func remove(_ element: Element) { latest[element.identifier] = nil }
    }

    /// All stores with one key have the same values, as the article's have by the file under them.
    final class IdentityStore<Element: IdentifiableBy> {
      private let key: String
      private let disk: Disk
      init(key: String, disk: Disk) { (self.key, self.disk) = (key, disk) }
      private var identities: IdentitySet<Element> {
        get { disk.values[key] as? IdentitySet<Element> ?? IdentitySet() }
        set { disk.values[key] = newValue }
      }
      var all: [Element] { identities.all }
      func latest(_ element: Element) -> Element? { identities.latest(element) }
      func add(_ element: Element) { identities.add(element) }
      func remove(_ element: Element) { identities.remove(element) }
    }

    final class Disk { var values: [String: Any] = [:] }
  }

  // snippet: article-001-plain
  struct Employee: Identifiable, Codable, Equatable {
    let socialSecurityNumber: String
    let name: String
    let salary: Int

    var id: String { socialSecurityNumber }

    func giveRaise() -> Employee { Employee(socialSecurityNumber: socialSecurityNumber, name: name, salary: salary + 500) }
  }
  // end

  // snippet: article-001-badge
  struct Badge: Identifiable, Hashable, Codable {
    struct ID: Hashable, Codable, Sendable {  // compound, of parts with types of their own
      let house: Identifier<House, String>
      let number: Int
    }

    let id: ID
    var owner: Person.ID
  }

  struct House: Identifiable, Hashable, Codable {
    let id: Identifier<House, String>
  }
  // end

  @Suite("The article page on identity")
  struct ArticleIdentityTests {
    let jack = Person("Stage", 7, name: "Jack", salary: 3_000)

    @Test("tells Jack from another person in the article's shape and in ours")
    func raise() {
      plainRaise()
      // snippet: article-001-raise
      let richer = jack.alter(.raise(by: 500))
      #expect(richer != jack)
      #expect(isTheSameIdentity(richer, jack))
      #expect(Set([jack, richer]).count == 2)
      // end

      let badge = Badge(id: Badge.ID(house: "opera", number: 7), owner: jack.id)
      #expect(badge.id != Badge.ID(house: "cinema", number: 7))
    }

    func plainRaise() {
      func isTheSameIdentity(_ one: Shape.Person, _ other: Shape.Person) -> Bool { Shape.isTheSameIdentity(one, other) }
      let jack = Shape.Person(socialSecurityNumber: "7", name: "Jack", salary: 3_000)
      // snippet: article-001-shape-raise
      let richer = jack.giveRaise()
      #expect(richer != jack)
      #expect(isTheSameIdentity(richer, jack))
      #expect(Set([jack, richer]).count == 2)
      // end
    }

    @Test("opens the page of another person, and highlights the change of the shown one") @MainActor
    func screen() throws {
      let plain = Shape.Screen()
      let first = Shape.Person(socialSecurityNumber: "7", name: "Jack", salary: 3_000)
      plain.person = first
      #expect(plain.title == "Jack: 3000" && !plain.isHighlighted)
      plain.person = first.giveRaise()
      #expect(plain.title == "Jack: 3500" && plain.isHighlighted)

      let jill = Person("Stage", 8, name: "Jill", salary: 3_200)
      var (title, highlighted) = ("", false)
      let store = Store<IdentityArray<Person>>([jack])
      // snippet: article-001-screen
      let binding = store.bind(id: { people in people.max { $0.salary < $1.salary } }) { step in
        switch step {
        case .switched(let person): (title, highlighted) = (person?.name ?? "", false)
        case .changed(let old, let person): highlighted = person.salary != old.salary
        }
      }
      #expect(title == "Jack" && !highlighted)
      try store.change(jack.id, .raise(by: 100))  // the same one, changed
      #expect(title == "Jack" && highlighted)
      try store.put(jill)  // another one: she earns more
      #expect(title == "Jill" && !highlighted)
      // end
      binding.cancel()
    }

    @Test("keeps the latest value of an identity in the article's shape and in ours")
    func latest() throws {
      plainLatest()
      let richer = jack.alter(.raise(by: 500))
      // snippet: article-001-set
      var staff: IdentityArray = [jack]
      staff.put(richer)
      #expect(Array(staff) == [richer])
      // end

      // snippet: article-001-store
      let store = Store<IdentityArray<Person>>([])
      try store.put(jack)
      try store.put(richer)
      #expect(store.latest(jack) == richer)
      #expect(store.all() == [richer])
      try store.remove(jack)
      // end
      #expect(store.all().isEmpty)
    }

    #if SQLite
      @Test("a second store sees the values of the first one, once they are durable")
      func twoStores() async throws {
        let folder = try Folder()
        let path = folder.path("company.alter")
        let jack = Employee(socialSecurityNumber: "7", name: "Jack", salary: 3_000)
        // snippet: article-001-two-stores
        func personStore() async throws -> IdentityStore<Employee> {
          try await .open([], in: .file(path, key: "people"))  // or .app("Company", key: "people"), or .group(…)
        }

        let store = try await personStore()
        try await store.put(jack).durable()  // without the word, the next line may come too early
        #expect(try await personStore().latest(jack) == jack)
        try store.put(jack.giveRaise())
        #expect(store.latest(jack)?.salary == 3_500)  // in this store, at once
        // end
        await store.close()
      }
    #endif

    func plainLatest() {
      typealias IdentitySet = Shape.IdentitySet
      typealias IdentityStore = Shape.IdentityStore
      typealias Person = Shape.Person
      let jack = Person(socialSecurityNumber: "7", name: "Jack", salary: 3_000)
      let richer = jack.giveRaise()
      let disk = Shape.Disk()
      func personStore() -> IdentityStore<Person> { IdentityStore(key: "people", disk: disk) }
      // snippet: article-001-shape-set
      var staff = IdentitySet<Person>()
      staff.add(jack)
      staff.add(richer)
      #expect(staff.all == [richer])
      // end

      // snippet: article-001-shape-store
      personStore().add(jack)
      personStore().add(richer)
      #expect(personStore().latest(jack) == richer)
      personStore().remove(jack)
      // end
      #expect(personStore().all.isEmpty)
    }

    @Test("loses no raise of two writers that change Jack, and one of two that replace him")
    func writers() async throws {
      let journal = MemoryJournal()
      // snippet: article-001-writers
      let app = try await Store<IdentityArray<Person>>.open([jack], in: journal)
      let widget = try await Store<IdentityArray<Person>>.open([jack], in: journal)

      let first = try app.change(jack.id, .raise(by: 500))
      let second = try widget.change(jack.id, .raise(by: 100))  // the later one is made on top of the earlier
      // end
      try await first.durable()
      try await second.durable()
      // snippet: article-001-both
      for await salary in app.values(of: { $0[id: jack.id]?.salary }) where salary == 3_600 { break }  // both raises
      // end
      for await salary in widget.values(of: { $0[id: jack.id]?.salary }) where salary == 3_600 { break }

      // Two whole values instead: the one that the journal has last is Jack's value, and the other raise is lost.
      let raised = try #require(app.state[id: jack.id])
      try await app.put(raised.alter(.raise(by: 500))).durable()
      try await widget.put(raised.alter(.raise(by: 100))).durable()
      for await salary in app.values(of: { $0[id: jack.id]?.salary }) where salary == 3_700 { break }
      #expect(widget.latest(jack)?.salary == 3_700)
      await app.close()
      await widget.close()
    }
  }
}
