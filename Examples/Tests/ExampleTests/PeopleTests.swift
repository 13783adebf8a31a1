import Alter
import AlterSQLite
import PeopleCore
import Testing

@Suite("people") struct PeopleTests {
  let jack = Person(PersonID(.sales, 1), "Jack", salary: 2_000)
  let jill = Person(PersonID(.kitchen, 1), "Jill", salary: 3_000)

  @Test("Jack before and after his raise: unequal values of one identity") func identity() {
    let raised = jack.alter(.raise(by: 500))
    #expect(raised.salary == 2_500 && raised != jack)
    #expect(isSameIdentity(jack, raised))
    #expect(!isSameIdentity(jack, jill))
  }

  @Test("An identity is a department and a number: neither alone") func compound() {
    #expect(PersonID(.sales, 1) != PersonID(.kitchen, 1) && PersonID(.sales, 1) != PersonID(.sales, 2))
    #expect(PersonID("sales/1") == PersonID(.sales, 1) && PersonID(.sales, 1).description == "sales/1")
    #expect(["sales", "sales/x", "garage/1", "sales/1/2"].allSatisfy { PersonID($0) == nil })
  }

  @Test("A set keeps Jack twice; an identity array and an identity store keep the latest") func twice() throws {
    let raised = jack.alter(.raise(by: 500))
    #expect(Set([jack, raised]).count == 2)
    #expect(IdentityArray([jack, jill, raised]).all == [raised, jill])
    let store = Store(IdentityArray<Person>())
    try store.add(jack)
    try store.add(jill)
    try store.add(raised)
    #expect(store.all() == [raised, jill])
    #expect(store.latest(of: jack) == raised)
    try store.remove(jack.id)
    #expect(store.all() == [jill])
  }

  @Test("A controller reacts when the identity that it shows changes, and only then") @MainActor func controller() async throws {
    let store = Store(IdentityArray([jack]))
    let (shown, show) = AsyncStream<Person?>.makeStream()
    var iterator = shown.makeAsyncIterator()
    let controller = PersonController(showing: jack.id, of: store) { show.yield($0) }
    for salary in 1...100 { try store.add(Person(jill.id, "Jill", salary: salary)) }
    try store.add(jack)
    try store.add(jack.alter(.raise(by: 500)))
    #expect(await iterator.next() == jack)
    #expect(await iterator.next() == jack.alter(.raise(by: 500)))
    try store.remove(jack.id)
    #expect(await iterator.next() == .some(nil))
    // From now on the controller shows another person.
    controller.show(jill.id)
    try store.add(jack)
    try store.add(jill.alter(.name("Jillian")))
    #expect(await iterator.next()??.salary == 100)
    #expect(await iterator.next()??.name == "Jillian")
  }

  @Test("Two processes share a file: what one changes, the other shows") func processes() async throws {
    let folder = try Folder()
    let file = folder.file("people.alter")
    #expect(try Example.run("people", file, "add", "sales/1", "Jack", "2000") == ["Jack (sales/1) earns 2000"])
    let watching = try Example("people", file, "watch", "sales/1")
    #expect(watching.readLine() == "Jack (sales/1) earns 2000")
    _ = try Example.run("people", file, "add", "kitchen/1", "Jill", "3000")
    _ = try Example.run("people", file, "raise", "sales/1", "500")
    #expect(watching.readLine() == "Jack (sales/1) earns 2500")
    #expect(watching.end() == 0)
    // The output never mentions Jill.
    #expect(watching.lines.count == 2)
    #expect(try Example.run("people", file) == ["Jack (sales/1) earns 2500", "Jill (kitchen/1) earns 3000"])
  }

  @Test("Two processes that write at the same time lose nobody") func together() async throws {
    let folder = try Folder()
    let file = folder.file("people.alter")
    let here: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: file))
    let there = try (1...5).map { try Example("people", file, "add", "kitchen/\($0)", "Jill", "3000") }
    for number in 1...50 { try here.add(Person(PersonID(.sales, number), "Jack", salary: number)) }
    for process in there { #expect(process.end() == 0, "\(process.lines)") }
    _ = await here.close()
    #expect(try Example.run("people", file).count == 55)
  }

  @Test("Two processes that raise Jack at the same time both count") func raises() async throws {
    let folder = try Folder()
    let file = folder.file("people.alter")
    let here: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: file))
    try await here.add(jack).durable()
    let there = try (1...5).map { _ in try Example("people", file, "raise", "sales/1", "500") }
    for _ in 1...50 { try here.change(jack.id, .raise(by: 1)) }
    for process in there { #expect(process.end() == 0, "\(process.lines)") }
    _ = await here.close()
    #expect(try Example.run("people", file) == ["Jack (sales/1) earns 4550"])
  }

  @Test("What makes no sense is said, and changes nothing") func refused() throws {
    let folder = try Folder()
    let file = folder.file("people.alter")
    #expect(
      try Example.run("people", file, "raise", "sales/1", "500", status: 1) == [
        "people: The change was refused: There is no Person 'sales/1'."
      ])
    #expect(try Example.run("people", file, "raise", "sales", "500", status: 1).first?.hasPrefix("people: usage: ") == true)
    #expect(try Example.run("people", folder.file("no/folder"), status: 1).first?.hasPrefix("people: ") == true)
  }

  @Test("The story that it tells by itself ends well") func story() throws {
    let lines = try Example.run("people")
    #expect(lines.contains("A set keeps him twice: [2000, 2500]."))
    #expect(lines.filter { $0.hasPrefix("  shown: ") } == ["  shown: Jack (sales/1) earns 2000", "  shown: Jack (sales/1) earns 2500"])
    #expect(lines.last == "The Jack that we began with: 2000. The latest of him: 2500.")
  }
}
