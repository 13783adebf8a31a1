import Alter
import AlterTesting
import Testing

/// A state that can't be encoded. The error contains its content.
private struct Unwritable: Journaled, Hashable {
  enum Change: Hashable, Codable { case nothing }
  struct Refused: Error { let secret: String }
  enum Way: String, Hashable, Codable { case error, codingError, none }

  private(set) var secret = "4111 1111 1111 1111"
  private(set) var way = Way.none

  init(_ way: Way) { self.way = way }
  mutating func apply(_ change: Change, at stamp: Stamp) {}

  private enum Key: CodingKey { case secret, way }

  func encode(to encoder: any Encoder) throws {
    switch way {
    case .error: throw Refused(secret: secret)
    case .codingError: throw EncodingError.invalidValue(secret, .init(codingPath: [Key.secret], debugDescription: "It is not for disks."))
    case .none:
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(secret, forKey: .secret)
      try container.encode(way, forKey: .way)
    }
  }
}

@Suite("A journal's first entry")
struct InitialEntryTests {
  @Test("that can't be written is an error that names the place or the error's type, and never the value", arguments: [true, false])
  func unwritable(isCodingError: Bool) async throws {
    let state = Unwritable(isCodingError ? .codingError : .error)
    let reason = isCodingError ? "It is not for disks. at secret" : "Refused"
    let opening = await #expect(throws: JournalError.self) { try await Store.open(state, in: MemoryJournal()) }
    let importing = await #expect(throws: ImportError<Never>.self) {
      try await Store.open(importing: "old.json", in: MemoryJournal()) { () async throws(Never) in state }
    }
    let copying = await #expect(throws: JournalError.self) { try await Store(state).copy(to: MemoryJournal(), squashing: true) }
    guard case .journal(let imported)? = importing else {
      Issue.record("another error")
      return
    }
    for (error, subject) in [(opening, "this initial state"), (imported, "the state imported from old.json"), (copying, "this state")] {
      let error = try #require(error)
      #expect(error.code == .unencodable)
      #expect(error.description.contains("can't begin with \(subject): it can't be written as JSON: \(reason)"), "\(error)")
      #expect(!error.description.contains("4111"))
    }
  }
}
