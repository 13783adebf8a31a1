import Alter
@_spi(Benchmarks) import AlterCore
import AlterTesting
import Foundation
import FuzzTargets
import ProcessTesting
import Testing

@Suite("The stored form without Foundation's coders")
struct StoredFormTests {

  /// The samples, each a random value that is written and read in both ways, and its bytes with random modifications.
  private static var samples: [StoredFormSample] {
    #if Macros
      StoredFormSample.standard + StoredFormSample.models
    #else
      StoredFormSample.standard
    #endif
  }

  @Test("has the same bytes and the same values, and nothing else for malformed bytes")
  func fuzz() async throws {
    // Each sample is three documents: a value, and its bytes with two random modifications. The full number takes an hour of processor
    // time.
    let count = Effort.count(short: 7_500, full: 10_000_000)
    let size = 2_500
    try await withThrowingTaskGroup(of: Void.self) { group in
      for start in stride(from: 0, to: count, by: size) {
        // No more than two parts at once.
        if start >= 2 * size { try await group.next() }
        group.addTask {
          var check = StoredFormCheck()
          let samples = Self.samples
          for number in start..<start + size {
            var random = ValueGenerator(seed: UInt64(number))
            do { try samples[number % samples.count].run(&random, &check) } catch {
              throw StoredFormCheck.Difference(description: "seed \(number): \(error)")
            }
          }
          // Otherwise all documents were left to Foundation, and nothing was compared.
          #expect(check.read > size)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "leaves unusual bytes to Foundation",
    arguments: [
      #"{"amount":1,"others":[],"zone":""}x"#, #"{"amount":1,"others":[],"zone":"" }"#, #"{"others":[],"amount":1,"zone":""}"#,
      #"{"amount":1,"amount":1,"others":[],"zone":""}"#, #"{"a":1,"a":1,"amount":1,"others":[],"zone":""}"#,
      #"{"amount":1,"colour":"blue","others":[],"zone":""}"#, #"{"amount":1,"others":[]}"#, #"{"amount":1,"others":[],"zone":null}"#,
      #"{"amount":1,"others":[],"zone":"\u00e9"}"#, #"{"amount":1,"others":[],"zone":"\/"}"#, #"{"amount":1,"others":[],"zon\u0065":""}"#,
      #"{"amount":1,"others":[],"zone":"","é":1}"#, "", "{", "[]", "null",
    ])
  func unusual(json: String) throws {
    #expect(StoredCoding.read(WithFallback.self, from: Data(json.utf8)) == nil)
    var check = StoredFormCheck()
    try check(WithFallback.self, reading: Data(json.utf8))
    // The result is Foundation's, a value or an error.
    let expected = Result { try StoredCoding.decoder().decode(WithFallback.self, from: Data(json.utf8)) }
    let result = Result { try JournalCoding.decode(WithFallback.self, from: Data(json.utf8)) }
    switch (result, expected) {
    case (.success(let value), .success(let other)): #expect(value == other)
    case (.failure(let error), .failure(let other)): #expect("\(error)" == "\(other)")
    default: Issue.record("\(result) instead of \(expected)")
    }
  }

  @Test("of a UUID has hexadecimal digits only, whichever byte is another one")
  func uuids() throws {
    var check = StoredFormCheck()
    for place in 0..<36 {
      for byte in UInt8(0x20)..<0xFF {
        var json = Array(#""01234567-89ab-cdef-ABCD-EF0123456789""#.utf8)
        json[place + 1] = byte
        try check(UUID.self, reading: Data(json))
      }
    }
    // 22 digits in 32 places, and the hyphens.
    #expect(check.read == 32 * 22 + 4)
  }

  @Test("skips unknown keys, and takes absent optional values as nil")
  func unknownKeys() throws {
    let json = Data(#"{"a":{"x":[1,"\"",{}],"y":null},"amount":1.5,"b":-1e5,"others":[],"z":true,"zone":"here","zz":false}"#.utf8)
    let value = try #require(StoredCoding.read(WithFallback.self, from: json))
    #expect(value.amount == 1.5 && value.colour == nil && value.other == nil && value.zone == "here")
    #expect(try StoredCoding.decoder().decode(WithFallback.self, from: json) == value)
  }

  @Test(
    "of an array is read element by element as it is read whole, or left to Foundation",
    arguments: [
      "[]", #"["a"]"#, #"["a","b"]"#, #"["a","é","c","d"]"#, "[", "[]]", #"["a""#, #"["a",]"#, #"["a" ]"#, #"[,"a"]"#, #"["a","b" ]"#,
      "[1]",
      #"[null]"#, #"["a","b"]x"#, #""a""#, "",
    ])
  func elements(json: String) {
    let elements: [String]? =
      switch StoredReader.elements(of: String.self, from: Data(json.utf8)) {
      case .one(let element): [element]
      case .several(let elements): elements
      case nil: nil
      }
    #expect(elements == StoredCoding.read([String].self, from: Data(json.utf8)))
  }

  @Test("rejects deep values, and never overflows the stack")
  func depth() throws {
    struct Nest: StoredForm, Equatable {
      var inner: [Nest]
      init(_ depth: Int) { inner = depth == 0 ? [] : [Nest(depth - 1)] }
      init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode([Nest].self) }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inner)
      }
      init(from reader: inout StoredReader) throws(StoredFormError) { inner = try reader.value() }
      func write(to writer: inout StoredWriter) throws(StoredFormError) { try writer.value(inner) }
    }
    for depth in [1, 100, 127] {
      let bytes = try #require(StoredCoding.write(Nest(depth)))
      #expect(try bytes == StoredCoding.encode(Nest(depth)))
      #expect(StoredCoding.read(Nest.self, from: bytes) == Nest(depth))
    }
    #expect(StoredCoding.write(Nest(128)) == nil)
    #expect(throws: EncodingError.self) { try JournalCoding.encode(Nest(128)) }
    for count in [129, 257, 511, 512, 513, 100_000] {
      let json = Data((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
      #expect(StoredCoding.read(Nest.self, from: json) == nil)
      // The same bytes as a part that goes through Codable, and as an unknown one.
      #expect(StoredCoding.read(WithFallback.self, from: Data(#"{"a":"#.utf8) + json + Data("}".utf8)) == nil)
    }
  }

  @Test("counts the bytes that go through Codable: those of a part, or the whole document")
  func counting() throws {
    var random = ValueGenerator(seed: 1)
    var value = WithFallback(random: &random)
    value.other = nil
    value.others = []
    value.amount = 12
    // The amount alone, and the empty array of a type without a stored form.
    let bytes = try JournalCoding.encode(value)
    #expect(try CodableBytes.writing(value) == 4)
    #expect(CodableBytes.reading(WithFallback.self, from: bytes) == 4)
    #expect(CodableBytes.reading(WithFallback.self, from: bytes + Data(" ".utf8)) == bytes.count + 1)
    let other = OnlyCodable(text: "", inner: [], range: 0..<1)
    let size = try JournalCoding.encode(other).count
    #expect(try CodableBytes.writing(other) == size)
    #expect(try CodableBytes.reading(OnlyCodable.self, from: JournalCoding.encode(other)) == size)
  }

  #if Macros
    @Test("does not take a name for another one that Foundation takes for the same")
    func equivalentNames() throws {
      // The letter K instead of the sign of the unit.
      let json = Data(#"{"inK":5,"z":1}"#.utf8)
      #expect(try JournalCoding.decode(StoredTemperature.self, from: json) == StoredTemperature(inK: 5, z: 1))
      #expect(
        try JournalCoding.decode(StoredTemperature.self, from: json) == StoredCoding.decoder().decode(StoredTemperature.self, from: json))
    }

    @Test("of a property with a default has nil as null, even if the optional has another name, and of another property is without it")
    func aliasOfOptional() throws {
      let place = StoredPlace(level: nil, plain: nil, name: "Rigi", height: nil, tags: [], amount: nil)
      let json = #"{"level":null,"name":"Rigi","tags":[]}"#
      #expect(String(decoding: try JournalCoding.encode(place), as: UTF8.self) == json)
      #expect(String(decoding: try StoredCoding.encode(place), as: UTF8.self) == json)
      // The macro sees no optional in 'plain' either, so data without it is left to Foundation.
      #expect(StoredCoding.read(StoredPlace.self, from: Data(json.utf8)) == nil)
      #expect(try JournalCoding.decode(StoredPlace.self, from: Data(json.utf8)) == place)
      let whole = StoredPlace(level: nil, plain: 1, name: "Rigi", height: nil, tags: [], amount: nil)
      #expect(try StoredCoding.read(StoredPlace.self, from: JournalCoding.encode(whole)) == whole)
      #expect(try JournalCoding.decode(StoredPlace.self, from: Data(#"{"name":"Rigi"}"#.utf8)).level == 5)
    }

    @Test("of a hand-written struct is read with its older names, and its errors name type and property")
    func handwrittenStruct() throws {
      #expect(try JournalCoding.decode(StoredPlace.self, from: Data(#"{"name":"Rigi","tag":["a"]}"#.utf8)).tags == ["a"])
      let error = try #require(throws: DecodingError.self) { try JournalCoding.decode([StoredPlace].self, from: Data("[{}]".utf8)) }
      guard case .keyNotFound(let key, let context) = error else { throw error }
      #expect(key.stringValue == "name" && context.codingPath.map(\.stringValue) == ["Index 0"])
      #expect(context.debugDescription.hasPrefix("StoredPlace needs a value 'name'"))
    }

    @Test("of a model is read in the order in which it is stored, and older names by the decoder")
    func olderNames() throws {
      let json = Data(#"{"default":1,"theme":"dark"}"#.utf8)
      #expect(StoredCoding.read(StoredStyle.self, from: json) == StoredStyle(theme: "dark", default: 1))
      var random = ValueGenerator(seed: 3)
      let task = random.task()
      let older = String(decoding: try JournalCoding.encode(task), as: UTF8.self).replacing("\"priority\"", with: "\"rank\"")
      #expect(StoredCoding.read(StoredTask.self, from: Data(older.utf8)) == nil)
      // A number may be NaN, which does not equal itself.
      #expect(try JournalCoding.encode(JournalCoding.decode(StoredTask.self, from: Data(older.utf8))) == JournalCoding.encode(task))
    }
  #endif
}

// The examples of the documentation.

private struct Place: Codable, StoredForm, Equatable {
  var height: Double?
  var name: String

  init(height: Double?, name: String) {
    self.height = height
    self.name = name
  }

  init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    height = try reader.optional("height", in: &object)
    name = try reader.required("name", in: &object)
    try reader.endObject(&object)
  }

  func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(height, "height")
    try writer.field(name, "name")
    writer.endObject()
  }
}

private struct Wrong: Codable, StoredForm, Equatable {
  var name = ""

  init() {}
  init(from reader: inout StoredReader) throws(StoredFormError) { name = try reader.value() }
  func write(to writer: inout StoredWriter) throws(StoredFormError) { try writer.value(name) }
}

private struct Raw: OptionSet, Codable, StoredForm, Hashable { var rawValue: UInt8 }

/// The standard library stores a dictionary with such keys as an object, because `StoredKey` makes them `CodingKeyRepresentable`.
private struct KeyByHand: StoredKey {
  var text: String

  init(_ text: String) { self.text = text }
  init?(storedKey: String) { text = storedKey }
  init?<Key: CodingKey>(codingKey: Key) { text = codingKey.stringValue }
  var storedKey: String { text }
  var codingKey: any CodingKey { WireKeyByHand(stringValue: text) }

  private struct WireKeyByHand: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

@Suite("The stored form that is written by hand")
struct StoredFormByHandTests {
  @Test("is checked against Codable")
  func difference() throws {
    #expect(try storedFormDifference(of: Place(height: 1797.5, name: "Rigi")) == nil)
    #expect(try storedFormDifference(of: Place(height: nil, name: "\u{0}\"")) == nil)
    #expect(try storedFormDifference(of: Wrong()) == #"write(to:) writes ""; encode(to:) writes {"name":""}"#)
    #expect(
      try storedFormDifference(of: Place(height: .leastNonzeroMagnitude, name: ""))
        == #"init(from:) can't read {"height":5e-324,"name":""}"#)
  }

  @Test("of a raw value is the one that the standard library gives it")
  func rawValues() throws {
    #expect(try storedFormDifference(of: Raw(rawValue: 5)) == nil)
    #expect(try storedFormDifference(of: WithFallback.Colour.red) == nil)
  }

  @Test("of a dictionary's keys is that of their coding keys")
  func keys() throws {
    #expect(try storedFormDifference(of: [KeyByHand("b"): 1, KeyByHand("a\""): 2]) == nil)
  }
}
