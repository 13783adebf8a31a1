import Alter
import AlterCore
import Foundation
import Testing

/// A number up to 100, as its decoder sees it; its other initialiser takes any.
private struct Percent: Hashable, Codable {
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    number = try container.decode(Int.self)
    guard number <= 100 else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "more than 100") }
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

/// The same with a stored form by hand.
private struct StoredPercent: Hashable, StoredForm {
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: any Decoder) throws { number = try Percent(from: decoder).number }
  func encode(to encoder: any Encoder) throws { try Percent(number).encode(to: encoder) }
  init(from reader: inout StoredReader) throws(StoredFormError) {
    number = try reader.integer()
    guard number <= 100 else { throw StoredFormError() }
  }
  func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.integer(number) }
}

/// The same as a raw value.
private struct RawPercent: Hashable, RawRepresentable, StoredForm {
  let rawValue: Int
  init(_ number: Int) { rawValue = number }
  init?(rawValue: Int) {
    guard rawValue <= 100 else { return nil }
    self.rawValue = rawValue
  }
}

/// A value that loses a part when it is stored.
private struct Lossy: Hashable, Codable {
  var kept: Int
  var lost = 0
  enum CodingKeys: CodingKey { case kept }
}

/// A value with a form by hand whose parts need not be equal to themselves.
private struct Spell: Hashable, Codable {
  var start: Date
  var length: Double
}

private struct Box<Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  var value: Value?
}

private typealias Maybe = Int?

#if Macros
  @Alterable private struct Mixed: Hashable {
    @Default(0) let amount: Decimal
    @Default(constant: Percent(0)) let percent: Percent
    @Default(constant: StoredPercent(0)) let stored: StoredPercent
    @Default(constant: RawPercent(0)) let raw: RawPercent
    @Default(constant: Lossy(kept: 0)) let lossy: Lossy
    let link: URL?
    @Default(nil) let alias: Maybe?
    let later: Maybe?
    @Default([]) let list: [Maybe?]
    @Default([:]) let table: [String: Maybe?]
    let box: Box<Int?>?
    @Default(0) let ratio: Double
    @Default(false) let isFull: Bool
    let spell: Spell?
    @Wire enum OwnChange: Hashable { case overfill, nothing(Maybe?) }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) {
      switch change {
      case .overfill: self = Mixed(percent: Percent(101), isFull: true)
      case .nothing(let later): self = Mixed(later: later)
      }
    }
  }

  @Alterable private struct Plain: Hashable {
    let name: String
  }
#endif

@Suite("A journal keeps nothing that could not be read again")
struct KeptValuesTests {
  #if Macros
    private static let relative = URL(string: "b", relativeTo: URL(string: "https://a.com/"))

    private static let losing: [Mixed.Change] = [
      .amount(.nan), .amount(Decimal(1) / Decimal(0)), .percent(Percent(101)), .stored(StoredPercent(101)), .raw(RawPercent(101)),
      .lossy(Lossy(kept: 1, lost: 1)), .link(relative), .alias(.some(nil)), .later(.some(nil)), .list([1, .some(nil)]),
      .table(["a": .some(nil)]), .box(Box(value: .some(nil))), .nothing(.some(nil)),
    ]

    @Test("a change that would be read as another one, or not at all, is taken out again, and its commit says why", arguments: losing)
    fileprivate func unreadable(change: Mixed.Change) async throws {
      let journal = MemoryJournal()
      let store = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      try await store.change(.ratio(1)).durable()
      let error = await #expect(throws: CommitError<Never>.self) { try await store.change(change).durable() }
      guard case .failed(let reason)? = error else { throw ReplicaSimulation.Failure("\(change): \(String(describing: error))") }
      #expect(reason.code == .unencodable)
      try await store.change(.isFull(true)).durable()
      #expect(store.state == Mixed(ratio: 1, isFull: true) && store.status == .open)
      await store.close()
      let again = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      #expect(again.state == Mixed(ratio: 1, isFull: true))
      await again.close()
    }

    @Test("all else is kept as it is, NaN among it")
    func readable() async throws {
      let journal = MemoryJournal()
      let store = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      let changes: [Mixed.Change] = [
        .amount(1.5), .percent(Percent(100)), .stored(StoredPercent(100)), .raw(RawPercent(100)), .lossy(Lossy(kept: 1)),
        .link(URL(string: "https://a.com/b")), .link(URL(string: "b")), .alias(nil), .alias(.some(1)), .later(nil), .later(.some(2)),
        .list([nil, .some(3)]), .table(["a": 1, "b": nil]), .box(Box(value: 1)), .box(Box(value: nil)), .ratio(.infinity), .ratio(-0.0),
        .nothing(nil), .nothing(.some(4)),
      ]
      for change in changes { try await store.change(change).durable() }
      let state = store.state
      await store.close()
      let again = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      #expect(again.state == state)
      try await again.change(.ratio(.nan)).durable()
      await again.close()
      let last = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      #expect(last.state.ratio.isNaN)
      for seconds in [Double.nan, .infinity, -.infinity, 1e300, 0] {
        let spell = Spell(start: Date(timeIntervalSinceReferenceDate: seconds), length: .nan)
        try await last.change(.spell(spell)).durable()
      }
      try await last.change(.spell(Spell(start: Date(timeIntervalSinceReferenceDate: .nan), length: 1e300))).durable()
      await last.close()
      let spells = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      #expect(spells.state.spell?.start.timeIntervalSinceReferenceDate.isNaN == true && spells.state.spell?.length == 1e300)
      await spells.close()
    }

    @Test("a floor is read again before entries are given up: those of an unreadable state stay")
    func floor() async throws {
      let journal = MemoryJournal()
      let store = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      try await store.change(.overfill).durable()
      for number in 0..<100 { try await store.change(.ratio(Double(number))).durable() }
      let error = await #expect(throws: JournalError.self) { try await store.compact(keeping: .last(10)) }
      #expect(error?.code == .unencodable && error?.description.contains("percent") == true, "\(String(describing: error))")
      await store.close()
      let again = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      #expect(again.state.percent == Percent(101) && again.revision == 102)
      await again.close()
    }

    @Test("a journal does not begin with a state that could not be read again")
    func initial() async throws {
      let journal = MemoryJournal()
      let error = await #expect(throws: JournalError.self) { try await Store.open(Mixed(percent: Percent(101)), in: journal) }
      #expect(error?.code == .unencodable)
      let store = try await Store.open(Mixed(), in: journal, options: .sharedJournal)
      await store.close()
    }
  #endif

  @Test("the stored form that the macros and the standard types write is total: only parts by hand are read again")
  func leaves() throws {
    func isTotal<Value: Codable>(_ value: Value) throws -> Bool {
      let written = try StoredCoding.written(value)
      return written.isTotal
    }
    enum Colour: String, Codable, StoredForm { case red }
    #expect(try isTotal([1]) && isTotal(["a": [true]]) && isTotal([Int?.none, 1]) && isTotal(Set(["a"])) && isTotal([Date()]))
    #expect(try isTotal([UUID()]) && isTotal(Data([1])) && isTotal(URL(string: "https://a.com")) && isTotal([Colour.red]) && isTotal(1.5))
    #expect(try isTotal([Revision(1)]) && isTotal(Identifier<Int, String>("a")))
    #expect(try !isTotal([Percent(1)]) && !isTotal([StoredPercent(1)]) && !isTotal([Decimal(1)]) && !isTotal([Lossy(kept: 1)]))
    #if Macros
      #expect(try isTotal(Plain.Change.name("a")) && isTotal(Plain(name: "a")) && !isTotal(Mixed()) && !isTotal(Mixed.Change.amount(1)))
      #expect(try isTotal(Mixed.Change.ratio(.nan)) && isTotal([Mixed.Change.later(1)]) && isTotal([Mixed.Change.isFull(true)]))
    #endif
  }
}
