import Alter
import AlterSQLite
import Foundation
import PeopleCore
import ProcessTesting
import Testing

@Suite("people") struct PeopleTests {
  let jack = Person(PersonID(.sales, 1), "Jack", salary: 2_000)
  let jill = Person(PersonID(.kitchen, 1), "Jill", salary: 3_000)

  @Test("Jack before and after his raise: unequal values of one identity") func identity() {
    let raised = jack.alter(.raise(by: 500))
    #expect(raised.salary == 2_500 && raised != jack)
    #expect(isTheSameIdentity(jack, raised))
    #expect(!isTheSameIdentity(jack, jill))
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
    #expect(store.latest(jack) == raised)
    try store.remove(jack.id)
    #expect(store.all() == [jill])
  }

  @Test("A screen stays for the same person, changed, and begins again for another person") func screen() {
    var screen = PersonScreen()
    screen.show(jack)
    #expect(screen.step == .switched && screen.lines == ["┌ Jack (sales/1)", "│ earns 2000"])
    screen.show(jack.alter(.raise(by: 500)))
    #expect(screen.step == .changed(from: jack) && screen.lines == ["│ earns 2000 ──▶ 2500"])
    screen.show(jack.alter(.name("Jacques"), .raise(by: 500)))
    #expect(screen.lines == ["│ Jack ──▶ Jacques"])
    // Another Jack, with the same name and salary as the shown one: equality would call this no more of a change than the raise was.
    screen.show(Person(PersonID(.sales, 2), "Jacques", salary: 2_500))
    #expect(screen.step == .switched && screen.lines == ["┌ Jacques (sales/2)", "│ earns 2500"])
    screen.show(nil)
    #expect(screen.step == .switched && screen.lines == ["┌ no person"])
  }

  @Test("A controller reacts when the identity that it shows changes, and only then") @MainActor func controller() async throws {
    let store = Store(IdentityArray([jack]))
    let (shown, show) = AsyncStream<PersonScreen>.makeStream()
    var iterator = shown.makeAsyncIterator()
    let controller = PersonController(showing: { [jack] in $0[id: jack.id] }, of: store) { show.yield($0) }
    for salary in 1...100 { try store.add(Person(jill.id, "Jill", salary: salary)) }
    try store.add(jack)
    let raised = jack.alter(.raise(by: 500))
    try store.add(raised)
    let first = await iterator.next(), second = await iterator.next()
    #expect(first?.person == jack && first?.step == .switched)
    #expect(second?.person == raised && second?.step == .changed(from: jack))
    try store.remove(jack.id)
    let third = await iterator.next()
    #expect(third?.person == nil && third?.step == .switched)
    // From now on the controller shows another person.
    controller.show(jill.id)
    try store.add(jack)
    let old = try #require(store.state[id: jill.id])
    try store.add(old.alter(.name("Jillian")))
    let fourth = await iterator.next(), fifth = await iterator.next()
    #expect(fourth?.person == old && fourth?.step == .switched)
    #expect(fifth?.person?.name == "Jillian" && fifth?.step == .changed(from: old))
  }

  @Test("The highest salary: a raise changes the shown person, or brings another one") @MainActor func top() async throws {
    let store = Store(IdentityArray([jack, jill]))
    let (shown, show) = AsyncStream<PersonScreen>.makeStream()
    var iterator = shown.makeAsyncIterator()
    let controller = PersonController(showing: { $0.max { $0.salary < $1.salary } }, of: store) { show.yield($0) }
    #expect(await iterator.next()?.person == jill)
    try store.change(jill.id, .raise(by: 1))
    #expect(await iterator.next()?.step == .changed(from: jill))
    try store.change(jack.id, .raise(by: 5_000))
    #expect(await iterator.next()?.step == .switched)
    #expect(controller.screen.person?.id == jack.id)
  }

  @Test("Two processes share a file: what one changes, the other shows") func processes() async throws {
    let folder = try Folder()
    let file = folder.path("people.alter")
    #expect(try Example.run("people", file, "add", "sales/1", "Jack", "2000") == ["Jack (sales/1) earns 2000"])
    let watching = try Example("people", file, "watch", "sales/1")
    #expect(watching.readLine() == "┌ Jack (sales/1)" && watching.readLine() == "│ earns 2000")
    _ = try Example.run("people", file, "add", "kitchen/1", "Jill", "3000")
    #expect(
      try Example.run("people", file, "raise", "sales/1", "500") == ["Jack (sales/1) earns 2500", "written: Jack (sales/1) earns 2500"])
    // The same person, changed: no new title, and no mention of Jill.
    #expect(watching.readLine() == "│ earns 2000 ──▶ 2500")
    // Another person.
    watching.type("kitchen/1")
    #expect(watching.readLine() == "┌ Jill (kitchen/1)" && watching.readLine() == "│ earns 3000")
    #expect(watching.end() == 0)
    #expect(watching.lines.count == 5)
    #expect(try Example.run("people", file) == ["Jack (sales/1) earns 2500", "Jill (kitchen/1) earns 3000"])
  }

  @Test("Two processes that write at the same time lose nobody") func together() async throws {
    let folder = try Folder()
    let file = folder.path("people.alter")
    let here: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: file))
    let there = try (1...5).map { try Example("people", file, "add", "kitchen/\($0)", "Jill", "3000") }
    for number in 1...50 { try here.add(Person(PersonID(.sales, number), "Jack", salary: number)) }
    for process in there { #expect(process.end() == 0, "\(process.lines)") }
    _ = await here.close()
    #expect(try Example.run("people", file).count == 55)
  }

  @Test(
    "Two processes that raise Jack at the same time both count: each raises the Jack of before, and none is lost",
    .enabled(if: SystemCommand.isExpected("sqlite3"), "SKIPPED: sqlite3 is not installed, so nothing holds the lock"))
  func raises() throws {
    let folder = try Folder()
    let file = folder.path("people.alter")
    _ = try Example.run("people", file, "add", "sales/1", "Jack", "2000")
    let desks = try [Example("people", file, "desk"), Example("people", file, "desk")]
    for desk in desks { #expect(desk.readLine() == "1 people") }
    // While another process holds SQLite's write lock, neither desk can write, and neither sees the raise of the other.
    let lock = try LineProcess([#require(SystemCommand.path("sqlite3")), file], mergesErrors: true)
    lock.say("begin immediate; select 'held';")
    try #require(lock.readLine() == "held", "\(lock.lines)")
    desks[0].type("raise sales/1 500")
    desks[1].type("raise sales/1 250")
    #expect(desks[0].readLine() == "Jack (sales/1) earns 2500")
    #expect(desks[1].readLine() == "Jack (sales/1) earns 2250")
    lock.say("commit;")
    lock.closeInput()
    #expect(lock.child.wait() == 0)
    for desk in desks {
      #expect(desk.readLine()?.hasPrefix("written: ") == true, "\(desk.lines)")
      #expect(desk.end() == 0)
    }
    // The process that lost the race has raised the Jack that the other one left.
    #expect(desks.contains { $0.lines.last == "written: Jack (sales/1) earns 2750" })
    #expect(try Example.run("people", file) == ["Jack (sales/1) earns 2750"])
  }

  @Test("Many raises of Jack in six processes all count") func manyRaises() async throws {
    let folder = try Folder()
    let file = folder.path("people.alter")
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
    let file = folder.path("people.alter")
    #expect(
      try Example.run("people", file, "raise", "sales/1", "500", status: 1) == [
        "people: The change was refused: There is no Person 'sales/1'."
      ])
    #expect(try Example.run("people", file, "raise", "sales", "500", status: 1).first?.hasPrefix("people: usage: ") == true)
    // An amount whose sum would exceed an integer.
    _ = try Example.run("people", file, "add", "sales/1", "Jack", "2000")
    for amount in ["9223372036854775807", "-9223372036854775808", "1000000001"] {
      #expect(try Example.run("people", file, "raise", "sales/1", amount, status: 1).first?.hasPrefix("people: usage: ") == true)
    }
    #expect(try Example.run("people", file) == ["Jack (sales/1) earns 2000"])
    // Without a file, the command is not taken for one.
    for words in [["--help", "desk"], [folder.path("raise"), "sales/1"], [folder.path("watch"), "top"]] {
      #expect(try Example.run("people", words[0], words[1], status: 1).first?.hasPrefix("people: usage: ") == true)
      #expect(!FileManager.default.fileExists(atPath: words[0]))
    }
    #expect(try Example.run("people", folder.path("no/folder"), status: 1).first?.hasPrefix("people: ") == true)
  }

  @Test("A name that another process has stored does not act on the terminal") func hostileName() throws {
    let folder = try Folder()
    let file = folder.path("people.alter")
    _ = try Example.run("people", file, "add", "sales/1", "J\u{1B}[2Jack\n\u{202E}", "2000")
    #expect(try Example.run("people", file) == ["J␛[2Jack␊\u{FFFD} (sales/1) earns 2000"])
  }

  @Test("The story that it tells by itself ends well") func story() throws {
    let lines = try Example.run("people")
    #expect(lines.contains("A set keeps him twice: [2000, 2500]."))
    // Jack's raise changes his screen in place; Jill's raise is not shown, and Jill gets a fresh screen.
    let screens = ["  ┌ Jack (sales/1)", "  │ earns 2000", "  │ earns 2000 ──▶ 2500", "  ┌ Jill (kitchen/1)", "  │ earns 3100"]
    #expect(lines.filter { $0.hasPrefix("  ") } == screens)
    #expect(lines.last == "The Jack that we began with: 2000. The latest of him: 2840.")
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../people/README.md")
    let readme = try String(contentsOf: file, encoding: .utf8)
    #expect(readme.contains(lines.joined(separator: "\n") + "\n```\n"), "the README shows another output")
  }
}
