import AlterJournal
import AlterTesting
import Foundation
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

  @Test("gives back dates that are no time at all", arguments: [Double.infinity, -.infinity, .nan])
  func infiniteDates(_ seconds: Double) throws {
    let back = try roundTrip(Date(timeIntervalSinceReferenceDate: seconds)).back
    let found = back.timeIntervalSinceReferenceDate
    #expect(found == seconds || (found.isNaN && seconds.isNaN))
  }

  @Test(
    "refuses text that is no date of ours",
    arguments: [
      "", "2026-12-01", "2026-12-01T09:30:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-12-01T24:00:00Z",
      "2026-12-01T09:30:60Z",
      "2026-12-01T09:30:00.Z", "2026-12-01T09:30:00.1234567Z", "2026-12-01T09:30:00+01:00", "2026-12-01T09:3a:00Z", "äääääääääääääääääääää",
    ])
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
}
