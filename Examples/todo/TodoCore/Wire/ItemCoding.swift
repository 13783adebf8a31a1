// The stored forms of the changes to one item, note or tag. The names are part of the file format: never change one.

extension TodoItem.Change: Codable {
  private enum Wire: String { case text, completed, priority, due, created, finished }

  /// Decodes `{"completed":true}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    self =
      switch wire.name {
      case .text: .text(try wire.payload())
      case .completed: .completed(try wire.payload())
      case .priority: .priority(try wire.payload())
      case .due: .due(try wire.payload())
      case .created: .created(try wire.payload())
      case .finished: .finished(try wire.payload())
      }
  }

  /// Encodes `{"completed":true}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try WireCase<Wire>.encode(.text, text, to: encoder)
    case .completed(let completed): try WireCase<Wire>.encode(.completed, completed, to: encoder)
    case .priority(let priority): try WireCase<Wire>.encode(.priority, priority, to: encoder)
    case .due(let day): try WireCase<Wire>.encode(.due, day, to: encoder)
    case .created(let day): try WireCase<Wire>.encode(.created, day, to: encoder)
    case .finished(let day): try WireCase<Wire>.encode(.finished, day, to: encoder)
    }
  }
}

extension Note.Change: Codable {
  private enum Wire: String { case text }

  /// Decodes `{"text":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    self =
      switch wire.name {
      case .text: .text(try wire.payload())
      }
  }

  /// Encodes `{"text":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try WireCase<Wire>.encode(.text, text, to: encoder)
    }
  }
}

extension Tag.Change: Codable {
  private enum Wire: String { case add, remove }

  /// Decodes `{"add":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    self =
      switch wire.name {
      case .add: .add(try wire.payload())
      case .remove: .remove(try wire.payload())
      }
  }

  /// Encodes `{"add":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let item): try WireCase<Wire>.encode(.add, item, to: encoder)
    case .remove(let item): try WireCase<Wire>.encode(.remove, item, to: encoder)
    }
  }
}
