import Foundation
import ProcessTesting
import StoreTesting
import Testing

@Suite("The compiler")
struct RejectedCodeTests {
  private static let model = """
    import Alter

    struct Counter: Alterable {
      enum Change: Sendable { case add(Int) }
      private(set) var count = 0
      mutating func apply(_ change: Change, at stamp: Stamp) { if case .add(let number) = change { count += number } }
    }

    """

  /// The compiler's errors for some code, against the modules with which these tests were built.
  private func errors(in code: String) async throws -> String {
    let folder = try Folder()
    try folder.write((Self.model + code).utf8, to: "code.swift")
    let modules = Product.folders.flatMap { ["-I", "\($0)/Modules"] }
    let command = ["/usr/bin/env", "swiftc", "-typecheck", "-swift-version", "6", folder.path("code.swift")] + modules
    let outcome = try await onThread { Result { try ChildProcess.run(command) } }.get()
    return outcome.output + outcome.errors
  }

  @Test("takes a change, several and a list of them, and no call without any")
  func noChange() async throws {
    let accepted = """
      func use(_ store: Store<Counter>) throws {
        try store.change(.add(1))
        try store.change(.add(1), .add(2))
        try store.change(.add(1), .add(2), .add(3), cause: nil)
        try store.change([])
      }
      """
    #expect(try await errors(in: accepted) == "")
    #expect(try await errors(in: "func use(_ store: Store<Counter>) throws { try store.change() }").contains("error: "))
  }

  @Test("takes an id of the model that is meant, and no other model's")
  func otherID() async throws {
    let models = """
      struct Person: Identifiable { let id: Identifier<Person, Int> }
      struct Room: Identifiable { let id: Identifier<Room, Int> }
      func book(_ room: Room.ID, for person: Person.ID) {}

      """
    let accepted = "func use(_ room: Room, _ person: Person) { book(room.id, for: person.id); book(7, for: 1) }"
    #expect(try await errors(in: models + accepted) == "")
    let rejected = "func use(_ room: Room, _ person: Person) { book(person.id, for: room.id) }"
    #expect(try await errors(in: models + rejected).contains("error: "))
    #expect(try await errors(in: models + "func use(_ number: Int) { book(number, for: 1) }").contains("error: "))
    #expect(try await errors(in: models + "func use(_ room: Room, _ person: Person) -> Bool { room.id == person.id }").contains("error: "))
  }
}
