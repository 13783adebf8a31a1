import AlterCore
import Foundation
import Testing

@Suite("The difference between two values")
struct DifferenceTests {
  struct Item: Identifiable, Hashable {
    let id: Int
    var text: String
    var due: Date?
    var tags: Set<String> = []
  }
  enum Phase: Hashable {
    case idle
    case loading(String, Int)
    case failed(reason: String)
  }
  /// A type without `==`.
  struct Model {
    var items: [Item] = []
    var counts: [String: Int] = [:]
    var phase = Phase.idle
    var plain = [1, 2, 3]
    var pair = (1, "a")
    var nested: [[Item]] = []
  }

  private func lines(_ change: (inout Model) -> Void) -> [String] {
    let old = Model(items: [Item(id: 1, text: "rent"), Item(id: 2, text: "bread"), Item(id: 3, text: "tea")], counts: ["a": 1, "b": 2])
    var new = old
    change(&new)
    return differences(from: old, to: new).map(\.description)
  }

  @Test("is empty for equal values, and names the place and both values otherwise")
  func places() {
    #expect(lines { _ in } == [])
    #expect(lines { $0.items[1].text = "milk" } == [#"items[2].text: "bread" → "milk""#])
    #expect(lines { $0.plain[1] = 5 } == ["plain[1]: 2 → 5"])
    #expect(lines { $0.pair.0 = 2 } == ["pair.0: 1 → 2"])
    #expect(lines { $0.items[0].due = Date(timeIntervalSince1970: 0) } == ["items[1].due: nil → 1970-01-01T00:00:00Z"])
    #expect(lines { $0.items[0].tags = ["x", "home"] } == [#"items[1].tags: added "home""#, #"items[1].tags: added "x""#])
    #expect(differences(from: 1, to: 2).map(\.description) == ["1 → 2"])
  }

  @Test("tells apart two dates of one second, wherever they are")
  func fractions() {
    struct Plan {
      var dates: [Date]
      var byDate: [Date: Int]
      var week: Range<Date>
      var day: ClosedRange<Date>
      var interval: DateInterval
      var due: Date?
    }
    func plan(_ seconds: TimeInterval) -> Plan {
      let (first, last) = (Date(timeIntervalSince1970: seconds), Date(timeIntervalSince1970: 2))
      return Plan(
        dates: [first], byDate: [first: 1], week: first..<last, day: first...last, interval: DateInterval(start: first, end: last),
        due: first)
    }
    let (old, new) = ("1970-01-01T00:00:01Z", "1970-01-01T00:00:01.4Z")
    #expect(
      differences(from: plan(1), to: plan(1.4)).map(\.description) == [
        "dates[0]: \(old) → \(new)", "byDate[\(new)]: added 1", "byDate[\(old)]: removed 1",
        "week.lowerBound: \(old) → \(new)", "day.lowerBound: \(old) → \(new)",
        "interval: \(old) to 1970-01-01T00:00:02Z → \(new) to 1970-01-01T00:00:02Z", "due: \(old) → \(new)",
      ])
    let (week, day) = (plan(1.4).week, plan(1.4).day)
    #expect(
      differences(from: [week], to: []).map(\.description) == ["[0]: removed \(new)..<1970-01-01T00:00:02Z"])
    #expect(
      differences(from: [day], to: []).map(\.description) == ["[0]: removed \(new)...1970-01-01T00:00:02Z"])
    let (fine, finer) = (Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: 0.1.nextUp))
    #expect(
      differences(from: fine, to: finer).map(\.description) == [
        "2001-01-01T00:00:00.1Z → 2001-01-01T00:00:00.10000000000000002Z"
      ])
    #expect(
      differences(from: fine, to: Date(timeIntervalSinceReferenceDate: .infinity)).map(\.description) == [
        "2001-01-01T00:00:00.1Z → inf seconds since 2001"
      ])
  }

  @Test("matches elements by identity: a removal, an addition and a move are one line each")
  func identities() {
    #expect(lines { $0.items.remove(at: 0) } == [#"items[1]: removed Item(id: 1, text: "rent", due: nil, tags: [])"#])
    #expect(
      lines { $0.items.insert(Item(id: 9, text: "jam"), at: 0) } == [#"items[9]: added Item(id: 9, text: "jam", due: nil, tags: [])"#])
    #expect(lines { $0.items.append($0.items.remove(at: 0)) } == ["items[1]: moved from place 0 to 2"])
    #expect(
      lines {
        $0.items.removeLast()
        $0.items[0].text = "RENT"
        $0.items.swapAt(0, 1)
      } == [
        #"items[1].text: "rent" → "RENT""#, #"items[3]: removed Item(id: 3, text: "tea", due: nil, tags: [])"#,
        "items[2]: moved from place 1 to 0",
      ])
  }

  @Test("matches elements by position if two of them have the same id")
  func sharedIDs() {
    #expect(lines { $0.items[1] = Item(id: 1, text: "milk") } == ["items[1].id: 2 → 1", #"items[1].text: "bread" → "milk""#])
    #expect(lines { $0.items.append($0.items[2]) } == [#"items[3]: added Item(id: 3, text: "tea", due: nil, tags: [])"#])
  }

  @Test("keeps the contents as values, and finds parts by their path")
  func parts() throws {
    let old = Model(items: [Item(id: 1, text: "rent")], counts: ["a": 1])
    var new = old
    new.items[0].due = Date(timeIntervalSince1970: 0)
    new.items[0].tags = ["x"]
    let found = partDifferences(from: old, to: new)
    #expect(found.map(\.path) == ["items[1].due", "items[1].tags"])
    #expect(found[0].isAt(orBelow: "items") && found[0].isAt(orBelow: "items[1].due") && !found[0].isAt(orBelow: "items[1].d"))
    #expect(found[0].new.flatMap { unwrapped($0) } as? Date == Date(timeIntervalSince1970: 0))
    #expect(found[1].whole?.new as? Set<String> == ["x"])
    #expect(PartLookup(in: new).parts(at: "items[1].text").map { "\($0)" } == ["rent"])
    #expect(PartLookup(in: new).parts(at: #"counts["a"]"#).count == 1 && PartLookup(in: new).parts(at: "counts[a]").isEmpty)
    #expect(PartLookup(in: Phase.loading("a", 2)).parts(at: "loading.1") as? [Int] == [2])
  }

  @Test("does not hide behind a shortened text")
  func longTexts() {
    struct Text: CustomStringConvertible { let description: String }
    struct Page { let texts: [Text] }
    let long = String(repeating: "x", count: 1_000)
    #expect(differences(from: Text(description: long + "a"), to: Text(description: long + "b")).count == 1)
    #expect(differences(from: Page(texts: [Text(description: long)]), to: Page(texts: [Text(description: long + "b")])).count == 1)
  }

  @Test("between literals and parts of another type: numbers, texts and collections match by their content")
  func matching() {
    #expect(matches(3, UInt8(3)) && matches(3, 3.0) && matches(0.1, Float(0.1)) && matches(Double.nan, Double.nan))
    #expect(!matches(3, UInt8(4)) && !matches(3, 3.5) && !matches(1, true) && !matches("1", 1))
    #expect(matches("a", Substring("a")) && matches(["b", "a"], Set(["a", "b"])) && !matches(["a", "a"], Set(["a", "b"])))
    #expect(matches([1, 2], [1.0, 2.0]) && !matches([2, 1], [1.0, 2.0]) && !matches(Set([1, 2]), [1, 2]))
    #expect(matches(["a": 1], ["a": 1.0]) && !matches(["a": 1], ["b": 1.0]))
    let nothing: Int?? = .some(nil)
    #expect(matches(nothing as Any, Int?.none as Any) && !matches(0, nothing as Any) && matches(3, Int??.some(3) as Any))
    #expect(matches(Model(plain: [1]), Model(plain: [1])) && !matches(Model(plain: [1]), Model(plain: [2])))
  }

  @Test("descends into enum cases and dictionaries")
  func cases() {
    #expect(lines { $0.phase = .loading("a", 1) } == [#"phase: .idle → .loading("a", 1)"#])
    let old = Phase.loading("a", 1)
    #expect(differences(from: old, to: .loading("a", 2)).map(\.description) == ["loading.1: 1 → 2"])
    #expect(differences(from: old, to: Phase.failed(reason: "x")).map(\.description) == [#".loading("a", 1) → .failed(reason: "x")"#])
    #expect(lines { $0.counts = ["b": 3, "c": 4] } == [#"counts["a"]: removed 1"#, #"counts["b"]: 2 → 3"#, #"counts["c"]: added 4"#])
  }

  @Test("is never missed, even where a mirror shows nothing, and never longer than asked for")
  func limits() {
    struct Opaque: Equatable, CustomReflectable {
      var secret: Int
      var customMirror: Mirror { Mirror(self, children: [:]) }
    }
    #expect(differences(from: Opaque(secret: 1), to: Opaque(secret: 2)).count == 1)
    #expect(differences(from: Array(0..<100), to: Array(1..<101), limit: 7).count == 7)
    let long = differences(from: "", to: String(repeating: "x", count: 10_000))
    #expect(long.first?.new?.count == 201)
  }

  private final class Box: Sendable {
    let value: Int
    let next: Box?
    init(_ value: Int, _ next: Box?) { (self.value, self.next) = (value, next) }

    static func chain(_ length: Int, end: Int) -> Box { (0..<length).reduce(Box(end, nil)) { box, _ in Box(0, box) } }
  }

  @Test("of deeply nested values doesn't overflow a small stack")
  func deep() async {
    let found = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      let thread = Thread {
        continuation.resume(
          returning: [20, 1_000].map { length in
            differences(from: Box.chain(length, end: 1), to: Box.chain(length, end: 2)).count
          })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    // The difference does not descend below a depth of 48.
    #expect(found == [1, 0])
  }

  @Test("of nested collections goes all the way down")
  func nested() {
    var old = Model()
    old.nested = [[Item(id: 1, text: "a")], []]
    var new = old
    new.nested[0][0].text = "b"
    #expect(differences(from: old, to: new).map(\.description) == [#"nested[0][1].text: "a" → "b""#])
  }
}
