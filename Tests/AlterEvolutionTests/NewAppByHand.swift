import Alter

/// The new version of the app, written by hand with the same names and the same stored bytes.
enum NewAppByHand {
  struct Item: Identifiable, Hashable, Journaled {
    enum Change: Hashable { case text(String), completed(Bool), priority(String) }

    let id: Int
    private(set) var text: String
    private(set) var completed: Bool
    private(set) var priority: String

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .text(let text): self.text = text
      case .completed(let completed): self.completed = completed
      case .priority(let priority): self.priority = priority
      }
    }

    init(from decoder: any Decoder) throws {
      let fields = try WireReader(of: Self.self, from: decoder)
      id = try fields.value("id")
      text = try fields.value("text", formerly: "title")
      completed = try fields.value("completed", formerly: "done")
      priority = try fields.value("priority", default: "normal")
    }

    func encode(to encoder: any Encoder) throws {
      var fields = WireWriter(to: encoder)
      try fields.write(id, "id")
      try fields.write(text, "text")
      try fields.write(completed, "completed")
      try fields.write(priority, "priority")
    }
  }

  struct State: Hashable, Journaled {
    enum Change: Hashable {
      case add(Item)
      case update(Item)
      case remove(Int)
      case move(Int, to: Int)
      case replace([Item])
      case item(Int, Item.Change)
      case name(String)
    }

    private(set) var items: IdentityArray<Item>
    private(set) var name: String

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .add(let item): try items.add(item)
      case .update(let item): try items.update(item)
      case .remove(let id): try items.remove(id: id)
      case .move(let id, let position): try items.move(id, to: position)
      case .replace(let items): self.items.replace(with: items)
      case .item(let id, let change): try items.apply(change, to: id, at: stamp)
      case .name(let name): self.name = name
      }
    }

    init(from decoder: any Decoder) throws {
      let fields = try WireReader(of: Self.self, from: decoder)
      items = try fields.value("items", formerly: "todos")
      name = try fields.value("name")
    }

    func encode(to encoder: any Encoder) throws {
      var fields = WireWriter(to: encoder)
      try fields.write(items, "items")
      try fields.write(name, "name")
    }
  }
}

extension NewAppByHand.Item.Change: Codable {
  init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "text", "title": self = .text(try wire.value())
    case "completed", "done": self = .completed(try wire.value())
    case "priority": self = .priority(try wire.value())
    default: throw wire.unknown
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try WireCase.encode("text", text, to: encoder)
    case .completed(let completed): try WireCase.encode("completed", completed, to: encoder)
    case .priority(let priority): try WireCase.encode("priority", priority, to: encoder)
    }
  }
}

extension NewAppByHand.State.Change: Codable {
  /// A state with one collection needs no enum for the kind of collection. It can still store the same bytes as the macro.
  private struct Only<Value: Codable>: Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      value = try WireReader(of: Self.self, from: decoder).value("item", formerly: "todo", "items", "todos")
    }

    func encode(to encoder: any Encoder) throws {
      var fields = WireWriter(to: encoder)
      try fields.write(value, Value.self is [NewAppByHand.Item].Type ? "items" : "item")
    }
  }

  private struct Place: Codable {
    let id: Int
    let to: Int
  }

  init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "add": self = .add(try wire.value(Only.self).value)
    case "update": self = .update(try wire.value(Only.self).value)
    case "remove": self = .remove(try wire.value(Only.self).value)
    case "move":
      let place = try wire.value(Only<Place>.self).value
      self = .move(place.id, to: place.to)
    case "replace": self = .replace(try wire.value(Only.self).value)
    case "item", "todo": self = try wire.path(Self.item)
    case "name": self = .name(try wire.value())
    default: throw wire.unknown
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let item): try WireCase.encode("add", Only(item), to: encoder)
    case .update(let item): try WireCase.encode("update", Only(item), to: encoder)
    case .remove(let id): try WireCase.encode("remove", Only(id), to: encoder)
    case .move(let id, let position): try WireCase.encode("move", Only(Place(id: id, to: position)), to: encoder)
    case .replace(let items): try WireCase.encode("replace", Only(items), to: encoder)
    case .item(let id, let change): try WireCase.encode("item", id: id, change: change, to: encoder)
    case .name(let name): try WireCase.encode("name", name, to: encoder)
    }
  }
}
