public import Alter

// The stored forms of the changes to one item, note or tag. The names are part of the file format: never change one.

extension TodoItem.Change: Codable {
  /// Decodes `{"completed":true}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "text": self = .text(try wire.value())
    case "completed": self = .completed(try wire.value())
    case "priority": self = .priority(try wire.value())
    case "due": self = .due(try wire.value())
    case "created": self = .created(try wire.value())
    case "finished": self = .finished(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"completed":true}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try WireCase.encode("text", text, to: encoder)
    case .completed(let completed): try WireCase.encode("completed", completed, to: encoder)
    case .priority(let priority): try WireCase.encode("priority", priority, to: encoder)
    case .due(let day): try WireCase.encode("due", day, to: encoder)
    case .created(let day): try WireCase.encode("created", day, to: encoder)
    case .finished(let day): try WireCase.encode("finished", day, to: encoder)
    }
  }
}

extension Note.Change: Codable {
  /// Decodes `{"text":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "text": self = .text(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"text":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try WireCase.encode("text", text, to: encoder)
    }
  }
}

extension Tag.Change: Codable {
  /// Decodes `{"add":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "add": self = .add(try wire.value())
    case "remove": self = .remove(try wire.value())
    default: throw wire.unknown
    }
  }

  /// Encodes `{"add":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let item): try WireCase.encode("add", item, to: encoder)
    case .remove(let item): try WireCase.encode("remove", item, to: encoder)
    }
  }
}

extension TodoItem.Change: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("text") {
      self = .text(try reader.value())
    } else if reader.isCase("completed") {
      self = .completed(try reader.value())
    } else if reader.isCase("priority") {
      self = .priority(try reader.value())
    } else if reader.isCase("due") {
      self = .due(try reader.value())
    } else if reader.isCase("created") {
      self = .created(try reader.value())
    } else if reader.isCase("finished") {
      self = .finished(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .text(let value):
      try writer.beginCase("text")
      try writer.value(value)
    case .completed(let value):
      try writer.beginCase("completed")
      try writer.value(value)
    case .priority(let value):
      try writer.beginCase("priority")
      try writer.value(value)
    case .due(let value):
      try writer.beginCase("due")
      try writer.value(value)
    case .created(let value):
      try writer.beginCase("created")
      try writer.value(value)
    case .finished(let value):
      try writer.beginCase("finished")
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension Note.Change: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("text") {
      self = .text(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .text(let value):
      try writer.beginCase("text")
      try writer.value(value)
    }
    writer.endObject()
  }
}

extension Tag.Change: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("add") {
      self = .add(try reader.value())
    } else if reader.isCase("remove") {
      self = .remove(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .add(let value):
      try writer.beginCase("add")
      try writer.value(value)
    case .remove(let value):
      try writer.beginCase("remove")
      try writer.value(value)
    }
    writer.endObject()
  }
}
