#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The stored forms of the changes to a list. The names are part of the file format: never change one.

extension AppState.Change: Codable {
  private enum Wire: String { case add, update, remove, replace, item, entry, tag, trailer }

  /// Decodes `{"add":{"item":{…}}}` or `{"item":{"change":{"completed":true},"id":"…"}}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    switch wire.name {
    case .add: self = .add(try wire.payload())
    case .update: self = .update(try wire.payload())
    case .remove: self = .remove(try wire.payload())
    case .replace: self = .replace(try wire.payload())
    case .item:
      let (id, change): (UUID, TodoItem.Change) = try wire.path()
      self = .item(id, change)
    case .entry:
      let (id, change): (UUID, Note.Change) = try wire.path()
      self = .entry(id, change)
    case .tag:
      let (name, change): (String, Tag.Change) = try wire.path()
      self = .tag(name, change)
    case .trailer: self = .trailer(try wire.payload())
    }
  }

  /// Encodes `{"add":{"item":{…}}}` or `{"item":{"change":{"completed":true},"id":"…"}}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let one): try WireCase<Wire>.encode(.add, one, to: encoder)
    case .update(let one): try WireCase<Wire>.encode(.update, one, to: encoder)
    case .remove(let name): try WireCase<Wire>.encode(.remove, name, to: encoder)
    case .replace(let all): try WireCase<Wire>.encode(.replace, all, to: encoder)
    case .item(let id, let change): try WireCase<Wire>.encode(.item, id, change, to: encoder)
    case .entry(let id, let change): try WireCase<Wire>.encode(.entry, id, change, to: encoder)
    case .tag(let name, let change): try WireCase<Wire>.encode(.tag, name, change, to: encoder)
    case .trailer(let lines): try WireCase<Wire>.encode(.trailer, lines, to: encoder)
    }
  }
}

extension AppState.One: Codable {
  private enum Wire: String { case item, entry, tag }

  /// Decodes `{"item":{…}}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    self =
      switch wire.name {
      case .item: .item(try wire.payload())
      case .entry: .entry(try wire.payload())
      case .tag: .tag(try wire.payload())
      }
  }

  /// Encodes `{"item":{…}}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .item(let item): try WireCase<Wire>.encode(.item, item, to: encoder)
    case .entry(let note): try WireCase<Wire>.encode(.entry, note, to: encoder)
    case .tag(let tag): try WireCase<Wire>.encode(.tag, tag, to: encoder)
    }
  }
}

extension AppState.Name: Codable {
  private enum Wire: String { case item, entry, tag }

  /// Decodes `{"item":"…"}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    self =
      switch wire.name {
      case .item: .item(try wire.payload())
      case .entry: .entry(try wire.payload())
      case .tag: .tag(try wire.payload())
      }
  }

  /// Encodes `{"item":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .item(let id): try WireCase<Wire>.encode(.item, id, to: encoder)
    case .entry(let id): try WireCase<Wire>.encode(.entry, id, to: encoder)
    case .tag(let name): try WireCase<Wire>.encode(.tag, name, to: encoder)
    }
  }
}

extension AppState.All: Codable {
  private enum Wire: String { case items, entries, tags }

  /// Decodes `{"tags":[…]}`.
  ///
  /// - Throws: `DecodingError`, also for a case that this version doesn't know.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase<Wire>(of: Self.self, from: decoder)
    self =
      switch wire.name {
      case .items: .items(try wire.payload())
      case .entries: .entries(try wire.payload())
      case .tags: .tags(try wire.payload())
      }
  }

  /// Encodes `{"tags":[…]}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .items(let items): try WireCase<Wire>.encode(.items, items, to: encoder)
    case .entries(let notes): try WireCase<Wire>.encode(.entries, notes, to: encoder)
    case .tags(let tags): try WireCase<Wire>.encode(.tags, tags, to: encoder)
    }
  }
}
