#if Macros
  import Alter
  import Foundation
  import ModelsInAnotherModule
  import Testing

  /// Constants and variables of all sizes with gaps between them. Some of them have a size of zero.
  @Alterable struct Gaps<First: Plain, Last: Plain>: Hashable {
    @Fixed let first: First
    let flag: Bool
    let small: UInt16
    let nothing: Nothing
    private(set) var maybe: Bool?
    let byte: Int8
    private(set) var number: Int = 7
    let text: String?
    let side: Side
    let wide: Decimal
    let list, other: [Side]
    let last: Last
    let end: Bool

    /// Not a stored property.
    var isEmpty: Bool { list.isEmpty }
    static var shared: Int { 0 }
    #if os(Linux)
      static var system: String { "Linux" }
    #endif
  }

  typealias Plain = Hashable & Codable & Sendable
  struct Nothing: Hashable, Codable {}
  enum Side: Hashable, Codable, Sendable { case left, right(UInt32), both(String) }

  /// A model with its own initializer, a time, and its own changes.
  @Alterable struct Meter: Identifiable, Hashable {
    let id: Int
    let level: Int
    @Stamped let read: Date?
    @Each let folders: IdentityArray<Folder>

    enum OwnChange: Hashable { case double, drain }

    init(id: Int, level: Int, read: Date? = nil, folders: IdentityArray<Folder> = []) {
      (self.id, self.level, self.read, self.folders) = (id, min(level, 100), read, folders)
    }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .double: try applyGenerated(.level(level * 2), at: stamp)
      case .drain: throw .custom(code: "stuck", message: "It is stuck.")
      }
    }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      try applyGenerated(change, at: stamp)
      if level < 0 { self = Meter(id: id, level: 0, read: read, folders: folders) }
    }
  }

  @Suite("A constant is changed where it is")
  struct FieldsTests {
    private func gaps<First: Plain, Last: Plain>(_ first: First, _ last: Last) -> Gaps<First, Last> {
      Gaps(
        first: first, flag: true, small: 2, nothing: Nothing(), maybe: nil, byte: -5, number: 6, text: "text", side: .both("side"),
        wide: 1.5,
        list: [.left], other: [], last: last, end: true)
    }

    private func check<First: Plain, Last: Plain>(_ first: First, _ last: Last, _ another: Last) throws {
      func holds(_ change: Gaps<First, Last>.Change, _ key: String, _ changed: (Gaps<First, Last>) -> Bool) throws {
        let before = gaps(first, last)
        let after = before.alter(change)
        #expect(changed(after), "\(key)")
        let differing = zip(Mirror(reflecting: before).children, Mirror(reflecting: after).children)
          .filter { String(reflecting: $0.value) != String(reflecting: $1.value) }
        #expect(differing.map(\.0.label) == [key])
        #expect(before == gaps(first, last))
        #expect(try JournalCoding.decode(Gaps<First, Last>.self, from: try JournalCoding.encode(after)) == after)
      }
      try holds(.flag(false), "flag") { !$0.flag }
      try holds(.small(65535), "small") { $0.small == 65535 }
      try holds(.maybe(true), "maybe") { $0.maybe == true }
      try holds(.byte(127), "byte") { $0.byte == 127 }
      try holds(.number(.max), "number") { $0.number == .max }
      try holds(.text(nil), "text") { $0.text == nil }
      try holds(.side(.right(9)), "side") { $0.side == .right(9) }
      try holds(.wide(-3), "wide") { $0.wide == -3 }
      try holds(.list([.both("a long text that is not in place")]), "list") { $0.list.count == 1 }
      try holds(.other([.left, .right(1)]), "other") { $0.other.count == 2 }
      try holds(.last(another), "last") { $0.last == another }
      try holds(.end(false), "end") { !$0.end }
      #expect(gaps(first, last).alter(.nothing(Nothing())) == gaps(first, last))
    }

    @Test("and nothing else is, whatever the types")
    func others() throws {
      try check(UInt8(1), "last", "another")
      try check("first", UInt8(1), 2)
      try check(Nothing(), Double?.none, 0.5)
      try check([1, 2], Date(microseconds: 1), Date(microseconds: 2_000_000))
      try check(gaps(1, 2), gaps(false, "inner"), gaps(true, "inner"))
    }

    @Test("under an initialiser, a time and cases that the model has of its own")
    func ownVocabulary() throws {
      let stamp = Stamp(time: 9, origin: .none, sequence: 1)
      let meter = try Meter(id: 1, level: 60, folders: [Folder(id: 1, name: "a")]).alter([.double, .folder(1, .name("b"))], at: stamp)
      #expect(meter.level == 120, "a change doesn't go through the initialiser")
      #expect(meter.read == Date(microseconds: 9))
      #expect(meter.folders.map(\.name) == ["b"])
      #expect(try meter.alter(.level(-1)) == Meter(id: 1, level: 0, read: Date(microseconds: 9), folders: meter.folders))
      #expect(throws: Refusal.custom(code: "stuck", message: "It is stuck.")) { try meter.alter(.drain) }
      var meters: IdentityArray<Meter> = []
      meters._put(Meter(id: 2, level: 1), at: stamp)
      #expect(meters.map(\.read) == [Date(microseconds: 9)])
    }

    @Test("and stays as it was when the change is refused in the middle")
    func refusal() throws {
      let state = try TodoList(.add(.item(TodoItem(id: id(1), text: "Milk"))), .title("Shop"))
      var changed = state
      let refused = #expect(throws: Refusal.self) {
        try changed.apply(.item(id(2), .text("?")), at: Stamp(time: 1, origin: .none, sequence: 1))
      }
      #expect(refused == .missing(kind: "TodoItem", id: "\(id(2))"))
      #expect(changed == state)
      try changed.apply(.title("Home"), at: .none)
      #expect((state.title, changed.title) == ("Shop", "Home"))
    }

    @Test("by a function that refuses fields of another layout")
    func mismatch() async {
      await #expect(processExitsWith: .failure) {
        struct Three { var (a, b, c) = (1, 2, 3) }
        var pair = (1, 2)
        _withUnsafeFields(of: &pair, as: Three.self) { fields in fields.c = 0 }
      }
    }
  }
#endif
