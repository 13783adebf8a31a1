import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state of these tests: items whose ids come from the stamps of the changes that added them, and slots that one change can claim.
///
/// A payload is a few bytes instead of JSON, so that a simulation makes millions of steps.
struct Shelf: SyncState, Hashable {
  /// The number of marks of each item.
  private(set) var items: [UUID: Int] = [:]
  private(set) var slots: Set<UInt8> = []
  private(set) var name: Data

  init(initial: Data) { name = initial }

  init(_ bytes: StateBytes) {
    var payload = bytes.payload[...]
    func take(_ count: Int) -> Data {
      defer { payload = payload.dropFirst(count) }
      return Data(payload.prefix(count))
    }
    name = take(Int(take(1)[0]))
    slots = Set(take(Int(take(1)[0])))
    while !payload.isEmpty {
      let id = take(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      items[id] = Int(take(1)[0])
    }
  }

  /// The name and the slots with their counts, and the items, in the order of their ids.
  var bytes: StateBytes {
    var payload = Data([UInt8(name.count)]) + name + [UInt8(slots.count)] + slots.sorted()
    for (id, marks) in items.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
      payload += withUnsafeBytes(of: id.uuid) { Data($0) } + [UInt8(marks)]
    }
    return StateBytes(payload, schema: 1)
  }

  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
    let bytes = Array(payload)
    switch bytes.first {
    case 1:
      guard items.updateValue(0, forKey: stamp.uuid()) == nil else { throw .refused("the item is there already") }
    case 2 where bytes.count == 3, 3 where bytes.count == 3:
      let id = Shelf.item(EntryID(bytes[1], Int64(bytes[2])))
      guard let marks = items[id] else { throw .refused("there is no such item") }
      items[id] = bytes[0] == 2 ? marks + 1 : nil
    case 4 where bytes.count == 2:
      guard slots.insert(bytes[1]).inserted else { throw .refused("the slot is taken") }
    case 5: break
    default: throw .undecodable
    }
  }

  /// The id of the item that a draft adds.
  static func item(_ id: EntryID) -> UUID { Stamp(time: 0, origin: id.origin, sequence: id.sequence).uuid() }
}

/// The changes of a shelf.
enum ShelfChange: Hashable {
  case add
  /// Marks the item that a draft has added.
  case mark(EntryID)
  case remove(EntryID)
  case claim(UInt8)
  /// A change without an effect, of a number of bytes.
  case note(Int)
  /// Bytes that no server can decode.
  case nonsense

  var payload: Data {
    switch self {
    case .add: Data([1])
    case .mark(let id): Data([2, id.origin.number, UInt8(id.sequence)])
    case .remove(let id): Data([3, id.origin.number, UInt8(id.sequence)])
    case .claim(let slot): Data([4, slot])
    case .note(let size): Data([5] + Array(repeating: 0, count: max(0, size - 1)))
    case .nonsense: Data([9])
    }
  }
}

extension Origin {
  /// An origin from a number.
  static func numbered(_ number: UInt8) -> Origin {
    Origin(UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
  }

  /// The number of ``numbered(_:)``.
  var number: UInt8 { uuid.uuid.0 }
}

extension EntryID {
  init(_ origin: UInt8, _ sequence: Int64) { self.init(origin: .numbered(origin), sequence: sequence) }
}

extension SyncDraft {
  init(
    _ origin: UInt8, _ sequence: Int64, _ change: ShelfChange, scope: UndoScope = .journal, schema: Int = 1, answers: EntryID? = nil,
    requires: EntryID? = nil
  ) {
    self.init(
      id: EntryID(origin, sequence), time: 0, scope: scope, schema: schema, content: .changes(change.payload), answers: answers,
      requires: requires)
  }

  init(_ origin: UInt8, _ sequence: Int64, _ content: Content, scope: UndoScope = .journal) {
    self.init(id: EntryID(origin, sequence), time: 0, scope: scope, content: content)
  }
}

extension Ledger<Shelf> {
  /// A journal with its initial entry.
  static func new(window: Int = 100, generation: UInt64 = 1, schema: Int = 1, rules: ModelRules = .all) -> Ledger {
    Ledger(
      JournalID(Origin.numbered(200).uuid), lineage: Lineage(Generation(generation)),
      initial: .initial(EntryID(200, 1), Data("server".utf8)), window: window, schema: schema, rules: rules)
  }
}

/// A policy that answers from its properties.
struct ShelfPolicy: LedgerPolicy, Hashable {
  var readers: Set<Principal> = [.ann, .bob]
  var writers: Set<Principal> = [.ann, .bob]
  var scopes: Set<UndoScope> = [.journal, "own"]
  /// Whether its database is down.
  var isDown = false
  /// The slot that it lets no principal claim.
  var reserved: UInt8 = 99

  func mayRead(_ principal: Principal) -> Bool { readers.contains(principal) }
  func mayWrite(_ principal: Principal) -> Bool { writers.contains(principal) }
  func grants(_ scope: UndoScope, to principal: Principal) -> Bool { scopes.contains(scope) }

  func permit(_ principal: Principal, _ draft: SyncDraft, in state: Shelf, arrival: Int64) -> Permission {
    if isDown { return .failed }
    return draft.content == .changes(ShelfChange.claim(reserved).payload) ? .denied("the slot is reserved") : .permitted
  }
}

extension Principal {
  static let ann = Principal("ann")
  static let bob = Principal("bob")
}
