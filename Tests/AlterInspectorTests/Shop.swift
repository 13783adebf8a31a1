import Alter
import AlterInspector
import AlterSQLite
import AlterTesting
import Foundation
import StoreTesting

/// The state of these tests: products, and a private address.
struct Shop: Journaled, Hashable {
  struct Product: Identifiable, Hashable, Codable {
    let id: Int
    var title: String
    var price = 0
  }

  enum Change: Hashable, Codable {
    case add(Product), price(id: Int, price: Int), remove(Int), email(String), order, ordered
  }

  private(set) var products = IdentityArray<Product>()
  private(set) var email = ""
  private(set) var isOrdering = false

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let product): try products.add(product)
    case .price(let id, let price):
      guard products.modify(id: id, { $0.price = price }) != nil else { throw .missing("product", id) }
    case .remove(let id): try products.remove(id: id)
    case .email(let email): self.email = email
    case .order: isOrdering = true
    case .ordered: isOrdering = false
    }
  }

  static let conditions: [String: @Sendable (Shop) -> Bool] = [
    "expensive": { $0.products.contains { $0.price >= 100 } }, "never": { _ in false },
  ]

  /// Fills a journal with ten entries: 1 initial, 2-3 products, 4 price, 5 address, 6 a price of 500, which 7 undoes, 8 a product, 9 the
  /// removal of another, which 10 undoes.
  static func fill(_ journal: any Journal) async throws {
    var options = StoreOptions()
    options.followsOthers = false
    options.keepsJournalOpen = true
    let store = try await Store.open(Shop(), in: journal, options: options)
    try await store.change(.add(Product(id: 1, title: "Tea"))).durable()
    try await store.change(.add(Product(id: 2, title: "Milk & honey")), .add(Product(id: 3, title: "Salt"))).durable()
    try await store.change(.price(id: 2, price: 7)).durable()
    try await store.change(.email("jack@secret.example")).durable()
    try await store.change(.price(id: 1, price: 500)).durable()
    _ = try await store.undo()
    try await store.change(.add(Product(id: 4, title: "Bread"))).durable()
    try await store.change(.remove(3)).durable()
    _ = try await store.undo()
    await store.close()
  }

  /// The filled journal in memory.
  static func journal() async throws -> MemoryJournal {
    let journal = MemoryJournal(name: "shop")
    try await fill(journal)
    return journal
  }
}

extension TestWriter {
  /// The drafts of a journal: an initial state, then numbered changes. Every hundredth draft undoes the previous one.
  mutating func journal(_ count: Int) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = [draft(#"{"count":0}"#, kind: .initial, time: 0)]
    while drafts.count < count {
      let number = drafts.count + 1
      if number % 100 == 0, let target = drafts.last?.id, let payload = try? JournalCoding.encode(Entry.Targets([target])) {
        drafts.append(draft(String(decoding: payload, as: UTF8.self), kind: .undo, time: Int64(number)))
      } else {
        drafts.append(draft(#"[{"count":{"_0":\#(number)}}]"#, time: Int64(number)))
      }
    }
    return drafts
  }
}
