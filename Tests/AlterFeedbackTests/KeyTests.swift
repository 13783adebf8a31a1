import Alter
import AlterCore
import Foundation
import Testing

@testable import AlterFeedback

@Suite("The key of an effect")
struct KeyTests {
  private let entry = EntryID(origin: Origin(UUID(uuidString: "1F0C9A3E-5F0B-4C8E-9D2A-0B6F1F6C2A11")!), sequence: 7)
  private let prefix = "save/1f0c9a3e-5f0b-4c8e-9d2a-0b6f1f6c2a11-7"

  @Test("of an optional identifier tells none from the text 'none'")
  func optionalIdentifiers() {
    #expect(RequestText.id(Identifier<Int, String>?.none) != RequestText.id(Identifier<Int, String>?.some("none")))
    #expect(RequestText.id(Identifier<Int, Int>(7)) == "7")
  }

  private func key(_ subject: String, _ feedback: String = "save") -> String {
    IdempotencyKey(feedback: feedback, entry: entry, subject: subject).description
  }

  private func isSafe(_ key: String) -> Bool { key.utf8.count <= 250 && key.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  @Test("of a simple id is that id as it is, and of a feedback for one request has no subject")
  func simple() {
    let uuid = UUID()
    #expect(key("") == prefix)
    #expect(key(RequestText.id(uuid)) == "\(prefix)/\(uuid.uuidString)")
    #expect(key(RequestText.values(of: uuid)) == "\(prefix)/\(uuid.uuidString)")
    #expect(key(RequestText.id(42)) == "\(prefix)/42" && key(RequestText.id(-1)) == "\(prefix)/-1")
    #expect(key(RequestText.values(of: 42)) == "\(prefix)/42")
    let date = Date(timeIntervalSinceReferenceDate: 1)
    #expect(RequestText.id(date) == "1.0" && RequestText.id(date) == RequestText.values(of: date))
    #expect(RequestText.id(date + 0.4) != RequestText.id(date), "two dates of one second")
    enum Owner {}
    let identifier = Identifier<Owner, UUID>(uuid)
    #expect(RequestText.id(identifier) == uuid.uuidString && RequestText.values(of: identifier) == uuid.uuidString)
    #expect(key(RequestText.id("an-id_of.text~1")) == "\(prefix)/an-id_of.text~1")
    #expect(key(RequestText.id(Revision(9))) == "\(prefix)/9" && key(RequestText.values(of: Revision(9))) == "\(prefix)/9")
  }

  @Test("fits a header field, whatever the id holds: line ends, control characters, other scripts, slashes")
  func safe() {
    #expect(key("a\r\nX-Admin: yes") == "\(prefix)/a%0D%0AX-Admin%3A%20yes")
    #expect(key("ä/b") == "\(prefix)/%C3%A4%2Fb")
    #expect(key("1", "save all\n") == "save%20all%0A/1f0c9a3e-5f0b-4c8e-9d2a-0b6f1f6c2a11-7/1")
    for text in ["\0", "\r", "\n", "\u{7F}", "日本", "👩‍👩‍👧", "%", "\"", "a\tb"] { #expect(isSafe(key(text, text))) }
    // Two different pairs of name and subject never have the same key.
    #expect(key("b/c", "a") != key("c", "a/b"))
    #expect(key("1", "save") != key("1", "send"))
    // A text that was escaped differs from one that already contained the escape.
    #expect(key("%0A") != key("\n"))
  }

  @Test("of a long subject or name is a hash of it, at most 250 characters in all")
  func long() {
    let limit = String(repeating: "x", count: 128)
    #expect(key(limit) == "\(prefix)/\(limit)")
    let hashed = key(limit + "x")
    // Computed by OpenSSL's SipHash, independently of this code.
    #expect(hashed == "\(prefix)/hash:d9f0451bb0e293d4894b7bc41081bc29")
    #expect(key(limit + "y") != hashed && key(limit + "y").count == hashed.count)
    // The length is measured after escaping.
    #expect(key(String(repeating: "\n", count: 43)).hasPrefix("\(prefix)/hash:"))
    // A subject that equals the text of a hash has another key than the hash itself.
    #expect(key(String(hashed.dropFirst(prefix.count + 1))) != hashed)
    let name = String(repeating: "n", count: 65)
    #expect(key("", name).hasPrefix("hash:") && key("", name) != key("", name + "n"))
    #expect(isSafe(key(String(repeating: "日", count: 100_000), String(repeating: "\r", count: 1_000))))
    let longest = IdempotencyKey(
      feedback: String(repeating: "n", count: 64), entry: EntryID(origin: .random(), sequence: .max), subject: limit)
    #expect(longest.description.utf8.count == 250)
  }

  // The same values, with other names of types and properties.
  private enum Before {
    struct Upload: Hashable {
      enum Way: Hashable { case plain, packed(level: Int, Bool) }
      var document = "a\"b"
      var size: Int?
      var ways: Set<Way> = [.plain, .packed(level: 3, true)]
      var headers = ["b": "2", "a": "1"]
      var place = Place(x: 1, y: 2.5)
    }
    struct Place: Hashable { var x: Int, y: Double }
  }
  private enum After {
    struct Request: Hashable {
      enum Manner: Hashable { case plain, packed(strength: Int, Bool) }
      var name = "a\"b"
      var bytes: Int?
      var manners: Set<Manner> = [.packed(strength: 3, true), .plain]
      var fields = ["a": "1", "b": "2"]
      var at = Point(left: 1, top: 2.5)
    }
    struct Point: Hashable { var left: Int, top: Double }
  }

  @Test("of a request is made of its values, so that a field or a type may be renamed")
  func renamed() {
    let before = RequestText.values(of: Before.Upload())
    #expect(before == RequestText.values(of: After.Request()))
    #expect(before == #"("a\"b",none,{packed(3,true),plain},{"a":"1","b":"2"},(1,2.5))"#)
    var other = After.Request()
    other.bytes = 0
    #expect(RequestText.values(of: other) != before)
    // An id without its own description is also identified by its values.
    #expect(RequestText.id(Before.Place(x: 1, y: 2)) == RequestText.id(After.Point(left: 1, top: 2)))
  }

  @Test("in a loop: a feedback for a set of requests hands its effects the key made of the request's values")
  func loop() async throws {
    struct Ask: Hashable { var text: String, urgent: Bool }
    let service = Service()
    let store = try await Store.open(Desk(), in: MemoryJournal())
    let feedback = Feedback<Desk, Service>(
      "ask", requests: { Set($0.letters.filter { !$0.isSent }.map { Ask(text: $0.text, urgent: $0.isUrgent) }) }
    ) { ask, service, effect in
      service.tell(ask.text, key: effect.key)
      return nil
    }
    let loop = store.run([feedback], in: service)
    let commit = try store.change(.letter(Desk.Letter(id: 1, text: "a\r\n")))
    await service.waitForCalls(1)
    let key = try #require(service.calls[0].key)
    #expect(key.subject == "(\"a\r\n\",false)")
    let origin = commit.id.origin.uuid.uuidString.lowercased()
    #expect(key.description == "ask/\(origin)-\(commit.id.sequence)/%28%22a%0D%0A%22%2Cfalse%29")
    #expect(loop.effects.first?.subject.contains("urgent") == true)
    await loop.stop()
    await store.close()
  }

  private enum Shape: Hashable, Sendable {
    case empty, text(String), pair(String, String), nested([String]), maybe(String?), number(Int), ids(Set<String>)
    indirect case both(Shape, Shape)
    case data(Data), date(Date)
  }

  @Test("tells requests apart: some thousand random ones of one type have as many texts as there are different ones", arguments: [7, 8, 9])
  func distinct(seed: UInt64) {
    var random = SplitMix(state: seed)
    let words = ["", "a", "b", ",", "\"", "\\", "a,b", "(", ")", "none", "some", "\",\"", "\\\"", "é", "\n", "hash:"]
    func word() -> String { words[Int(random.next() % UInt64(words.count))] + words[Int(random.next() % UInt64(words.count))] }
    func shape(_ depth: Int) -> Shape {
      switch random.next() % (depth > 0 ? 10 : 9) {
      case 0: .empty
      case 1: .text(word())
      case 2: .pair(word(), word())
      case 3: .nested((0..<random.next() % 4).map { _ in word() })
      case 4: .maybe(random.next() % 2 == 0 ? nil : word())
      case 5: .number(Int(random.next() % 2_000) - 1_000)
      case 6: .ids(Set((0..<random.next() % 4).map { _ in word() }))
      case 7: .data(Data((0..<random.next() % 5).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
      case 8: .date(Date(timeIntervalSinceReferenceDate: Double(random.next() % 1_000_000) / 1_000))
      default: .both(shape(depth - 1), shape(depth - 1))
      }
    }
    var texts: [String: Shape] = [:]
    var shapes: Set<Shape> = []
    for _ in 0..<5_000 {
      let shape = shape(3)
      shapes.insert(shape)
      let text = RequestText.values(of: shape)
      if let other = texts.updateValue(shape, forKey: key(text)) { #expect(other == shape, "seed \(seed): \(text)") }
    }
    #expect(texts.count == shapes.count, "seed \(seed)")
  }

  private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
