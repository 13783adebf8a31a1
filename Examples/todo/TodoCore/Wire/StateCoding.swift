public import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

extension AppState.Change: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("item") {
      var object = try reader.beginObject()
      let change: TodoItem.Change = try reader.required("change", in: &object)
      let id: UUID = try reader.required("id", in: &object)
      try reader.endObject(&object)
      self = .item(id, change)
    } else if reader.isCase("add") {
      self = .add(try reader.value())
    } else if reader.isCase("update") {
      self = .update(try reader.value())
    } else if reader.isCase("remove") {
      self = .remove(try reader.value())
    } else if reader.isCase("move") {
      var object = try reader.beginObject()
      let id: UUID = try reader.required("id", in: &object)
      let position: Int = try reader.required("to", in: &object)
      try reader.endObject(&object)
      self = .move(id, to: position)
    } else if reader.isCase("replace") {
      self = .replace(try reader.value())
    } else if reader.isCase("entry") {
      var object = try reader.beginObject()
      let change: Note.Change = try reader.required("change", in: &object)
      let id: UUID = try reader.required("id", in: &object)
      try reader.endObject(&object)
      self = .entry(id, change)
    } else if reader.isCase("tag") {
      var object = try reader.beginObject()
      let change: Tag.Change = try reader.required("change", in: &object)
      let id: String = try reader.required("id", in: &object)
      try reader.endObject(&object)
      self = .tag(id, change)
    } else if reader.isCase("trailer") {
      self = .trailer(try reader.value())
    } else if reader.isCase("cloud") {
      self = .cloud(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .item(let id, let change):
      try writer.beginCase("item")
      try writer.beginObject()
      try writer.field(change, "change")
      try writer.field(id, "id")
      writer.endObject()
    case .add(let value):
      try writer.beginCase("add")
      try writer.value(value)
    case .update(let value):
      try writer.beginCase("update")
      try writer.value(value)
    case .remove(let value):
      try writer.beginCase("remove")
      try writer.value(value)
    case .move(let id, let position):
      try writer.beginCase("move")
      try writer.beginObject()
      try writer.field(id, "id")
      try writer.field(position, "to")
      writer.endObject()
    case .replace(let value):
      try writer.beginCase("replace")
      try writer.value(value)
    case .entry(let id, let change):
      try writer.beginCase("entry")
      try writer.beginObject()
      try writer.field(change, "change")
      try writer.field(id, "id")
      writer.endObject()
    case .tag(let id, let change):
      try writer.beginCase("tag")
      try writer.beginObject()
      try writer.field(change, "change")
      try writer.field(id, "id")
      writer.endObject()
    case .trailer(let value):
      try writer.beginCase("trailer")
      try writer.value(value)
    case .cloud(let value):
      try writer.beginCase("cloud")
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension AppState.One: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("item") {
      self = .item(try reader.value())
    } else if reader.isCase("entry") {
      self = .entry(try reader.value())
    } else if reader.isCase("tag") {
      self = .tag(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .item(let value):
      try writer.beginCase("item")
      try writer.value(value)
    case .entry(let value):
      try writer.beginCase("entry")
      try writer.value(value)
    case .tag(let value):
      try writer.beginCase("tag")
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension AppState.Name: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("item") {
      self = .item(try reader.value())
    } else if reader.isCase("entry") {
      self = .entry(try reader.value())
    } else if reader.isCase("tag") {
      self = .tag(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .item(let value):
      try writer.beginCase("item")
      try writer.value(value)
    case .entry(let value):
      try writer.beginCase("entry")
      try writer.value(value)
    case .tag(let value):
      try writer.beginCase("tag")
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension AppState.All: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("items") {
      self = .items(try reader.value())
    } else if reader.isCase("entries") {
      self = .entries(try reader.value())
    } else if reader.isCase("tags") {
      self = .tags(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .items(let value):
      try writer.beginCase("items")
      try writer.value(value)
    case .entries(let value):
      try writer.beginCase("entries")
      try writer.value(value)
    case .tags(let value):
      try writer.beginCase("tags")
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension Cloud: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("saving") {
      var object = try reader.beginObject()
      let to: String = try reader.required("to", in: &object)
      try reader.endObject(&object)
      self = .saving(to: to)
    } else if reader.isCase("saved") {
      var object = try reader.beginObject()
      let items: Int = try reader.required("items", in: &object)
      let to: String = try reader.required("to", in: &object)
      try reader.endObject(&object)
      self = .saved(to: to, items: items)
    } else if reader.isCase("failed") {
      var object = try reader.beginObject()
      let to: String = try reader.required("to", in: &object)
      let why: String = try reader.required("why", in: &object)
      try reader.endObject(&object)
      self = .failed(to: to, why: why)
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .saving(let to):
      try writer.beginCase("saving")
      try writer.beginObject()
      try writer.field(to, "to")
      writer.endObject()
    case .saved(let to, let items):
      try writer.beginCase("saved")
      try writer.beginObject()
      try writer.field(items, "items")
      try writer.field(to, "to")
      writer.endObject()
    case .failed(let to, let why):
      try writer.beginCase("failed")
      try writer.beginObject()
      try writer.field(to, "to")
      try writer.field(why, "why")
      writer.endObject()
    }
    writer.endObject()
  }
}

extension Cloud.Change: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("save") {
      self = .save(to: try reader.value())
    } else if reader.isCase("saved") {
      self = .saved(items: try reader.value())
    } else if reader.isCase("failed") {
      self = .failed(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .save(let value):
      try writer.beginCase("save")
      try writer.value(value)
    case .saved(let value):
      try writer.beginCase("saved")
      try writer.value(value)
    case .failed(let value):
      try writer.beginCase("failed")
      try writer.value(value)
    }
    writer.endObject()
  }
}
