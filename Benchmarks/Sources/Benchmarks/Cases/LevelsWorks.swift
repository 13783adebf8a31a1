import Alter

// A change five levels deep: through a collection, a struct, an enum, its payload and a collection again. The code of the macro
// (`ExpandedLevels.swift`) against the same nesting by hand, with `Change` types of the same cases.

struct HandParcel: Identifiable, Hashable, Sendable {
  enum Change { case title(String), weight(Int) }

  let id: Int
  private(set) var title: String
  private(set) var weight: Int

  mutating func apply(_ change: Change) {
    switch change {
    case .title(let title): self.title = title
    case .weight(let weight): self.weight = weight
    }
  }
}

struct HandLoad: Alterable {
  enum Change {
    indirect case add(One)
    case remove(Name), owner(String)
    indirect case parcel(Int, HandParcel.Change)
  }
  enum One { case parcel(HandParcel) }
  enum Name { case parcel(Int) }

  private(set) var owner: String
  private(set) var parcels: IdentityArray<HandParcel>

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(.parcel(let parcel)): try parcels.add(parcel)
    case .remove(.parcel(let id)): try parcels.remove(id: id)
    case .owner(let owner): self.owner = owner
    case .parcel(let id, let change):
      guard parcels.modify(id: id, { $0.apply(change) }) != nil else { throw .missing("parcel", id) }
    }
  }
}

enum HandCrate: Alterable {
  case empty
  case open(HandLoad)
  case sealed(HandLoad)

  enum Change {
    case fill(HandLoad), seal
    indirect case load(HandLoad.Change)
  }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .fill(let load):
      guard case .empty = self else { throw .illegal(from: "full", change: "fill") }
      self = .open(load)
    case .seal:
      guard case .open(let load) = self else { throw .illegal(from: "empty or sealed", change: "seal") }
      self = .sealed(load)
    case .load(let change):
      guard case .open(var load) = self else { throw .illegal(from: "empty or sealed", change: "load") }
      // The crate must not hold a second reference to the parcels while they change, or they would be copied.
      self = .empty
      defer { self = .open(load) }
      try load.apply(change, at: stamp)
    }
  }
}

struct HandRack: Alterable {
  enum Change {
    case label(String)
    indirect case crate(HandCrate.Change)
  }

  private(set) var label: String
  private(set) var crate: HandCrate

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .label(let label): self.label = label
    case .crate(let change): try crate.apply(change, at: stamp)
    }
  }
}

struct HandHall: Identifiable, Alterable {
  enum Change {
    case name(String)
    indirect case rack(HandRack.Change)
  }

  let id: Int
  private(set) var name: String
  private(set) var rack: HandRack

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .name(let name): self.name = name
    case .rack(let change): try rack.apply(change, at: stamp)
    }
  }
}

struct HandWarehouse: Alterable {
  enum Change {
    indirect case add(One)
    case remove(Name), town(String)
    indirect case hall(Int, HandHall.Change)
  }
  enum One { case hall(HandHall) }
  enum Name { case hall(Int) }

  private(set) var town: String
  private(set) var halls: IdentityArray<HandHall>

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(.hall(let hall)): try halls.add(hall)
    case .remove(.hall(let id)): try halls.remove(id: id)
    case .town(let town): self.town = town
    case .hall(let id, let change):
      let done: Void? = try halls.modify(id: id) { hall throws(Refusal) in try hall.apply(change, at: stamp) }
      guard done != nil else { throw .missing("hall", id) }
    }
  }
}

func levelsWorks() -> [Work] {
  let count = 100
  let middle = count / 2
  @Sendable func expanded() -> Warehouse {
    let parcels = IdentityArray((0..<count).map { Parcel(id: $0, title: "A parcel", weight: 0) })
    return Warehouse(
      town: "A town",
      halls: IdentityArray(
        (0..<count).map {
          Hall(id: $0, name: "A hall", rack: Rack(label: "A rack", crate: .open(Load(owner: "An owner", parcels: parcels))))
        }))
  }
  @Sendable func hand() -> HandWarehouse {
    let parcels = IdentityArray((0..<count).map { HandParcel(id: $0, title: "A parcel", weight: 0) })
    return HandWarehouse(
      town: "A town",
      halls: IdentityArray(
        (0..<count).map {
          HandHall(
            id: $0, name: "A hall", rack: HandRack(label: "A rack", crate: .open(HandLoad(owner: "An owner", parcels: parcels))))
        }))
  }
  let changes: [Warehouse.Change] = [1, 2].map { .hall(middle, .rack(.crate(.load(.parcel(middle, .weight($0)))))) }
  let handChanges: [HandWarehouse.Change] = [1, 2].map { .hall(middle, .rack(.crate(.load(.parcel(middle, .weight($0)))))) }
  // With an older version retained, a change copies the leaf of the hall and the leaf of the parcel.
  func work(_ name: String, retaining: Bool) -> Work {
    Work("macro's apply, five levels deep, \(name)", count * count, goals: ["by hand": .ratio(atMost: 1.1)]) {
      [
        Contender("Alter", state: Retaining(Changing(model: expanded(), changes: changes))) {
          if retaining { $0.previous = $0.changing.model }
          return $0.changing.next { warehouse, change, stamp throws(Refusal) in try warehouse.apply(change, at: stamp) }
        },
        Contender("by hand", state: Retaining(Changing(model: hand(), changes: handChanges))) {
          if retaining { $0.previous = $0.changing.model }
          return $0.changing.next { warehouse, change, stamp throws(Refusal) in try warehouse.apply(change, at: stamp) }
        },
      ]
    }.timed(by: .processor)
  }
  return [work("in place", retaining: false), work("retained", retaining: true)]
}

/// A model that changes, and its version before the latest change.
private struct Retaining<Model: Sendable, Change: Sendable>: Sendable {
  var changing: Changing<Model, Change>
  var previous: Model?

  init(_ changing: Changing<Model, Change>) { self.changing = changing }
}
