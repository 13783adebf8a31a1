import Alter
import Testing

/// The page "Article: identity is not equality".
enum ArticlePages001 {
  typealias Person = IdentityGuide.Person

  /// The article's shape in plain Swift, without Alter.
  enum Shape {
    // snippet: article-001-shape-identity
    struct IdentifiableBy<T>: Hashable { let value: Int }

    struct Person: Identifiable, Hashable {
      let id: IdentifiableBy<Person>
      let name: String
      let salary: Int

      func giveRaise() -> Person { Person(id: id, name: name, salary: salary + 500) }
      func isTheSameIdentity(as other: Person) -> Bool { id == other.id }
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
          isHighlighted = oldValue.map { person.isTheSameIdentity(as: $0) } ?? false
        }
      }
    }
    // end

    struct IdentitySet<Element: Identifiable> {
      private var latest: [Element.ID: Element] = [:]
      var all: [Element] { Array(latest.values) }
      func latest(of element: Element) -> Element? { latest[element.id] }
      mutating func insert(_ element: Element) { latest[element.id] = element }
      mutating func remove(_ element: Element) { latest[element.id] = nil }
    }

    final class Store<Element: Identifiable> {
      private var identities = IdentitySet<Element>()
      var all: [Element] { identities.all }
      func add(_ element: Element) { identities.insert(element) }
      func remove(_ element: Element) { identities.remove(element) }
      func latest(of element: Element) -> Element? { identities.latest(of: element) }
    }
  }

  // snippet: article-001-screen
  /// The screen's reaction to a person, after another value or none.
  enum Transition: Equatable {
    case open(Person)  // another person
    case highlight(Person)  // the same person, changed
    case none

    init(from shown: Person?, to person: Person) {
      guard let shown, isSameIdentity(shown, person) else {
        self = .open(person)
        return
      }
      self = shown == person ? .none : .highlight(person)
    }
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
  struct Tests {
    let jack = Person("Stage", 7, name: "Jack", salary: 3_000)

    @Test("tells Jack from another person in the article's shape and in ours")
    func raise() {
      plainRaise()
      // snippet: article-001-raise
      let richer = jack.alter(.raise(by: 500))
      #expect(richer != jack)
      #expect(isSameIdentity(richer, jack))
      #expect(Set([jack, richer]).count == 2)
      // end

      let badge = Badge(id: Badge.ID(house: "opera", number: 7), owner: jack.id)
      #expect(badge.id != Badge.ID(house: "cinema", number: 7))
    }

    func plainRaise() {
      let jack = Shape.Person(id: Shape.IdentifiableBy(value: 7), name: "Jack", salary: 3_000)
      // snippet: article-001-shape-raise
      let richer = jack.giveRaise()
      #expect(richer != jack)
      #expect(richer.isTheSameIdentity(as: jack))
      #expect(Set([jack, richer]).count == 2)
      // end
    }

    @Test("opens the page of another person, and highlights the change of the shown one")
    func screen() {
      let plain = Shape.Screen()
      let first = Shape.Person(id: Shape.IdentifiableBy(value: 7), name: "Jack", salary: 3_000)
      plain.person = first
      #expect(plain.title == "Jack: 3000" && !plain.isHighlighted)
      plain.person = first.giveRaise()
      #expect(plain.title == "Jack: 3500" && plain.isHighlighted)

      let richer = jack.alter(.raise(by: 500))
      let jill = Person("Stage", 8, name: "Jill", salary: 3_000)
      // snippet: article-001-transitions
      #expect(Transition(from: nil, to: jack) == .open(jack))
      #expect(Transition(from: jack, to: richer) == .highlight(richer))
      #expect(Transition(from: richer, to: jill) == .open(jill))
      #expect(Transition(from: jill, to: jill) == .none)
      // end
    }

    @Test("keeps the latest value of an identity in the article's shape and in ours")
    func latest() throws {
      plainLatest()
      let richer = jack.alter(.raise(by: 500))
      // snippet: article-001-set
      var staff: IdentityArray = [jack]
      staff.add(richer)
      #expect(Array(staff) == [richer])
      // end

      // snippet: article-001-store
      let store = Store<IdentityArray<Person>>([])
      try store.add(jack)
      try store.add(richer)
      #expect(store.latest(of: jack) == richer)
      #expect(store.all() == [richer])
      try store.remove(jack)
      // end
      #expect(store.all().isEmpty)
    }

    func plainLatest() {
      typealias IdentitySet = Shape.IdentitySet
      typealias Store = Shape.Store
      typealias Person = Shape.Person
      let jack = Person(id: Shape.IdentifiableBy(value: 7), name: "Jack", salary: 3_000)
      let richer = jack.giveRaise()
      // snippet: article-001-shape-set
      var staff = IdentitySet<Person>()
      staff.insert(jack)
      staff.insert(richer)
      #expect(staff.all == [richer])
      // end

      // snippet: article-001-shape-store
      let store = Store<Person>()
      store.add(jack)
      store.add(richer)
      #expect(store.latest(of: jack) == richer)
      store.remove(jack)
      // end
      #expect(store.all.isEmpty)
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
      try await app.add(raised.alter(.raise(by: 500))).durable()
      try await widget.add(raised.alter(.raise(by: 100))).durable()
      for await salary in app.values(of: { $0[id: jack.id]?.salary }) where salary == 3_700 { break }
      #expect(widget.latest(of: jack)?.salary == 3_700)
      await app.close()
      await widget.close()
    }
  }
}
