import Alter
import AlterCore
import Foundation
import Testing

@testable import AlterTesting

/// A state with parts of many kinds, and changes to any other state.
private struct Room: Alterable, Hashable {
  struct Change: Hashable, SwiftSourceConvertible {
    let room: Room
    var swiftSource: String { ".edit" }
  }
  struct Lamp: Identifiable, Hashable {
    let id: UUID
    var isOn = false
    var colour: String?
  }
  struct Shelf: Identifiable, Hashable {
    let id: String
    var books: [String] = []
  }
  struct Box: Identifiable, Hashable {
    let id: Int
    var label = ""
  }
  enum Phase: Hashable { case idle, loading(String, Int), failed(reason: String) }
  struct Settings: Hashable {
    var theme = "light"
    var size = Size()
    struct Size: Hashable { var width = 1.5 }
  }
  /// A part without `==`.
  struct Note: Sendable {
    var text = ""
    var lines: [Int] = []
  }

  var lamps: IdentityArray<Lamp> = []
  var shelves: IdentityArray<Shelf> = []
  var boxes: [Box] = []
  var phase = Phase.idle
  var settings = Settings()
  var counts: [String: Int] = [:]
  var tags: Set<String> = []
  var name: String?
  var guest: Settings?
  var level: UInt8 = 0
  var numbers: [Int] = []
  var note = Note()
  var time: Int64 = 0

  mutating func apply(_ change: Change, at stamp: Stamp) {
    self = change.room
    if time < 0 { time = stamp.time }
  }

  static func == (left: Room, right: Room) -> Bool {
    left.lamps == right.lamps && left.shelves == right.shelves && left.boxes == right.boxes && left.phase == right.phase
      && left.settings == right.settings && left.counts == right.counts && left.tags == right.tags && left.name == right.name
      && left.guest == right.guest && left.level == right.level && left.numbers == right.numbers && left.note.text == right.note.text
      && left.note.lines == right.note.lines && left.time == right.time
  }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

private enum Door: Alterable, Hashable {
  enum Change: Hashable { case open, close }
  case opened, closed
  mutating func apply(_ change: Change, at stamp: Stamp) { self = change == .open ? .opened : .closed }
}

@Suite("An expectation of parts")
struct ExpectedPartsTests {
  static let first = UUID(uuidString: "00000000-0000-4000-8000-000000000001")!
  static let second = UUID(uuidString: "00000000-0000-4000-8000-000000000002")!
  let clock = TestClock(microseconds: 1_000_000)

  private let room = Room(
    lamps: [Room.Lamp(id: Self.first)], shelves: [Room.Shelf(id: "left"), Room.Shelf(id: "right", books: ["Emma"])],
    boxes: [Room.Box(id: 1, label: "a"), Room.Box(id: 2, label: "b"), Room.Box(id: 3, label: "c")], counts: ["a": 1, "b": 2],
    tags: ["old"], numbers: [1, 2, 3])

  /// The failures of an expectation after an edit.
  private func failures(_ parts: ExpectedParts, _ edit: (inout Room) -> Void) async -> [String] {
    var edited = room
    edit(&edited)
    return await failures(parts, from: room, to: edited)
  }

  private func failures(_ parts: ExpectedParts, from before: Room, to after: Room) async -> [String] {
    let failures = Failures()
    let store = TestStore(before, clock: clock, reporter: failures.reporter)
    store.send(Room.Change(room: after), changing: parts)
    await store.finish()
    return await failures.messages()
  }

  // MARK: - Met

  @Test("is met by nested structs, optionals, enums and numbers of any type, at any depth")
  func values() async {
    #expect(
      await failures(["settings.theme": "dark", "settings.size.width": 2, "level": 7, "name": "x"]) {
        $0.settings.theme = "dark"
        $0.settings.size.width = 2
        $0.level = 7
        $0.name = "x"
      } == [])
    let dark = Room.Settings(theme: "dark", size: Room.Settings.Size(width: 3))
    #expect(await failures(["settings": dark, "guest": dark]) { ($0.settings, $0.guest) = (dark, dark) } == [])
    #expect(await failures(["phase": Room.Phase.loading("a", 1)]) { $0.phase = .loading("a", 1) } == [])
    #expect(await failures([:]) { _ in } == [])
  }

  @Test("names elements by their id, whether that is a number, a text or a UUID")
  func elements() async {
    let lamp = Room.Lamp(id: Self.second, isOn: true)
    #expect(await failures(["lamps[\(Self.first)].isOn": true]) { $0.lamps = [Room.Lamp(id: Self.first, isOn: true)] } == [])
    #expect(await failures(["lamps[\(Self.second)]": lamp]) { $0.lamps = [Room.Lamp(id: Self.first), lamp] } == [])
    #expect(await failures(["lamps[\(Self.first)]": nil]) { $0.lamps = [] } == [])
    #expect(await failures(["lamps": [lamp]]) { $0.lamps = [lamp] } == [])
    func shelves(_ left: [String]) -> IdentityArray<Room.Shelf> {
      [Room.Shelf(id: "left", books: left), Room.Shelf(id: "right", books: ["Emma"])]
    }
    #expect(
      await failures([#"shelves["left"].books"#: ["Dune", "Ulysses"]]) { $0.shelves = shelves(["Dune", "Ulysses"]) } == [])
    #expect(await failures([#"shelves["left"].books[0]"#: "Dune"]) { $0.shelves = shelves(["Dune"]) } == [])
    #expect(await failures(["boxes[2].label": "x"]) { $0.boxes[1].label = "x" } == [])
  }

  @Test("names the values of dictionaries by their key, sets as a whole, and parts without '=='")
  func collections() async {
    #expect(await failures([#"counts["a"]"#: nil, #"counts["c"]"#: 3]) { $0.counts = ["b": 2, "c": 3] } == [])
    #expect(await failures(["counts": ["c": 3]]) { $0.counts = ["c": 3] } == [])
    #expect(await failures(["tags": ["y", "x"]]) { $0.tags = ["x", "y"] } == [])
    #expect(await failures(["tags": Set(["old", "new"])]) { $0.tags.insert("new") } == [])
    #expect(await failures(["note.text": "x", "note.lines[0]": 4]) { $0.note = Room.Note(text: "x", lines: [4]) } == [])
    #expect(await failures(["note": Room.Note(text: "x", lines: [4])]) { $0.note = Room.Note(text: "x", lines: [4]) } == [])
    #expect(await failures(["numbers[1]": 5]) { $0.numbers[1] = 5 } == [])
  }

  @Test("states the order of elements: appended, added elsewhere, and moved")
  func order() async {
    let (new, other) = (Room.Box(id: 8), Room.Box(id: 9))
    #expect(await failures(["boxes[8]": new, "boxes[9]": other]) { $0.boxes += [new, other] } == [])
    #expect(await failures(["boxes[8]": Added(new, at: 0), "boxes[9]": other]) { $0.boxes = [new] + $0.boxes + [other] } == [])
    #expect(await failures(["boxes[3]": Moved(to: 0)]) { $0.boxes.insert($0.boxes.removeLast(), at: 0) } == [])
    #expect(
      await failures(["boxes[3]": Moved(to: 0), "boxes[3].label": "x"]) {
        $0.boxes[2].label = "x"
        $0.boxes.insert($0.boxes.removeLast(), at: 0)
      } == [])
    #expect(await failures(["boxes": [other, new]]) { $0.boxes = [other, new] } == [])
  }

  @Test("names the parts of a new element, optional or case, where a test can't make the whole; all of them but the id and nil")
  func newParts() async {
    let lamp = "lamps[\(Self.second)]"
    func add(_ room: inout Room) { room.lamps = [Room.Lamp(id: Self.first), Room.Lamp(id: Self.second, isOn: true)] }
    #expect(await failures(["\(lamp).isOn": true], add) == [])
    #expect(await failures(["\(lamp).isOn": true, "\(lamp).colour": nil, "\(lamp).id": Self.second], add) == [])
    #expect(await failures(["\(lamp).isOn": false], add).count == 1)
    #expect(await failures(["\(lamp).colour": nil], add).count == 1)
    #expect(
      await failures(["\(lamp).isOn": true]) { $0.lamps = [Room.Lamp(id: Self.second, isOn: true), Room.Lamp(id: Self.first)] }.count == 1)
    #expect(await failures(["guest.theme": "dark", "guest.size.width": 1.5]) { $0.guest = Room.Settings(theme: "dark") } == [])
    #expect(await failures(["guest.theme": "dark"]) { $0.guest = Room.Settings(theme: "dark") }.count == 1)
    #expect(await failures(["phase.loading.0": "a", "phase.loading.1": 2]) { $0.phase = .loading("a", 2) } == [])
    #expect(await failures(["phase.loading.0": "a"]) { $0.phase = .loading("a", 2) }.count == 1)
  }

  @Test("can contain values that depend on the stamp, and computed paths")
  func stamps() async {
    #expect(await failures(["time": Stamped { $0.time }]) { $0.time = -1 } == [])
    #expect(
      await failures(ExpectedParts((1...3).map { ("boxes[\($0)].label", "x") })) { room in
        for index in room.boxes.indices { room.boxes[index].label = "x" }
      } == [])
  }

  @Test("checks answers, undo and redo, too, also from the main actor")
  @MainActor func receiving() async {
    let store = TestStore(
      Desk(items: [1: Desk.Item(name: "a"), 2: Desk.Item(name: "b")]), feedbacks: [.save], in: World(clock: clock.clock), clock: clock)
    await store.receive(inAnyOrder: .saved(2), .saved(1), changing: ["items[1].isSaved": true, "items[2].isSaved": true])
    store.send(.put(3, Desk.Item(name: "c")), changing: ["items[3]": Desk.Item(name: "c")])
    await store.receive(.saved(3), changing: ["items[3].isSaved": true])
    await store.undo(changing: ["items[3]": nil])
    await store.redo(changing: ["items[3]": Desk.Item(name: "c")])
    await store.receive("an answer", matching: { $0 == .saved(3) }, changing: ["items[3].isSaved": true])
    await store.finish()
  }

  @Test("of a part of the effects checks the new values alone")
  func nonExhaustive() async {
    let failures = Failures()
    let store = TestStore(Desk(), reporter: failures.reporter)
    await store.nonExhaustively {
      store.send(.put(1, Desk.Item(name: "a")), .progress(3), changing: ["items[1].name": "a", "ping": nil])
      store.send(.progress(4), changing: ["progress": 5, "items[1].name": "b"])
    }
    await store.finish()
    #expect(
      await failures.messages() == [
        """
        The state after .progress(4) is not the expected one.

          progress
            expected: 5
            actual:   4
          items[1].name
            expected: "b"
            actual:   "a"

        All changes of the state:
          "progress": 4,

        Either the change has an unexpected effect, or the expectation differs from the intended effect.
        """
      ])
  }

  // MARK: - Not met

  @Test("catches a fault in 'apply' that an expectation with 'alter' contains itself")
  func brokenApply() async {
    struct Account: Alterable, Hashable {
      enum Change: Hashable { case pay(Int) }
      private(set) var money = 100
      private(set) var payments = 0
      // The fault: the payment is not subtracted.
      mutating func apply(_ change: Change, at stamp: Stamp) { payments += 1 }
    }
    let old = TestStore(Account())
    old.send(.pay(30)) { $0 = $0.alter(.pay(30)) }
    await old.finish()

    let failures = Failures()
    let store = TestStore(Account(), reporter: failures.reporter)
    store.send(.pay(30), changing: ["money": 70, "payments": 1])
    await store.finish()
    #expect(
      await failures.messages() == [
        """
        The state after .pay(30) is not the expected one.

        Expected to change, but unchanged:
          money
            kept:     100
            expected: 70

        All changes of the state:
          "payments": 1,

        Either the change has an unexpected effect, or the expectation differs from the intended effect.
        """
      ])
  }

  /// The paragraphs of a failure between its first and its last sentence.
  private func middle(_ parts: ExpectedParts, _ edit: (inout Room) -> Void) async -> String {
    let messages = await failures(parts, edit)
    return messages.map { $0.components(separatedBy: "\n\n").dropFirst().dropLast().joined(separator: "\n\n") }.joined(separator: "\n---\n")
  }

  @Test("shows other values, and changes that it does not contain")
  func otherValues() async {
    #expect(
      await middle(["settings": Room.Settings(theme: "grey"), "name": "y", "level": nil]) {
        $0.settings.theme = "dark"
        $0.name = "x"
        $0.level = 2
        $0.phase = .failed(reason: "no network")
        $0.counts["b"] = nil
      } == """
          settings.theme
            expected: "grey"
            actual:   "dark"
          name
            expected: "y"
            actual:   "x"
          level
            expected: nil
            actual:   2

        Changed, but not expected to change:
          phase: .idle → .failed(reason: "no network")
          counts["b"]: removed 2

        All changes of the state:
          "phase": Room.Phase.failed(reason: "no network"),
          "settings.theme": "dark",
          #"counts["b"]"#: nil,
          "name": "x",
          "level": 2,
        """)
  }

  @Test("shows parts that have kept their value, and paths that lie in a changed part or do not exist")
  func unchanged() async {
    let lamp = Room.Lamp(id: Self.second)
    #expect(
      await middle(["level": 0, "boxes[1]": Moved(to: 2), #"shelves["left"].books"#: nil, "box[1].label": "x", "phase.idle": true]) {
        $0.lamps = [Room.Lamp(id: Self.first), lamp]
        $0.shelves = [Room.Shelf(id: "right", books: ["Emma"])]
        $0.boxes[0].label = "x"
      } == """
        Changed, but not expected to change:
          lamps[00000000-0000-4000-8000-000000000002]: added Lamp(id: 00000000-0000-4000-8000-000000000002, isOn: false, colour: nil)
          shelves["left"]: removed Shelf(id: "left", books: [])
          boxes[1].label: "a" → "x"

        Expected to change, but unchanged:
          level
            kept:     0
          boxes[1]: not moved

        Paths without a change of their own:
          shelves["left"].books: shelves["left"] has changed as a whole. Name it instead.
          box[1].label: did you mean 'boxes[1].label'?
          phase.idle: did you mean 'phase'?

        All changes of the state:
          "lamps[00000000-0000-4000-8000-000000000002]": Room.Lamp(id: UUID(uuidString: "00000000-0000-4000-8000-000000000002")!, isOn: false, colour: nil),
          #"shelves["left"]"#: nil,
          "boxes[1].label": "x",
        """)
  }

  @Test("shows elements at another position")
  func otherPlaces() async {
    #expect(
      await middle(["boxes[3]": Moved(to: 1), "boxes[8]": Room.Box(id: 8)]) {
        $0.boxes.insert($0.boxes.removeLast(), at: 0)
        $0.boxes.insert(Room.Box(id: 8), at: 1)
      } == """
          boxes[3]
            expected: at place 1
            actual:   at place 0
          boxes[8]
            expected: at place 3
            actual:   at place 1

        All changes of the state:
          "boxes[8]": Added(Room.Box(id: 8, label: ""), at: 1),
          "boxes[3]": Moved(to: 0),
        """)
    #expect(
      await middle(["boxes[9]": Room.Box(id: 9), "boxes[8]": Room.Box(id: 8)]) { $0.boxes += [Room.Box(id: 8), Room.Box(id: 9)] } == """
          boxes[9]
            expected: at place 3
            actual:   at place 4
          boxes[8]
            expected: at place 4
            actual:   at place 3

        All changes of the state:
          "boxes[8]": Room.Box(id: 8, label: ""),
          "boxes[9]": Room.Box(id: 9, label: ""),
        """)
  }

  @Test("prints sets and arrays of another length as a whole, and types where a literal needs them")
  func lines() async {
    #expect(
      await middle([:]) {
        $0.tags = []
        $0.numbers = [1]
        $0.guest = Room.Settings()
        $0.shelves = []
      } == """
        Changed, but not expected to change:
          shelves["left"]: removed Shelf(id: "left", books: [])
          shelves["right"]: removed Shelf(id: "right", books: ["Emma"])
          tags: removed "old"
          guest: nil → Settings(theme: "light", size: Size(width: 1.5))
          numbers[1]: removed 2
          numbers[2]: removed 3

        All changes of the state:
          #"shelves["left"]"#: nil,
          #"shelves["right"]"#: nil,
          "tags": [] as Set<String>,
          "guest": Room.Settings(theme: "light", size: Room.Settings.Size(width: 1.5)),
          "numbers": [1],
        """)
  }

  @Test("compares long texts to their end, and all differences, however many are shown")
  func limits() async {
    let long = String(repeating: "x", count: 1_000)
    #expect(await middle(["name": long + "a"]) { $0.name = long + "b" }.contains("expected: …xxxxxxxxxxxxxxxxxxxxa\"\n"))
    #expect(await failures(["note.text": long + "a"]) { $0.note.text = long + "b" }.count == 1)
    let labels = (0..<30).map { ("numbers[\($0)]", 7) }
    let numbers = Array(repeating: 7, count: 31)
    #expect(await failures(ExpectedParts(labels)) { $0.numbers = numbers }.count == 1)
    #expect(await middle([:]) { $0.numbers = numbers }.contains("  … and 11 more.\n"))
    #expect(await failures(ExpectedParts(labels + [("numbers[30]", 7)])) { $0.numbers = numbers } == [])
  }

  @Test("does not take a value of another type for the expected one, and names the types then")
  func types() async {
    struct Title: Hashable, CustomStringConvertible {
      let description: String
    }
    #expect(
      await middle(["name": Substring("x"), "level": 3.5]) { ($0.name, $0.level) = ("x", 3) }.hasPrefix("  level\n    expected: 3.5\n"))
    #expect(await failures(["numbers": [1.0, 2.0]]) { $0.numbers = [1, 2] } == [])
    #expect(await failures(["numbers": Set([1, 2])]) { $0.numbers = [1, 2] }.count == 1)
    #expect(await failures(["phase": ".idle"]) { $0.phase = .failed(reason: "") }.count == 1)
    #expect(
      await middle(["phase": Phase.failed(reason: "x")]) { $0.phase = .failed(reason: "x") }.hasPrefix(
        """
          phase
            expected: .failed(reason: "x") (ExpectedPartsTests.Phase)
            actual:   .failed(reason: "x") (Room.Phase)
        """))
  }

  private enum Phase: Hashable { case failed(reason: String) }

  @Test("that is wrong is reported at the line of the call")
  func place() async {
    let failures = Failures()
    let store = TestStore(Desk(), reporter: failures.reporter)
    let line: UInt = #line + 1
    store.send(.progress(3), changing: ["progress": 4])
    await store.finish()
    #expect(await failures.all().map(\.place.line) == [line])
  }

  @Test("of a whole state has the empty path")
  func wholeState() async {
    let failures = Failures()
    let store = TestStore(Door.closed, reporter: failures.reporter)
    store.send(.open, changing: ["": Door.opened])
    store.send(.close, changing: [:])
    await store.finish()
    #expect(
      await failures.messages() == [
        """
        The state after .close is not the expected one.

        Changed, but not expected to change:
          the state: .opened → .closed

        All changes of the state:
          "": Door.closed,

        Either the change has an unexpected effect, or the expectation differs from the intended effect.
        """
      ])
  }

  @Test("does not take an element that doubles an id for a changed one")
  func doubledID() async {
    let double = Room.Box(id: 2, label: "x")
    func start() -> Room { Room(boxes: [Room.Box(id: 1), Room.Box(id: 2)]) }
    var doubled = start()
    doubled.boxes.append(double)
    #expect(await failures(["boxes[2]": double], from: start(), to: doubled).count == 1)
    #expect(await failures(["boxes": doubled.boxes], from: start(), to: doubled) == [])
  }

  @Test("prints literals that fit: of identifiers, characters, large numbers and infinity; a raw value matches an identifier")
  func literals() {
    #expect(matches(7, Identifier<Room, Int>(7)) && matches(["a"], [Identifier<Room, String>("a")]) && matches("a", "a" as Character))
    #expect(!matches(Identifier<Door, Int>(7), Identifier<Room, Int>(7)))
    #expect(SwiftSource.argument(Identifier<Int, UUID>(Self.first)).hasPrefix("Identifier<Int, UUID>(UUID("))
    #expect(SwiftSource.argument([Identifier<Int, Int>(1)]) == "[1] as [Identifier<Int, Int>]")
    #expect(SwiftSource.argument(["a" as Character]) == #"["a"] as [Character]"#)
    #expect(SwiftSource.argument([Double.infinity]) == "[.infinity] as [Double]" && SwiftSource.argument([1.5]) == "[1.5]")
    #expect(SwiftSource.argument(UInt64.max) == "18446744073709551615 as UInt64" && SwiftSource.argument(UInt64(3)) == "3")
  }

  @Test("compares ranges by their bounds, however many elements they have")
  func ranges() {
    struct Page: Equatable { var rows = 0...3 }
    let page = Page(rows: 0...Int.max)
    #expect(PartsComparison(from: Page(), to: page, expecting: ["rows": 0...Int.max], at: .none).deviations == [])
    #expect(PartsComparison(from: Page(), to: page, expecting: [:], at: .none).lines == [#""rows.upperBound": 9223372036854775807,"#])
  }

  @Test("that one state meets is met by no other state", arguments: 1...8 as ClosedRange<UInt64>)
  func soundness(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    func number(_ limit: Int) -> Int { random.below(limit) }
    /// Edits some parts, with few values, so that different states have many parts in common.
    func edited(_ room: Room) -> Room {
      var room = room
      for _ in 0...number(3) {
        switch number(12) {
        case 0: room.boxes.shuffle(using: &random)
        case 1: room.boxes.insert(Room.Box(id: 10 + number(100)), at: number(room.boxes.count + 1))
        case 2: if !room.boxes.isEmpty { room.boxes.remove(at: number(room.boxes.count)) }
        case 3: if !room.boxes.isEmpty { room.boxes[number(room.boxes.count)].label = ["a", "b", "x"][number(3)] }
        case 4: room.phase = [.idle, .loading("a", number(2)), .failed(reason: "x")][number(3)]
        case 5: room.counts[["a", "b", "c"][number(3)]] = number(2) == 0 ? nil : number(3)
        case 6: room.tags.formSymmetricDifference([["old", "x", "y"][number(3)]])
        case 7: room.guest = [nil, Room.Settings(), Room.Settings(theme: "dark")][number(3)]
        case 8: room.numbers = Array(room.numbers.prefix(number(4))) + (number(2) == 0 ? [number(3)] : [])
        case 9: room.note = Room.Note(text: ["", "x"][number(2)], lines: [number(2)])
        case 10: room.shelves = [Room.Shelf(id: "right", books: ["Emma", "Dune"].suffix(number(3)) + []), Room.Shelf(id: "left")]
        default: (room.name, room.settings.theme) = ([nil, "", "x"][number(3)], ["light", "dark"][number(2)])
        }
      }
      return room
    }
    for _ in 0..<10 {
      let (before, after) = (edited(room), edited(room))
      let parts = expectation(from: before, to: after)
      #expect(await failures(parts, from: before, to: after) == [])
      for _ in 0..<5 {
        let other = edited(after)
        if other != after { #expect(await failures(parts, from: before, to: other).count == 1, "\(parts)\n\(after)\n\(other)") }
      }
    }
  }

  /// The expectation that describes the differences of two states.
  private func expectation(from before: Room, to after: Room) -> ExpectedParts {
    var parts: [(String, (any Sendable)?)] = []
    // All parts of a room are sendable, which a cast cannot see.
    func sendable(_ value: Any) -> any Sendable { unsafeBitCast(value as Any, to: (any Sendable).self) }
    for difference in partDifferences(from: before, to: after) {
      if let whole = difference.whole {
        let path = whole.steps.joined()
        if !parts.contains(where: { $0.0 == path }) { parts.append((path, sendable(whole.new))) }
        continue
      }
      switch difference.kind {
      case .content: parts.append((difference.path, difference.new.flatMap { unwrapped($0) }.map { sendable($0) }))
      case .insertion(let place): parts.append((difference.path, Added(sendable(difference.new!), at: place)))
      case .move(_, let place): parts.append((difference.path, Moved(to: place)))
      }
    }
    return ExpectedParts(parts)
  }
}
