import AlterCore
import AlterTesting
import Foundation
import Testing

@testable import AlterJournal

@Suite("Lines of exports and of messages")
struct LineTests {
  /// Makes random JSON, most of it as this library writes it.
  private struct Maker {
    var random: SeededGenerator

    mutating func text() -> String {
      let characters: [String] = [
        "a", "z", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{8}", "\u{C}", "\u{0}", "\u{B}", "\u{E}", "\u{1F}", "\u{7F}", "ü", "‘", "👍",
        "e\u{301}",
        "\u{2028}", "{", "}", ",", ":",
      ]
      return (0..<random.below(6)).map { _ in random.pick(characters) }.joined()
    }

    mutating func value(_ depth: Int = 0) -> JSONValue {
      switch random.below(depth < 4 ? 9 : 6) {
      case 0: .null
      case 1: .bool(random.oneIn(2))
      case 2: .integer(Int64.random(in: .min ... .max, using: &random))
      case 3: .number(Double(bitPattern: random.next()).isFinite ? Double(Int(random.below(1_000))) / 8 : 0.5)
      case 4: .decimal(random.pick(["1e5", "-0.0", "12345678901234567890", "1E+400", "0.10"]))
      case 5: .string(text())
      case 6: .array((0..<random.below(4)).map { _ in value(depth + 1) })
      default:
        .object(
          Dictionary(
            (0..<random.below(5)).map { _ in (random.pick(["a", "b", "ab", "B", "", "ü", "x\ny", "origin", "time"]), value(depth + 1)) },
            uniquingKeysWith: { $1 }))
      }
    }

    /// JSON with spaces, other orders, other escapes, or damage.
    mutating func changed(_ data: Data) -> Data {
      var bytes = Array(data)
      for _ in 0..<random.below(3) {
        let place = random.below(bytes.count + 1)
        switch random.below(4) {
        case 0: bytes.insert(contentsOf: random.pick(Self.inserted).utf8, at: place)
        case 1: if place < bytes.count { bytes.remove(at: place) }
        case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        default: bytes.insert(contentsOf: bytes[..<place].suffix(random.below(12)), at: place)
        }
      }
      return Data(bytes)
    }

    private static let inserted = [
      " ", "\\u0041", "\\u000b", "\\u001f", "\\u0008", "\\u001F", "\\/", "\\n", "\\\"", "0", "-", ".5", "e3", "1", ",", "{}", "[]", "null",
      "\"",
      "\"a\":1,", "\u{301}", "\\ud83d\\udc4d",
    ]
  }

  @Test("JSON is called canonical only if it is written as it is, and that of this library almost always is")
  func canonical() throws {
    var maker = Maker(random: SeededGenerator(seed: 1))
    var (sure, unsure, kept) = (0, 0, 0)
    for _ in 0..<30_000 {
      let value = maker.value()
      // All names of it are plain ASCII.
      let isPlain = value.data.allSatisfy { $0 < 0x80 } && !value.description.contains("x\\ny\":")
      if isPlain, try JSONValue(parsing: value.data).data == value.data {
        kept += 1
        #expect(CanonicalJSON.isSure(value.data), "\(value)")
      }
      let data = maker.changed(value.data)
      let isSure = CanonicalJSON.isSure(data)
      #expect(isSure == (CanonicalJSON.members(of: data) != nil))
      if isSure {
        sure += 1
        let parsed = try JSONValue(parsing: data)
        #expect(parsed.data == data && parsed.isNested(atMost: 511), "\(String(decoding: data, as: UTF8.self))")
      } else {
        unsure += 1
      }
    }
    #expect(sure > 5_000 && unsure > 5_000 && kept > 5_000, "\(sure) sure, \(unsure) unsure, \(kept) kept")
    for depth in 0..<600 {
      let nested = Data((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
      if CanonicalJSON.isSure(nested) { #expect(depth <= 32) }
    }
  }

  @Test("the parts of a line are those of its JSON value, whatever the line has")
  func reading() {
    var maker = Maker(random: SeededGenerator(seed: 2))
    var (divided, none) = (0, 0)
    func compare(_ line: LineValue, _ value: JSONValue, _ depth: Int = 0) {
      #expect(line.json == value && line.data == value.data && line.data.startIndex == 0)
      #expect(line.text == value.text && line.int == value.int)
      #expect(line.uuid == value.text.flatMap { UUID(uuidString: $0) })
      #expect(line.checksum == value.text.flatMap { Checksum(hexadecimal: $0) })
      #expect(line.values?.map(\.json) == value.values)
      for name in ["a", "b", "ab", "B", "", "ü", "x\ny", "origin", "time", "none"] {
        #expect((line[name] == nil) == (value[name] == nil), "\(name) in \(value)")
        if let part = line[name], let other = value[name], depth < 4 { compare(part, other, depth + 1) }
      }
    }
    for _ in 0..<10_000 {
      let data = maker.changed(Data("xx".utf8) + maker.value().data).dropFirst(2)
      let (line, value) = (LineValue(data), try? JSONValue(parsing: data))
      #expect((line == nil) == (value == nil), "\(String(decoding: data, as: UTF8.self))")
      guard let line, let value else {
        none += 1
        continue
      }
      if CanonicalJSON.members(of: data) != nil { divided += 1 }
      compare(line, value)
      compare(LineValue(value), value)
    }
    #expect(divided > 3_000 && none > 500, "\(divided) divided, \(none) no JSON")
  }

  @Test("numbers, UUIDs and checksums of any form are read as by the JSON value")
  func scalars() throws {
    let uuid = "1F0C9A3E-0000-4000-8000-00000000abCD"
    for text in [
      "0", "-0", "7", "-7", "999999999999999999", "9999999999999999999", "-9223372036854775808", "9223372036854775807", "1.0", "1e3", "1.5",
      "\"\(uuid)\"", "\"\(uuid.lowercased())\"", "\"\(uuid.dropLast())g\"", "\"\(uuid) \"", "\"00000000000000000000000000000000\"",
      "\"+0000000000000000000000000000000\"", "\"0123456789abcdef0123456789ABCDEF\"", "\"\\u0030\"", "\"\"", "true",
    ] {
      let value = try JSONValue(parsing: Data(text.utf8))
      // As a part of a line that is divided.
      let line = try #require(LineValue(Data("{\"part\":\(text)}".utf8))?["part"])
      #expect(line.int == value.int && line.text == value.text, "\(text)")
      #expect(line.uuid == value.text.flatMap { UUID(uuidString: $0) }, "\(text)")
      #expect(line.checksum == value.text.flatMap { Checksum(hexadecimal: $0) }, "\(text)")
    }
    let checksum = Checksum(high: 0x0123_4567_89AB_CDEF, low: 0xF)
    #expect(checksum.description == "0123456789abcdef000000000000000f")
    #expect(Checksum(hexadecimal: checksum.description) == checksum)
    #expect(Pseudonym(bits: 0xAB).description == "00000000000000ab" && Pseudonym(hexadecimal: "00000000000000aB") == Pseudonym(bits: 0xAB))
    #expect(Pseudonym(hexadecimal: "+0000000000000ab") == nil && Pseudonym(hexadecimal: "ab") == nil)
  }

  @Test("a line that is written member by member is that of the JSON value")
  func writing() {
    var maker = Maker(random: SeededGenerator(seed: 3))
    for _ in 0..<3_000 {
      let payload = maker.random.oneIn(4) ? maker.changed(maker.value().data) : maker.value().data
      let cause = maker.random.oneIn(2) ? nil : maker.changed(maker.value().data)
      let id = EntryID(origin: Origin(UUID(high: maker.random.next(), low: maker.random.next())), sequence: Int64(maker.random.below(99)))
      let draft = Entry.Draft(
        kind: maker.random.pick(Entry.Kind.allCases), id: id, time: Int64.random(in: .min ... .max, using: &maker.random),
        scope: UndoScope(rawValue: maker.text()), schema: maker.random.below(9), payload: payload, cause: cause)
      let entry = Entry(
        revision: Revision(Int64(maker.random.below(1_000))), draft: draft,
        receipt: maker.random.oneIn(2) ? nil : Receipt(author: Pseudonym(bits: maker.random.next()), arrival: 7),
        checksum: Checksum(high: maker.random.next(), low: maker.random.next()))
      var object = LineObject()
      ExportLine.put(entry, in: &object)
      let line = object.line
      #expect(line == ExportLine.line(ExportLine.object(entry)))
      #expect(LineValue(line.dropLast()).flatMap { ExportLine.entry($0) } == entry)
    }
  }
}
