// Rejected: does not conform to protocol 'EntityIdentifierConvertible'
import AppIntents

private struct Key: Hashable, Sendable { let number: Int }

private struct Item: AppEntity {
  static let typeDisplayRepresentation: TypeDisplayRepresentation = "Item"
  static let defaultQuery = Items()
  #if REJECTED
    let id: Key
  #else
    let id: Int
  #endif
  var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "Item") }
}

private struct Items: EntityQuery {
  #if REJECTED
    func entities(for identifiers: [Key]) async throws -> [Item] { [] }
  #else
    func entities(for identifiers: [Int]) async throws -> [Item] { [] }
  #endif
}
