#if Macros
  import Alter
  import AlterTesting
  import Foundation
  import Testing

  @Suite("A change that depends on the value")
  struct RelativeTests {
    @Alterable struct Person: Identifiable, Hashable {
      let id: Int
      @Changes let salary: Int
      @Default([]) @Changes let tags: Set<String>
      @Default([]) @Changes private(set) var notes: [String]
      @Default(0) @Changes(.by) let visits: UInt8
    }

    @Alterable struct Measures: Hashable {
      @Default(0) @Changes let level: Double
      @Default(constant: Decimal(0)) @Changes let price: Decimal
      @Default(constant: Duration.zero) @Changes(.by) let length: Duration
      @Default(0) @Changes let size: UInt64
      @Default(0) @Changes let small: Int8
    }

    /// A set under another name, of which the macro sees no element.
    typealias Tags = Set<Int>
    @Alterable struct Alias: Hashable {
      @Default([]) @Changes(.adding, .removing) let tags: Tags
    }

    let jack = Person(id: 7, salary: 30)

    @Test("adds to a number, and to a set or an array")
    func forms() throws {
      let richer = try jack.alter(.salary(by: 500), .salary(by: -30), .visits(by: 1))
      #expect(richer.salary == 500 && richer.visits == 1)
      let tagged = try jack.alter(.tags(adding: "a"), .tags(adding: "b"), .tags(adding: "a"), .tags(removing: "b"), .tags(removing: "c"))
      #expect(tagged.tags == ["a"])
      let noted = try jack.alter(
        .notes(adding: "x"), .notes(adding: "y"), .notes(adding: "x"), .notes(removing: "x"), .notes(removing: "z"))
      #expect(noted.notes == ["y"], "each equal element is removed")
      #expect(try jack.alter(.salary(1), .tags(["z"]), .notes([])).tags == ["z"])
      #expect(Alias().alter(.tags(adding: 1), .tags(adding: 2), .tags(removing: 1)).tags == [2])
      // A case that is missing here, or one too many, does not compile.
      let names = [Person.Change.salary(by: 1), .visits(by: 2)].map { change in
        switch change {
        case .salary, .tags, .notes, .tagsAdding, .tagsRemoving, .notesAdding, .notesRemoving: "other"
        case .salaryBy(let amount): "salary by \(amount)"
        case .visitsBy(let amount): "visits by \(amount)"
        }
      }
      #expect(names == ["salary by 1", "visits by 2"])
    }

    @Test("loses nothing of two writers that count at once")
    func twoWriters() async throws {
      let journal = MemoryJournal()
      let first = try await Store.open(jack, in: journal)
      let second = try await Store.open(jack, in: journal)
      var commits: [Commit<Person>] = []
      for number in 1...50 {
        commits.append(try first.change(.salary(by: 1), .tags(adding: "first \(number)")))
        commits.append(try second.change(.salary(by: 1), .tags(adding: "second \(number)")))
        if number % 10 == 0 { for commit in commits { try await commit.durable() } }
      }
      for commit in commits { try await commit.durable() }
      for store in [first, second] {
        for await person in store.values(of: { $0 }) where person.salary == 130 && person.tags.count == 100 { break }
      }
      // A store closes its journal, which is the other one's, too.
      await first.close()
      await second.close()
    }

    @Test("is undone by itself: what others have added stays")
    func undo() async throws {
      let store = try await Store.open(jack, in: MemoryJournal())
      try store.change(.salary(by: 5))
      try store.change(.salary(by: 100), scope: "other")
      try await store.undo()
      #expect(store.state.salary == 130)
      try await store.redo()
      #expect(store.state.salary == 135)
      await store.close()
    }

    @Test("is refused, and does not trap, where the type has no such number")
    func overflow() throws {
      func expectOverflow<Model: Alterable>(_ name: String, _ changes: Model.Change..., of model: Model) where Model.Failure == Refusal {
        #expect(throws: Refusal.custom(code: "overflow", message: "'\(name)' would be out of range.")) { try model.alter(changes) }
      }
      expectOverflow("salary", .salary(by: .max), of: jack)
      expectOverflow("visits", .visits(by: -1), of: jack)
      expectOverflow("visits", .visits(by: 256), of: jack)
      expectOverflow("visits", .visits(by: .min), of: jack)
      let measures = Measures()
      expectOverflow("level", .level(.greatestFiniteMagnitude), .level(by: .greatestFiniteMagnitude), of: measures)
      expectOverflow("level", .level(by: .infinity), of: measures)
      expectOverflow("level", .level(by: .nan), of: measures)
      expectOverflow("price", .price(by: .nan), of: measures)
      expectOverflow("price", .price(.greatestFiniteMagnitude), .price(by: .greatestFiniteMagnitude), of: measures)
      expectOverflow("length", .length(by: .seconds(Int64.max)), .length(by: .seconds(1)), of: measures)
      expectOverflow("length", .length(by: .seconds(Int64.min)), .length(by: .nanoseconds(-1)), of: measures)
      expectOverflow("size", .size(by: -1), of: measures)
      expectOverflow("small", .small(by: 127), .small(by: 1), of: measures)
      let full = try measures.alter(
        .level(by: 0.5), .price(by: Decimal(string: "0.1")!), .price(by: Decimal(string: "0.2")!), .length(by: .milliseconds(1500)),
        .size(by: .max), .size(by: .max), .size(by: 1), .small(by: -128))
      #expect(full.level == 0.5 && full.price == Decimal(string: "0.3") && full.length == .seconds(1.5))
      #expect(full.size == .max && full.small == -128)
    }

    @Test("is stored by its own name, and read by the older names of its property")
    func stored() throws {
      let changes: [Person.Change] = [.salary(5), .salary(by: 5), .tags(adding: "x"), .tags(removing: "x"), .visits(by: -1)]
      let texts = try changes.map { String(decoding: try JournalCoding.encode($0), as: UTF8.self) }
      #expect(
        texts == [#"{"salary":5}"#, #"{"salaryBy":5}"#, #"{"tagsAdding":"x"}"#, #"{"tagsRemoving":"x"}"#, #"{"visitsBy":-1}"#])
      for (change, text) in zip(changes, texts) {
        #expect(try JournalCoding.decode(Person.Change.self, from: Data(text.utf8)) == change)
        #expect(try JSONDecoder().decode(Person.Change.self, from: Data(text.utf8)) == change)
      }
      for (text, change) in [(#"{"due":1}"#, Deadline.Change.due(1)), (#"{"dueDate":2}"#, .due(2)), (#"{"end":3}"#, .due(3))] {
        #expect(try JournalCoding.decode(Deadline.Change.self, from: Data(text.utf8)) == change)
      }
      #expect(try JournalCoding.decode(Deadline.Change.self, from: Data(#"{"endBy":3}"#.utf8)) == .due(by: 3))
      #expect(try JournalCoding.encode(Deadline.Change.due(1)) == Data(#"{"due":1}"#.utf8))
      #expect(try JournalCoding.encode(Deadline(id: 1, dueDate: 2)) == Data(#"{"dueDate":2,"id":1}"#.utf8))
    }

    @Test("obeys the laws of every change")
    func laws() {
      ChangeProperties(of: jack) { _, random in
        switch random.below(7) {
        case 0: .salary(random.below(100))
        case 1: .salary(by: random.oneIn(4) ? .max - random.below(3) : random.below(9) - 4)
        case 2: .tags(adding: "\(random.below(3))")
        case 3: .tags(removing: "\(random.below(3))")
        case 4: .notes(adding: "\(random.below(3))")
        case 5: .notes(removing: "\(random.below(3))")
        default: .visits(by: random.below(40) - 20)
        }
      }
      .rule("a number changes by the amount") { before, change, after in
        if case .salaryBy(let amount) = change { after.salary - before.salary == amount } else { true }
      }
      .check()
    }

    // MARK: - Names, and marked properties

    @Alterable struct Deadline: Identifiable, Hashable {
      let id: Int
      @Renamed(from: "end") @Changes("due") let dueDate: Int
    }

    @Alterable(changing: .marked) struct Document: Identifiable, Hashable {
      let id: Int
      let author: String
      private(set) var pages: Int
      @Changes let title: String
      @Nested("view") let settings: Settings
      @Stamped let altered: Date?
    }

    @Alterable(changing: .marked) package struct Account: Hashable {
      package let owner: String
      @Changes(.by) package private(set) var balance: Int
    }

    @Test("has the name that the model gives it")
    func names() throws {
      #expect(try Deadline(id: 1, dueDate: 2).alter(.due(3), .due(by: 4)).dueDate == 7)
    }

    @Test("is there for marked properties only, if the model says so")
    func marked() throws {
      let document = Document(id: 1, author: "Ann", pages: 3, title: "A", settings: Settings())
      let later = try document.alter(.title("B"), .view(.theme("dark")))
      #expect(later.title == "B" && later.settings.theme == "dark" && later.author == "Ann" && later.pages == 3)
      let names = [Document.Change.title("x"), .view(.fontSize(1))].map { change in
        switch change {
        case .title: "title"
        case .view: "view"
        }
      }
      #expect(names == ["title", "view"])
      let account = try Account(owner: "Ann", balance: 1).alter(.balance(by: 2))
      switch Account.Change.balance(by: 1) {
      case .balanceBy: #expect(account.balance == 3)
      }
      #expect(try JournalCoding.decode(Document.self, from: JournalCoding.encode(later)) == later)
    }
  }
#endif
