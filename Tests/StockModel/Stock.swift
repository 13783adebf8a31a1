import Alter
import AlterJournal
import Foundation

/// The state of the tests of a server: items whose ids come from the stamps of the changes that added them, and slots that one change can claim.
package struct Stock: Journaled, Hashable {
  package enum Change: Hashable, Codable {
    case add
    case mark(UUID)
    case remove(UUID)
    case claim(Int)
    case note(String)
  }
  package typealias Failure = Refusal

  package private(set) var items: [UUID: Int] = [:]
  package private(set) var slots: Set<Int> = []

  package init() {}

  package mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add: items[stamp.uuid()] = 0
    case .mark(let id):
      guard let marks = items[id] else { throw .missing("item", "\(id)") }
      items[id] = marks + 1
    case .remove(let id): guard items.removeValue(forKey: id) != nil else { throw .missing("item", "\(id)") }
    case .claim(let slot): guard slots.insert(slot).inserted else { throw .duplicate("slot", "\(slot)") }
    case .note: break
    }
  }

  package static var empty: Data { (try? JournalCoding.encode(Stock())) ?? Data() }
  package static func bytes(_ changes: [Change]) -> Data { (try? JournalCoding.encode(changes)) ?? Data() }

  /// The id of the item that a draft adds.
  package static func item(_ id: EntryID) -> UUID { Stamp(time: 0, origin: id.origin, sequence: id.sequence).uuid() }
}
