import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state whose stored form is fuzzed: a collection, an optional, a date, and changes of an element, in the form of the macro.
struct Notes: Journaled, Hashable {
  struct Note: Identifiable, Hashable {
    let id: UUID
    var text: String
    var due: Date?
    var weight: Double
  }

  enum Change: Hashable {
    case add(Note)
    case remove(UUID)
    case move(UUID, to: Int)
    case replace([Note])
    case text(UUID, String)
    case due(UUID, Date?)
  }

  private(set) var notes: IdentityArray<Note> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let note): try notes.add(note)
    case .remove(let id): try notes.remove(id: id)
    case .move(let id, let place): try notes.move(id, to: place)
    case .replace(let notes): self.notes.replace(with: notes)
    case .text(let id, let text): guard notes.modify(id: id, { $0.text = text }) != nil else { throw .missing("note", id) }
    case .due(let id, let day): guard notes.modify(id: id, { $0.due = day }) != nil else { throw .missing("note", id) }
    }
  }
}

extension Notes: Codable {
  init(from decoder: any Decoder) throws { notes = try WireReader(of: Self.self, from: decoder).value("notes") }

  func encode(to encoder: any Encoder) throws {
    var fields = WireWriter(to: encoder)
    try fields.write(notes, "notes")
  }
}

extension Notes.Note: Codable {
  init(from decoder: any Decoder) throws {
    let fields = try WireReader(of: Self.self, from: decoder)
    id = try fields.value("id")
    text = try fields.value("text", formerly: "title")
    due = try fields.value("due", default: nil)
    weight = try fields.value("weight", default: 0)
  }

  func encode(to encoder: any Encoder) throws {
    var fields = WireWriter(to: encoder)
    try fields.write(id, "id")
    try fields.write(text, "text")
    try fields.write(due, "due")
    try fields.write(weight, "weight")
  }
}

extension Notes.Change: Codable {
  private struct Place: Codable {
    let id: UUID
    let to: Int
  }

  private struct Text: Codable {
    let id: UUID
    let text: String
  }

  private struct Due: Codable {
    let id: UUID
    let due: Date?
  }

  init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "add": self = .add(try wire.value())
    case "remove": self = .remove(try wire.value())
    case "move":
      let place: Place = try wire.value()
      self = .move(place.id, to: place.to)
    case "replace": self = .replace(try wire.value())
    case "text":
      let text: Text = try wire.value()
      self = .text(text.id, text.text)
    case "due":
      let due: Due = try wire.value()
      self = .due(due.id, due.due)
    default: throw wire.unknown
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let note): try WireCase.encode("add", note, to: encoder)
    case .remove(let id): try WireCase.encode("remove", id, to: encoder)
    case .move(let id, let place): try WireCase.encode("move", Place(id: id, to: place), to: encoder)
    case .replace(let notes): try WireCase.encode("replace", notes, to: encoder)
    case .text(let id, let text): try WireCase.encode("text", Text(id: id, text: text), to: encoder)
    case .due(let id, let due): try WireCase.encode("due", Due(id: id, due: due), to: encoder)
    }
  }
}
