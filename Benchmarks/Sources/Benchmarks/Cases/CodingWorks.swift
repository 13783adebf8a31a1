import Alter
@_spi(Benchmarks) import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The coder of the stored form, as the macro generates it (`ExpandedModels.swift`), against Foundation's coders on the same bytes.

private let foundation = "Foundation's coders"

/// A value that goes through its `Codable` conformance: this type has no stored form of its own.
private struct ByCodable<Value: Codable>: Codable {
  let value: Value

  init(_ value: Value) { self.value = value }
  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

func codingWorks() -> [Work] {
  [1, 10, 100].flatMap { coding("changes", changes($0), $0, atMost: 0.25) }
    + [1_000, 10_000, 100_000].flatMap { coding("snapshot", Document(lineCount: $0), $0, atMost: 0.2) }
}

private func changes(_ count: Int) -> [Document.Change] {
  (0..<count).map { number in
    switch number % 4 {
    case 0: .line(number, .text("A text of some words \(number)"))
    case 1: .line(number, .isDone(true))
    case 2: .add(.line(Line(id: number, text: "Another line", isDone: false)))
    default: .ratio(Double(number) / 8)
    }
  }
}

private func coding<Value: StoredForm & Equatable & Sendable>(_ name: String, _ value: Value, _ n: Int, atMost: Double) -> [Work] {
  guard let bytes = try? JournalCoding.encode(value), (try? JournalCoding.encode(ByCodable(value))) == bytes,
    (try? JournalCoding.decode(Value.self, from: bytes)) == value
  else { fatalError("The two codings differ.") }
  return [
    Work("decoding \(name)", n, goals: [foundation: .ratio(atMost: atMost)]) {
      [
        Contender("Alter", state: bytes) { (try? JournalCoding.decode(Value.self, from: $0)) == nil ? 1 : 0 },
        Contender(foundation, state: bytes) { (try? JournalCoding.decode(ByCodable<Value>.self, from: $0)) == nil ? 1 : 0 },
      ]
    }.timed(by: .processor),
    Work("encoding \(name)", n, goals: [foundation: .ratio(atMost: atMost)]) {
      [
        Contender("Alter", state: value) { (try? JournalCoding.encode($0))?.count ?? 0 },
        Contender(foundation, state: ByCodable(value)) { (try? JournalCoding.encode($0))?.count ?? 0 },
      ]
    }.timed(by: .processor),
    Work("\(name), through Codable", n, unit: .bytes, goals: ["all bytes": .figure(atMost: 0)]) {
      let read = CodableBytes.reading(Value.self, from: bytes)
      let written = (try? CodableBytes.writing(value)) ?? bytes.count
      return [("Alter", Double(read + written)), ("all bytes", Double(2 * bytes.count))]
    },
  ]
}
