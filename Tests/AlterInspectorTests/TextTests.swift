import AlterJournal
import AlterTesting
import Foundation
import Testing

@testable import AlterInspector

@Suite("The text of a change")
struct ChangeTextTests {
  @Test(
    "reads like the Swift that made it",
    arguments: [
      (#"[{"completed":true}]"#, ".completed(true)"),
      (#"[{"item":{"change":{"completed":true},"id":"7"}}]"#, #".item(id: "7", change: .completed(true))"#),
      (#"[{"due":null}]"#, ".due(nil)"),
      (#"[{"add":{"item":{"id":7,"done":false}}}]"#, ".add(.item(id: 7, done: false))"),
      (#"[{"settings":{"theme":"dark"}}]"#, #".settings(.theme("dark"))"#),
      // The form that Swift synthesizes.
      (#"[{"rename":{"_0":"x"}}]"#, #".rename("x")"#),
      (#"[{"card":{"_0":1,"_1":{"done":{"_0":true}}}}]"#, ".card(1, .done(true))"),
      (#"[{"order":{}}]"#, ".order"),
      (#"[{"price":{"id":1,"price":500}}]"#, ".price(id: 1, price: 500)"),
      (#"[{"wave":{"_1":2,"_0":1,"_10":3}}]"#, ".wave(1, 2, 3)"),
      // Several changes, no change, and JSON that is not a change.
      (#"[{"a":1},{"b":[1,2.5,null]}]"#, ".a(1), .b([1, 2.5, nil])"),
      (#"[]"#, ""),
      (#"[3]"#, "3"),
      (#"[{"two words":1}]"#, #"("two words": 1)"#),
      // Characters that would break a line or control a terminal.
      (#"[{"text":"a\"b\\c\nd\u001b[2J\u009b"}]"#, #".text("a\"b\\c\nd\u{1B}[2J\u{9B}")"#),
    ])
  func reads(_ json: String, _ text: String) throws {
    #expect(ChangeText.changes(try JSONValue(parsing: Data(json.utf8))) == text)
  }

  @Test("is cut short between characters, and never begun beyond the limit")
  func limit() {
    let long = JSONValue.array([["text": .string(String(repeating: "ä", count: 100_000))]])
    let text = ChangeText.changes(long, limit: 50)
    #expect(text.utf8.count <= 53)
    #expect(text.hasSuffix("ä…"))
    let many = JSONValue.array(Array(repeating: ["a": 1], count: 100_000))
    #expect(ChangeText.changes(many, limit: 20) == ".a(1), .a(1), .a(1),…")
  }

  @Test("of what is nested as deep as a journal allows needs no deep stack")
  func deep() throws {
    let json = String(repeating: #"{"a":"#, count: 511) + "1" + String(repeating: "}", count: 511)
    let value = try JSONValue(parsing: Data("[\(json)]".utf8))
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      _ = ChangeText.changes(value)
      _ = ChangeText.value(value)
      let hidden = Hiding(["b"]).apply(to: value)
      _ = StateComparison(hidden, ["a": 1], limit: 5)
      _ = StateComparison(hidden, value, limit: 5)
      _ = StateTree(root: hidden).search("a", limit: 1_000) { false }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
  }

  @Test("and all else hide what is to be hidden, at any depth")
  func hiding() throws {
    let json = #"[{"add":{"item":{"email":{"of":"x"},"id":1,"more":[{"email":"y"}]}}},{"email":"z"},{"email":{"_0":"z"}}]"#
    let shown = Hiding(["email"]).apply(to: try JSONValue(parsing: Data(json.utf8)))
    #expect(ChangeText.changes(shown) == ".add(.item(id: 1, email: •••, more: [(email: •••)])), .email(•••), .email(•••)")
  }
}

@Suite("The difference of two states")
struct ComparisonTests {
  private func differences(_ old: String, _ new: String, limit: Int = 100) throws -> [String] {
    let comparison = StateComparison(try JSONValue(parsing: Data(old.utf8)), try JSONValue(parsing: Data(new.utf8)), limit: limit)
    return comparison.differences.map { "\($0.kind.rawValue) \($0.path) \($0.old ?? "") → \($0.new ?? "")" }
  }

  @Test("names what was added, removed and changed, by its path")
  func members() throws {
    #expect(
      try differences(#"{"a":1,"b":{"c":2},"d":3}"#, #"{"a":1,"b":{"c":4},"e":5}"#) == [
        "changed b.c 2 → 4", "removed d 3 → ", "added e  → 5",
      ])
    #expect(try differences("1", "2") == ["changed state 1 → 2"])
    #expect(try differences(#"{"a":[1]}"#, #"{"a":[1]}"#).isEmpty)
  }

  @Test("knows elements by their id, and says which have moved")
  func identity() throws {
    let old = #"{"items":[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"},{"id":4,"t":"d"}]}"#
    let new = #"{"items":[{"id":4,"t":"d"},{"id":1,"t":"A"},{"id":3,"t":"c"},{"id":"x","t":"e"}]}"#
    #expect(
      try differences(old, new) == [
        "removed items[2] (id: 2, t: \"b\") → ", "moved items[4] 3 → 0", #"changed items[1].t "a" → "A""#,
        "added items[x]  → (id: \"x\", t: \"e\")",
      ])
  }

  @Test("goes by place where there are no ids, and passes over what is the same at both ends")
  func places() throws {
    #expect(try differences("[1,2,3]", "[0,1,2,3]") == ["added [0]  → 0"])
    #expect(try differences("[1,2,3,4]", "[1,4]") == ["removed [1] 2 → ", "removed [2] 3 → "])
    #expect(try differences("[1,2,3]", "[1,5,3]") == ["changed [1] 2 → 5"])
    #expect(try differences("[]", "[1]") == ["added [0]  → 1"])
    // Elements with the same id are compared as if they had none.
    #expect(try differences(#"[{"id":1},{"id":1}]"#, #"[{"id":1}]"#) == ["removed [1] (id: 1) → "])
  }

  @Test("stops when there is enough, and says so")
  func limit() throws {
    let comparison = StateComparison([1, 2, 3], [4, 5, 6], limit: 2)
    #expect(comparison.differences.count == 2)
    #expect(!comparison.isComplete)
  }

  @Test("finds the longest run that stands still, like the plain definition")
  func stillness() {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<300 {
      let numbers = Array(0..<Int.random(in: 0...8, using: &generator)).shuffled(using: &generator)
      let run = StateComparison.longestIncreasing(numbers)
      let kept = numbers.filter(run.contains)
      #expect(kept == kept.sorted())
      var longest = 0
      for mask in 0..<(1 << numbers.count) {
        let chosen = numbers.indices.filter { mask >> $0 & 1 == 1 }.map { numbers[$0] }
        if chosen == chosen.sorted() { longest = max(longest, chosen.count) }
      }
      #expect(kept.count == longest)
    }
  }
}

@Suite("The tree of a state")
struct StateTreeTests {
  private let tree = StateTree(
    root: ["items": [["id": 7, "title": "Milk"], ["id": "x", "title": "Tea"]], "a/b": ["~": 1], "on": true, "none": nil])

  @Test("is opened a node at a time, elements called by their ids")
  func nodes() throws {
    let root = try #require(tree.node(at: "", offset: 0, limit: 10))
    #expect(root.children?.map(\.key) == ["a/b", "items", "none", "on"])
    #expect(root.children?.map(\.kind) == [.object, .array, .null, .bool])
    #expect(root.children?.map(\.path) == ["/a~1b", "/items", "/none", "/on"])
    let items = try #require(tree.node(at: "/items", offset: 1, limit: 1))
    #expect((items.count, items.offset, items.children?.map(\.key)) == (2, 1, ["x"]))
    let item = try #require(tree.node(at: "/items/0", offset: 0, limit: 10))
    #expect(item.key == "7")
    #expect(item.text == #"(id: 7, title: "Milk")"#)
    #expect(tree.node(at: "/a~1b/~0", offset: 0, limit: 1)?.text == "1")
    for path in ["/items/2", "/items/x", "items", "/none/a"] { #expect(tree.node(at: path, offset: 0, limit: 1) == nil) }
  }

  @Test("is searched in keys and values, ignoring case")
  func search() {
    #expect(tree.search("MIL", limit: 5) { false }.found.map(\.path) == ["/items/0/title"])
    #expect(tree.search("title", limit: 5) { false }.found.map(\.path) == ["/items/0/title", "/items/1/title"])
    #expect(tree.search("tru", limit: 5) { false }.found.map(\.key) == ["on"])
    let cut = tree.search("t", limit: 1) { false }
    #expect((cut.found.count, cut.isComplete) == (1, false))
  }
}
