import Alter
import Testing

/// The guide "Identity".
enum IdentityGuide {
  // snippet: identity-person
  struct Person: Identifiable, Hashable, Codable, Alterable {
    /// A separate type for the id. The compiler rejects any other id in its place.
    struct ID: Hashable, Codable, Sendable {
      let department: String
      let number: Int
    }

    enum Change: Hashable, Codable { case raise(by: Int), name(String) }

    let id: ID
    private(set) var name: String
    private(set) var salary: Int

    init(_ department: String, _ number: Int, name: String, salary: Int) {
      id = ID(department: department, number: number)
      (self.name, self.salary) = (name, salary)
    }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .raise(let amount): salary += amount
      case .name(let name): self.name = name
      }
    }
  }
  // end

  // snippet: identity-identifier
  struct Room: Identifiable, Hashable, Codable {
    let id: Identifier<Room, Int>
    var name: String
  }

  struct Booking: Identifiable, Hashable, Codable {
    let id: Identifier<Booking, Int>
    var room: Room.ID  // a number, but no other number fits
  }
  // end

  @Suite("The guide Identity")
  struct Tests {
    @Test("tells identity from equality")
    func identity() async throws {
      // snippet: identity-jack
      let jack = Person("Stage", 7, name: "Jack", salary: 3_000)
      let richer = jack.alter(.raise(by: 500))

      #expect(jack != richer)  // two values
      #expect(isTheSameIdentity(jack, richer))  // of one person
      #expect(Set([jack, richer]).count == 2)  // a set keeps Jack twice
      #expect(IdentityArray([jack, richer]) == [richer])  // an identity array the latest of him
      // end

      // snippet: identity-booking
      let rooms: IdentityArray = [Room(id: 7, name: "Studio")]
      let booking = Booking(id: 1, room: 7)  // a literal needs no type

      #expect(rooms[id: booking.room]?.name == "Studio")
      // rooms[id: booking.id] does not compile: cannot convert 'Identifier<Booking, Int>' to 'Identifier<Room, Int>'
      // end

      // snippet: identity-array
      var staff: IdentityArray = [jack]
      let before = staff  // shares everything with `staff`

      staff.put(richer)  // the latest value of an identity wins, in its place
      try staff.apply(.raise(by: 100), to: jack.id, at: .none)  // one element, in place
      #expect(staff[id: jack.id]?.salary == 3_600)
      #expect(throws: Refusal.self) { try staff.add(jack) }  // `add` refuses a duplicate, `update` a missing one

      let changes = staff.changes(from: before)  // costs what has changed, not what there is
      #expect(changes.count == 1)
      // end

      // snippet: identity-store
      let people = Store<IdentityArray<Person>>([])
      try people.put(jack)
      try people.put(richer)
      #expect(people.latest(jack) == richer)  // a holder of an old Jack finds the present one
      try people.change(jack.id, .raise(by: 100))  // one person, by their own changes
      #expect(people.latest(jack)?.salary == 3_600)
      // end
      await people.close()
    }
  }
}
