import AlterCore
import Foundation
import Testing

@Suite("An id of a model")
struct IdentifierTests {
  /// An owner that is no value: not Sendable, and nothing else either.
  final class Registry {}

  struct Person: Identifiable, Hashable, Codable {
    let id: Identifier<Person, String>
    var name: String
  }
  struct Room: Identifiable, Hashable, Codable {
    let id: Identifier<Room, Int>
    var guest: Person.ID?
    var beds: [Identifier<Registry, UUID>: Int] = [:]
  }
  /// `Room` before it had ids of its own.
  struct RawRoom: Hashable, Codable {
    let id: Int
    var guest: String?
    var beds: [UUID: Int] = [:]
  }
  struct Place: Hashable, Codable {
    let floor: Int
    let door: String
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("is equal, ordered and hashed as its raw value, and written as a literal")
  func values() {
    let (jack, jill): (Person.ID, Person.ID) = ("jack", "jill")
    #expect(jack == Person.ID("jack") && jack != jill && jack < jill)
    #expect(Set([jack, jill, "jack"]).count == 2)
    #expect(jack.hashValue == jack.rawValue.hashValue)
    let seven: Room.ID = 7
    #expect(seven.rawValue == 7 && seven < 8)
    let letter: Identifier<Person, Character> = "x"
    let scalar: Identifier<Person, Unicode.Scalar> = "x"
    #expect(letter.rawValue == "x" && scalar.rawValue == "x")
    #expect(MemoryLayout<Room.ID>.size == MemoryLayout<Int>.size)
  }

  @Test("is Sendable whenever its raw value is, whatever its owner")
  func sendable() {
    func take(_ value: some Sendable) {}
    take(Identifier<Registry, Int>(1))
  }

  @Test("is of one owner: an id of another has another type")
  func owners() {
    #expect(Identifier<Person, Int>.self != Identifier<Room, Int>.self)
    #expect(AnyHashable(Identifier<Person, Int>(7)) != AnyHashable(Identifier<Room, Int>(7)))
  }

  @Test("is stored as its raw value, so that what was stored with raw ids is read on")
  func stored() throws {
    let bed = UUID()
    let old = RawRoom(id: 7, guest: "jack", beds: [bed: 2])
    let room = Room(id: 7, guest: "jack", beds: [Identifier(bed): 2])
    #expect(try json(room) == json(old))
    #expect(try JSONDecoder().decode(Room.self, from: Data(json(old).utf8)) == room)
    #expect(try json([Identifier<Room, Place>(Place(floor: 1, door: "a"))]) == #"[{"door":"a","floor":1}]"#)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Room.ID].self, from: Data(#"["seven"]"#.utf8)) }
  }

  @Test("is the key of a stored dictionary as its raw value")
  func keys() throws {
    let (byName, byNumber): ([Person.ID: Int], [Room.ID: Int]) = (["jack": 1, "jill": 2], [7: 1, -8: 2])
    #expect(try json(byName) == #"{"jack":1,"jill":2}"#)
    #expect(try json(byNumber) == json([7: 1, -8: 2]))
    #expect(try JSONDecoder().decode([Person.ID: Int].self, from: Data(json(byName).utf8)) == byName)
    #expect(try JSONDecoder().decode([Room.ID: Int].self, from: Data(json(byNumber).utf8)) == byNumber)
  }

  @Test("reads in messages as its raw value")
  func texts() {
    #expect("\(Room.ID(7))" == "7" && "\(Person.ID("jack"))" == "jack")
    let rooms = [Room(id: 7), Room(id: 8)]
    var later = rooms
    later[0].guest = "jack"
    #expect(differences(from: rooms, to: later).map(\.description) == [#"[7].guest: nil → "jack""#])
    #expect(
      differences(from: [Person(id: "jack", name: "Jack")], to: []).map(\.description) == [
        #"["jack"]: removed Person(id: "jack", name: "Jack")"#
      ])
    let (one, two) = (Identifier<Room, Date>(Date(timeIntervalSince1970: 1)), Identifier<Room, Date>(Date(timeIntervalSince1970: 1.4)))
    #expect(differences(from: one, to: two).map(\.description) == ["1970-01-01T00:00:01Z → 1970-01-01T00:00:01.4Z"])
    #expect("\(two)" == "1970-01-01T00:00:01.4Z")
  }
}
