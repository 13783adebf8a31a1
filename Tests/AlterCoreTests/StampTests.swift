import AlterCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("A stamp")
struct StampTests {
  let origin = Origin(UUID(uuidString: "6F1D2A57-0B5C-4F0E-9A7B-3C2D1E0F9A8B")!)

  @Test("gives the same ids at every replay, which no later version may change")
  func known() {
    let stamp = Stamp(time: 5, origin: origin, sequence: 3)
    #expect(stamp.uuid().uuidString == "6D2CFB2E-3D90-8BDE-8B62-30DC27433BEE")
    #expect(stamp.uuid(1).uuidString == "1CE52A2C-3218-86FE-8852-BF718E772D9F")
    #expect(Stamp(time: 99, origin: origin, sequence: 3).uuid() == stamp.uuid(), "the clock has no part in it")
  }

  @Test("gives every change of every origin ids of its own")
  func unique() {
    var ids: Set<UUID> = []
    for seed in UInt64(0)..<8 {
      for sequence in Int64(0)..<25 {
        for index in 0..<10 {
          let stamp = Stamp(time: 0, origin: Origin(SipHash128.uuid(seed: seed)), sequence: sequence, index: index)
          for n in 0..<5 { ids.insert(stamp.uuid(n)) }
        }
      }
    }
    #expect(ids.count == 8 * 25 * 10 * 5)
  }

  @Test("gives ids that say what they are: version 8, the variant of RFC 9562")
  func version() {
    for n in 0..<500 {
      let bytes = Stamp(time: 0, origin: origin, sequence: 1).uuid(n).uuid
      #expect(bytes.6 >> 4 == 8)
      #expect(bytes.8 >> 6 == 0b10)
    }
  }

  @Test("that is none has no time, whatever its index")
  func none() {
    var second = Stamp.none
    second.index = 1
    #expect(second.uuid() != Stamp.none.uuid())
    for stamp in [Stamp.none, second] {
      #expect(stamp.date == nil)
      var property: Date? = .distantPast
      stamp.mark(&property)
      #expect(property == .distantPast)
      let refusal = #expect(throws: Refusal.self) { try stamp.now() }
      #expect(refusal?.message == "This change needs a time. Outside a store, pass it: 'alter(change, at: date)'.")
    }
    #expect(Stamp(time: 0, origin: .none, sequence: 1).date != nil)
    #expect(Stamp(time: 1, origin: .none, sequence: 0).date != nil)
    #expect(Stamp(time: 0, origin: origin, sequence: 0).date != nil)
  }

  @Test("marks a property with its time, also with the start of 1970")
  func marks() throws {
    for time in [0, 1_500_000] as [Int64] {
      let stamp = Stamp(time: time, origin: origin, sequence: 1)
      var property: Date?
      stamp.mark(&property)
      #expect(property == Date(microseconds: time))
      #expect(try stamp.now() == property)
    }
  }

  @Test("has its time as a date")
  func date() {
    #expect(Stamp(time: 0, origin: origin, sequence: 1).date == Date(timeIntervalSince1970: 0))
    #expect(Stamp(time: 1_500_000, origin: origin, sequence: 1).date == Date(timeIntervalSince1970: 1.5))
    #expect(Stamp(time: -1, origin: origin, sequence: 1).date == Date(microseconds: -1))
  }

  @Test("has an origin that is random, is stored as a UUID's text, and is short in a log")
  func origins() throws {
    #expect(Set((0..<100).map { _ in Origin.random() }).count == 100)
    let json = try JSONEncoder().encode([origin])
    #expect(String(decoding: json, as: UTF8.self) == #"["6f1d2a57-0b5c-4f0e-9a7b-3c2d1e0f9a8b"]"#)
    #expect(try JSONDecoder().decode([Origin].self, from: json) == [origin])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Origin].self, from: Data(#"["nobody"]"#.utf8)) }
    #expect(origin.description == "6f1d2a57")
  }
}

@Suite("A date in microseconds")
struct MicrosecondsTests {
  static let second: Int64 = 1_000_000
  /// Microseconds since 1970 of the years 1900, 1970, 2001 (the reference date of `Date`) and 2100.
  static let epochs: [Int64] = [-2_208_988_800 * second, 0, 978_307_200 * second, 4_102_444_800 * second]

  @Test("is the same number again, to the microsecond, on both sides of the years where counting turns", arguments: epochs)
  func boundaries(epoch: Int64) {
    for offset in -2_000...Int64(2_000) {
      for step in [1, 999, 500_000, Self.second, 86_400 * Self.second] {
        let microseconds = epoch + offset * step
        #expect(Date(microseconds: microseconds).microseconds == microseconds)
      }
    }
  }

  @Test("is the nearest date there is, from 1900 to 2100", arguments: UInt64(1)...4)
  func nearest(seed: UInt64) {
    let span = UInt64(Self.epochs[3] - Self.epochs[0])
    for n in UInt64(0)..<5_000 {
      let microseconds = Self.epochs[0] + Int64(SipHash128.number(n, seed: seed) % span)
      let date = Date(microseconds: microseconds)
      #expect(date.microseconds == microseconds, "seed \(seed), number \(n)")
      // A whole number below 2^53 that is divided once is correctly rounded. By IEEE 754 this is the nearest double.
      let nearest = Double(microseconds - Self.epochs[2]) / 1_000_000
      #expect(date.timeIntervalSinceReferenceDate == nearest, "seed \(seed), number \(n)")
    }
  }

  @Test("is rounded when the date is finer, and clamped when it is out of reach: never a trap")
  func odd() {
    #expect(Date(timeIntervalSince1970: 0.0000004).microseconds == 0)
    #expect(Date(timeIntervalSince1970: -0.0000016).microseconds == -2)
    #expect(Date(timeIntervalSinceReferenceDate: .infinity).microseconds == .max)
    #expect(Date(timeIntervalSinceReferenceDate: -.infinity).microseconds == .min)
    #expect(Date(timeIntervalSinceReferenceDate: .nan).microseconds == 0)
    #expect(Date(timeIntervalSinceReferenceDate: 1e300).microseconds == .max)
    #expect(Date(timeIntervalSinceReferenceDate: -1e300).microseconds == .min)
    #expect(Date(microseconds: .max) > Date(microseconds: 0))
    #expect(Date(microseconds: .min) < Date(microseconds: 0))
  }
}
