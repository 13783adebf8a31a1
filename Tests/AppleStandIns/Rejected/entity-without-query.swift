// Rejected: does not conform to protocol 'AppEntity'
import AppIntents

private struct Item: AppEntity {
  static let typeDisplayRepresentation: TypeDisplayRepresentation = "Item"
  #if !REJECTED
    static let defaultQuery = Items()
  #endif
  let id: Int
  var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "Item") }
}

private struct Items: EntityQuery {
  func entities(for identifiers: [Int]) async throws -> [Item] { [] }
}
