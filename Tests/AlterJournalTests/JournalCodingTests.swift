import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import ProcessTesting
import Testing

@Suite("The coding of payloads")
struct JournalCodingTests {
  private func roundTrip(_ date: Date) throws -> (json: String, back: Date) {
    let json = try JournalCoding.encode([date])
    return (String(decoding: json, as: UTF8.self), try JournalCoding.decode([Date].self, from: json)[0])
  }

  @Test(
    "writes a date as text in UTC, to the microsecond",
    arguments: [
      (-1, "1969-12-31T23:59:59.999999Z"), (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00Z"), (1_796_117_400_250_000, "2026-12-01T09:30:00.25Z"),
      (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"), (-2_208_988_800_000_000, "1900-01-01T00:00:00Z"),
      (253_402_300_799_000_000, "9999-12-31T23:59:59Z"),
    ])
  func knownDates(_ microseconds: Int64, _ text: String) throws {
    let date = Date(microseconds: microseconds)
    let (json, back) = try roundTrip(date)
    #expect(json == "[\"\(text)\"]")
    #expect(back == date)
  }

  private static let exactDates: [(Double, String)] = [
    (817_022_585.5123457, "2026-11-22T06:43:05.5123457Z"), (1e-9, "2001-01-01T00:00:00.000000001Z"),
    (-1e-9, "2000-12-31T23:59:59.999999999Z"), (-0.1, "2000-12-31T23:59:59.9000000Z"), (0.1, "2001-01-01T00:00:00.1Z"),
    (-63_114_076_800, "0000-12-30T00:00:00Z"), (-63_145_526_400, "0000-01-01T00:00:00Z"),
    (-63_145_526_400.00001, "-000001-12-31T23:59:59.99999Z"), (-64_500_000_000, "-000043-01-29T05:20:00Z"),
    (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
    (1e16, "+316889386-01-25T17:46:40Z"), (8.999999999999999e18, "+285198648562-04-21T15:43:20Z"),
    (-8.9e18, "-282029770710-05-18T17:46:40Z"),
    (.leastNonzeroMagnitude, "2001-01-01T00:00:00." + String(repeating: "0", count: 323) + "5Z"),
    (-.leastNonzeroMagnitude, "2000-12-31T23:59:59." + String(repeating: "9", count: 323) + "5Z"),
  ]

  @Test("writes a finer date, and one of any other year, with the digits that reading it back needs", arguments: exactDates)
  func exactTexts(_ seconds: Double, _ text: String) throws {
    let (json, back) = try roundTrip(Date(timeIntervalSinceReferenceDate: seconds))
    #expect(json == "[\"\(text)\"]")
    #expect(back.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
  }

  @Test("tells apart two dates of one second in the text of a change")
  func changeTexts() throws {
    enum Change: Codable { case due(Date) }
    let texts = try [0, 0.4, 0.4.nextUp].map { seconds in
      let json = try JournalCoding.encode([Change.due(Date(timeIntervalSinceReferenceDate: seconds))])
      return ChangeText.changes(try JSONValue(parsing: json))
    }
    #expect(
      texts == [
        #".due("2001-01-01T00:00:00Z")"#, #".due("2001-01-01T00:00:00.4Z")"#, #".due("2001-01-01T00:00:00.4000000000000001Z")"#,
      ])
  }

  @Test("writes negative zero as zero, which it equals")
  func negativeZero() throws {
    let (json, back) = try roundTrip(Date(timeIntervalSinceReferenceDate: -0.0))
    #expect(json == #"["2001-01-01T00:00:00Z"]"#)
    #expect(back.timeIntervalSinceReferenceDate == 0)
  }

  @Test("writes dates whose seconds do not fit into 64 bits as numbers", arguments: [9e18, -9e18, 1e300, .greatestFiniteMagnitude])
  func outOfReach(_ seconds: Double) throws {
    let (json, back) = try roundTrip(Date(timeIntervalSinceReferenceDate: seconds))
    #expect(!json.contains("\""))
    #expect(back.timeIntervalSinceReferenceDate == seconds)
  }

  @Test("reads the numbers and the texts that earlier versions wrote")
  func earlier() throws {
    let dates = try JournalCoding.decode([Date].self, from: Data("[817022585.5123457,-63114076800,0]".utf8))
    #expect(dates.map(\.timeIntervalSinceReferenceDate) == [817_022_585.5123457, -63_114_076_800, 0])
    // With at most six digits, a text is a number of microseconds.
    let texts = ["2026-12-01T09:30:00.25Z", "2026-12-01T09:30:00.250000Z", "2026-12-01T09:30:00.2500000Z"]
    for text in texts { #expect(DateText.date(of: text) == Date(microseconds: 1_796_117_400_250_000)) }
    // So do the texts of all such dates near our time; those of the year 9000 have no microseconds in a `Double`.
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      let microseconds = Int64.random(in: -2_208_988_800_000_000...4_102_444_800_000_000, using: &generator)
      #expect(DateText.text(of: Date(microseconds: microseconds))?.utf8.count ?? 0 <= 27)
    }
  }

  @Test("gives back every date to the bit: to the microsecond, finer, before 1970, distant")
  func dates() throws {
    var generator = SeededGenerator(seed: 42)
    var dates = [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.1), Date(timeIntervalSinceReferenceDate: 1e-9)]
    dates += [1e300, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 253_402_300_800, -62_135_596_801].map {
      Date(timeIntervalSinceReferenceDate: $0)
    }
    for _ in 0..<2_000 {
      dates.append(Date(microseconds: .random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator)))
      dates.append(Date(timeIntervalSinceReferenceDate: .random(in: -3e9...3e9, using: &generator)))
    }
    for date in dates {
      let (json, back) = try roundTrip(date)
      #expect(back.timeIntervalSinceReferenceDate.bitPattern == date.timeIntervalSinceReferenceDate.bitPattern, "\(json)")
    }
  }

  @Test("gives back dates of every magnitude to the bit", arguments: UInt64(1)...4)
  func magnitudes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var failures: [Double] = []
    for number in 0..<Effort.count(short: 10_000, full: 50_000) {
      let seconds =
        switch number % 5 {
        case 0: Double(bitPattern: generator.next())
        case 1: Double.random(in: -3e9...3e9, using: &generator)
        case 2: Double.random(in: -64e9...253e9, using: &generator)
        case 3: (8.999_999_9e18 + Double(generator.next() >> 27)) * (generator.next() & 1 == 0 ? 1 : -1)
        default:
          Double(
            sign: generator.next() & 1 == 0 ? .plus : .minus, exponent: .random(in: -1074...62, using: &generator),
            significand: .random(in: 1..<2, using: &generator))
        }
      guard abs(seconds) < 9e18 else { continue }
      let text = DateText.text(of: Date(timeIntervalSinceReferenceDate: seconds))
      let back = text.flatMap { DateText.date(of: $0) }?.timeIntervalSinceReferenceDate
      if back?.bitPattern != seconds.bitPattern, seconds != 0 { failures.append(seconds) }
    }
    #expect(failures == [])
  }

  @Test("reads any bytes without a trap, and what it accepts has a text", arguments: UInt64(1)...4)
  func anyBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let texts = [
      "2026-12-01T09:30:00.25Z", "2026-12-01T09:30:00.51234571Z", "+010000-01-01T00:00:00Z", "-000044-03-15T12:00:00.123Z",
      "+285199000000-12-31T23:59:59.9Z", "-999999999999-01-01T00:00:00Z",
    ]
    let alphabet = Array("0123456789+-:.TZ e".utf8)
    for _ in 0..<25_000 {
      var bytes = generator.below(3) == 0 ? [] : Array(texts[generator.below(texts.count)].utf8)
      for _ in 0...generator.below(bytes.isEmpty ? 30 : 3) {
        let byte = generator.below(2) == 0 ? alphabet[generator.below(alphabet.count)] : UInt8(generator.below(256))
        let place = generator.below(bytes.count + 1)
        switch generator.below(3) {
        case 0 where place < bytes.count: bytes[place] = byte
        case 1 where place < bytes.count: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
      }
      guard let date = DateText.date(of: String(decoding: bytes, as: UTF8.self)) else { continue }
      #expect(DateText.text(of: date).flatMap { DateText.date(of: $0) } == date)
    }
  }

  @Test("gives back dates that are no time at all", arguments: [Double.infinity, -.infinity, .nan])
  func infiniteDates(_ seconds: Double) throws {
    let back = try roundTrip(Date(timeIntervalSinceReferenceDate: seconds)).back
    let found = back.timeIntervalSinceReferenceDate
    #expect(found == seconds || (found.isNaN && seconds.isNaN))
  }

  private static let malformedDates: [String] = [
    "", "2026-12-01", "2026-12-01T09:30:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-12-01T24:00:00Z",
    "2026-12-01T09:30:60Z",
    "2026-12-01T09:30:00.Z", "2026-12-01T09:30:00.1234 67Z", "2026-12-01T09:30:00+01:00", "2026-12-01T09:3a:00Z",
    "äääääääääääääääääääää", "-2026-12-01T09:30:00Z", "+002026-12-01T09:30:00Z", "-000000-12-01T09:30:00Z", "12026-12-01T09:30:00Z",
    "+12026-12-01T09:30:00Z", "+0012026-12-01T09:30:00Z", "-999999999999-01-01T00:00:00Z", "+9999999999999-01-01T00:00:00Z",
    "+012026-02-30T00:00:00Z", "2026-12-01T09:30:00." + String(repeating: "1", count: 1075) + "Z", "+", "-000044-03-15T12:00:00",
  ]

  @Test("refuses text that is no date of ours", arguments: malformedDates)
  func noDates(_ text: String) throws {
    let json = try JournalCoding.encode([text])
    #expect(throws: DecodingError.self) { try JournalCoding.decode([Date].self, from: json) }
  }

  @Test("writes what is no number as text, and data as Base64")
  func specialValues() throws {
    let json = try JournalCoding.encode([Double.infinity, -.infinity, .nan, 0.1])
    #expect(String(decoding: json, as: UTF8.self) == #"["Infinity","-Infinity","NaN",0.1]"#)
    let back = try JournalCoding.decode([Double].self, from: json)
    #expect(back[0] == .infinity && back[1] == -.infinity && back[2].isNaN && back[3] == 0.1)
    #expect(String(decoding: try JournalCoding.encode([Data([0, 255, 254])]), as: UTF8.self) == #"["AP/+"]"#)
  }

  @Test("writes equal values as equal bytes: keys are sorted, and left as they are")
  func sortedKeys() throws {
    let keys = ["b_c", "a/b", "Z", "äö", "camelCase"]
    let expected = #"{"Z":1,"a/b":1,"b_c":1,"camelCase":1,"äö":1}"#
    for _ in 0..<5 {
      let value = Dictionary(uniqueKeysWithValues: keys.shuffled().map { ($0, 1) })
      #expect(String(decoding: try JournalCoding.encode(value), as: UTF8.self) == expected)
    }
  }

  private struct Outer: Decodable {
    struct Inner: Decodable { let number: Int }
    let inner: [Inner]
  }

  @Test(
    "says where something can't be read, without showing it",
    arguments: [
      (#"{"inner":[{"number":1},{"secret":2}]}"#, "'number' is missing at inner[1]"),
      (#"{"inner":[{"number":"secret"}]}"#, "a value that is not Int at inner[0].number"),
      (#"{"inner":[{"number":null}]}"#, "at inner[0].number"), (#"["secret"]"#, "at the top level"),
      (#"{"inner":secret"#, "at the top level"),
    ])
  func explains(_ json: String, _ words: String) throws {
    let error = try #require(throws: DecodingError.self) { try JournalCoding.decode(Outer.self, from: Data(json.utf8)) }
    let text = JournalCoding.explain(error)
    #expect(text.contains(words))
    #expect(!text.contains("secret"))
  }

  @Test("reads back the first day of all dates that have a text")
  func firstDay() {
    let date = Date(timeIntervalSinceReferenceDate: (-9e18).nextUp)
    #expect(DateText.text(of: date).flatMap { DateText.date(of: $0) } == date)
  }
}
