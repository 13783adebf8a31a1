import Alter
import AlterTesting
import Foundation
import Testing

@Suite("A value as Swift source")
struct SwiftSourceTests {
  struct Item: Hashable {
    var id: Int
    var name: String
    var due: Date?
    fileprivate struct Hidden { var size = 1.5 }
  }

  enum Change: CustomStringConvertible {
    case plain, one(Int), labelled(id: Int), two(Int, String), mixed(Int, to: Item?), `default`, `init`
    indirect case nested(Change)
    var description: String { "hidden" }
  }

  struct ID: SwiftSourceConvertible {
    private let number: Int
    init(_ number: Int) { self.number = number }
    var swiftSource: String { "ID(\(number))" }
  }

  final class Thing {}

  @Test("has a case's own name and labels, whatever its description")
  func enums() {
    #expect(SwiftSource(Change.plain).text == ".plain")
    #expect(SwiftSource(Change.one(-3)).text == ".one(-3)")
    #expect(SwiftSource(Change.labelled(id: 3)).text == ".labelled(id: 3)")
    #expect(SwiftSource(Change.two(1, "x")).text == ".two(1, \"x\")")
    #expect(SwiftSource(Change.mixed(1, to: nil)).text == ".mixed(1, to: nil)")
    #expect(
      SwiftSource(Change.mixed(1, to: Item(id: 2, name: "n"))).text
        == ".mixed(1, to: SwiftSourceTests.Item(id: 2, name: \"n\", due: nil))")
    #expect(SwiftSource(Change.default).text == ".default" && SwiftSource(Change.`init`).text == ".`init`")
    #expect(SwiftSource(Change.nested(.nested(.one(1)))).text == ".nested(.nested(.one(1)))")
  }

  @Test("has texts escaped")
  func texts() {
    #expect(SwiftSource("a\"b\\(c)\n\t\r").text == #""a\"b\\(c)\n\t\r""#)
    #expect(SwiftSource("é 🧀 e\u{301} \u{200B}\u{0}").text == #""é 🧀 e\u{301} \u{200b}\u{0}""#)
    #expect(SwiftSource("sub".dropFirst()).text == "\"ub\"" && SwiftSource(Character("x")).text == "\"x\"")
  }

  @Test("has numbers, collections, tuples, ranges and optionals")
  func standard() {
    #expect(SwiftSource(true).text == "true" && SwiftSource(UInt8(7)).text == "7" && SwiftSource(0.1).text == "0.1")
    #expect(SwiftSource(Double.nan).text == ".nan" && SwiftSource(-Float.infinity).text == "-.infinity")
    #expect(SwiftSource([1, 2]).text == "[1, 2]" && SwiftSource(Set([2, 1])).text == "[1, 2]" && SwiftSource([Int]()).text == "[]")
    #expect(SwiftSource(["b": 1, "a": 2]).text == "[\"a\": 2, \"b\": 1]" && SwiftSource([String: Int]()).text == "[:]")
    #expect(SwiftSource((1, b: "x")).text == "(1, b: \"x\")")
    #expect(SwiftSource(0..<3).text == "(0..<3)" && SwiftSource(1.5...2).text == "(1.5...2.0)")
    #expect(
      SwiftSource(Int?.none).text == "nil" && SwiftSource(Int?.some(1)).text == "1" && SwiftSource(Int??.some(nil)).text == ".some(nil)")
    #expect(SwiftSource(Duration.milliseconds(1_500)).text == "Duration(secondsComponent: 1, attosecondsComponent: 500000000000000000)")
  }

  @Test("has what Foundation's essentials have")
  func foundation() throws {
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect(SwiftSource(id).text == "UUID(uuidString: \"01020304-0506-0708-090A-0B0C0D0E0F10\")!")
    #expect(SwiftSource(Date(timeIntervalSinceReferenceDate: 0.1)).text == "Date(timeIntervalSinceReferenceDate: 0.1)")
    #expect(SwiftSource(try #require(URL(string: "https://a.b/c?d=e"))).text == "URL(string: \"https://a.b/c?d=e\")!")
    #expect(SwiftSource(Identifier<Item, Int>(7)).text == "7" && SwiftSource(Identifier<Item, String>("a")).text == "\"a\"")
    #expect(SwiftSource(Identifier<Item, UUID>?.some(Identifier(id))).text == "Identifier(\(SwiftSource(id).text))")
    #expect(SwiftSource(Identifier<Item, UUID>?.none).text == "nil")
    #expect(SwiftSource(Data([1, 255])).text == "Data([1, 255])")
    #expect(SwiftSource(try #require(Decimal(string: "1.25"))).text == "Decimal(string: \"1.25\")!")
  }

  @Test("has structs by their memberwise initialiser, by names without their module, and Alter's own values")
  func structs() {
    struct Local { var item: Item }
    #expect(SwiftSource(Item.Hidden()).text == "SwiftSourceTests.Item.Hidden(size: 1.5)")
    #expect(SwiftSource(Local(item: Item(id: 1, name: ""))).text == "Local(item: SwiftSourceTests.Item(id: 1, name: \"\", due: nil))")
    #expect(SwiftSource(Optional(Pair(first: 1, second: [Item]()))).text == "Pair<Int, Array<SwiftSourceTests.Item>>(first: 1, second: [])")
    #expect(SwiftSource(Person.all).text == "[Person(id: 1, name: \"Jack\"), Person(id: 2, name: \"Jill\")]")
    #expect(SwiftSource(IdentityArray(Person.all)).text == SwiftSource(Person.all).text)
    #expect(SwiftSource(Revision(3)).text == "3")
    #expect(
      SwiftSource(Stamp.testing(0)).text
        == "Stamp(time: 1600000000000000, origin: Origin(UUID(uuidString: \"00000000-0000-4000-8000-000000000001\")!), sequence: 1, index: 0)"
    )
  }

  @Test("is what a type says itself, and names what can't be written")
  func own() {
    #expect(SwiftSource([ID(1), ID(2)]).text == "[ID(1), ID(2)]")
    let source = SwiftSource((1, Thing(), { 1 }))
    #expect(source.text.hasPrefix("(1, <#SwiftSourceTests.Thing#>, <#") && source.gaps.count == 2)
  }
}

struct Pair<First, Second> {
  var first: First
  var second: Second
}

struct Person: Identifiable, Hashable {
  var id: Int
  var name: String
  static let all = [Person(id: 1, name: "Jack"), Person(id: 2, name: "Jill")]
}
