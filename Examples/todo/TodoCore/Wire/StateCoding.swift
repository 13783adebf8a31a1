import Alter

// The stored forms of the changes to a list. The names are part of the file format: never change one.

extension AppState.Change: Codable {
  /// Decodes `{"add":{"item":{…}}}` or `{"item":{"change":{"completed":true},"id":"…"}}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "add": self = .add(try wire.value())
    case "update": self = .update(try wire.value())
    case "remove": self = .remove(try wire.value())
    case "move":
      let fields = try wire.fields()
      self = .move(try fields.value("id"), to: try fields.value("to"))
    case "replace": self = .replace(try wire.value())
    case "item": self = try wire.path(Self.item)
    case "entry": self = try wire.path(Self.entry)
    case "tag": self = try wire.path(Self.tag)
    case "trailer": self = .trailer(try wire.value())
    case "cloud": self = .cloud(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"add":{"item":{…}}}` or `{"item":{"change":{"completed":true},"id":"…"}}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let one): try WireCase.encode("add", one, to: encoder)
    case .update(let one): try WireCase.encode("update", one, to: encoder)
    case .remove(let name): try WireCase.encode("remove", name, to: encoder)
    case .move(let id, let position):
      try WireCase.encode("move", to: encoder) { fields in
        try fields.write(id, "id")
        try fields.write(position, "to")
      }
    case .replace(let all): try WireCase.encode("replace", all, to: encoder)
    case .item(let id, let change): try WireCase.encode("item", id: id, change: change, to: encoder)
    case .entry(let id, let change): try WireCase.encode("entry", id: id, change: change, to: encoder)
    case .tag(let name, let change): try WireCase.encode("tag", id: name, change: change, to: encoder)
    case .trailer(let lines): try WireCase.encode("trailer", lines, to: encoder)
    case .cloud(let change): try WireCase.encode("cloud", change, to: encoder)
    }
  }
}

extension AppState.One: Codable {
  /// Decodes `{"item":{…}}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "item": self = .item(try wire.value())
    case "entry": self = .entry(try wire.value())
    case "tag": self = .tag(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"item":{…}}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .item(let item): try WireCase.encode("item", item, to: encoder)
    case .entry(let note): try WireCase.encode("entry", note, to: encoder)
    case .tag(let tag): try WireCase.encode("tag", tag, to: encoder)
    }
  }
}

extension AppState.Name: Codable {
  /// Decodes `{"item":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "item": self = .item(try wire.value())
    case "entry": self = .entry(try wire.value())
    case "tag": self = .tag(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"item":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .item(let id): try WireCase.encode("item", id, to: encoder)
    case .entry(let id): try WireCase.encode("entry", id, to: encoder)
    case .tag(let name): try WireCase.encode("tag", name, to: encoder)
    }
  }
}

extension AppState.All: Codable {
  /// Decodes `{"tags":[…]}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "items": self = .items(try wire.value())
    case "entries": self = .entries(try wire.value())
    case "tags": self = .tags(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"tags":[…]}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .items(let items): try WireCase.encode("items", items, to: encoder)
    case .entries(let notes): try WireCase.encode("entries", notes, to: encoder)
    case .tags(let tags): try WireCase.encode("tags", tags, to: encoder)
    }
  }
}

extension Cloud: Codable {
  /// Decodes `{"saved":{"items":3,"to":"https://…"}}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    let fields = try wire.fields()
    switch wire.name {
    case "saving": self = .saving(to: try fields.value("to"))
    case "saved": self = .saved(to: try fields.value("to"), items: try fields.value("items"))
    case "failed": self = .failed(to: try fields.value("to"), why: try fields.value("why"))
    default: throw wire.unknown
    }
  }

  /// Encodes `{"saved":{"items":3,"to":"https://…"}}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .saving(let url):
      try WireCase.encode("saving", to: encoder) { try $0.write(url, "to") }
    case .saved(let url, let items):
      try WireCase.encode("saved", to: encoder) { fields in
        try fields.write(url, "to")
        try fields.write(items, "items")
      }
    case .failed(let url, let why):
      try WireCase.encode("failed", to: encoder) { fields in
        try fields.write(url, "to")
        try fields.write(why, "why")
      }
    }
  }
}

extension Cloud.Change: Codable {
  /// Decodes `{"save":"https://…"}`, `{"saved":3}` or `{"failed":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "save": self = .save(to: try wire.value())
    case "saved": self = .saved(items: try wire.value())
    case "failed": self = .failed(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"save":"https://…"}`, `{"saved":3}` or `{"failed":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .save(let url): try WireCase.encode("save", url, to: encoder)
    case .saved(let items): try WireCase.encode("saved", items, to: encoder)
    case .failed(let why): try WireCase.encode("failed", why, to: encoder)
    }
  }
}
