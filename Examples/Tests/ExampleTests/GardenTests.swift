import Alter
import Foundation
import Testing

@testable import plants

// The tests of the guide "Getting started".

@Test func thereIsOnePlantOfEachName() throws {
  let garden = try Garden().alter(.plant(Plant("Fern")))
  #expect(garden.plants.map(\.id) == ["Fern"])
  #expect(throws: Refusal.self) { try garden.alter(.plant(Plant("Fern"))) }
}

@Test func undoBringsAPlantBack() async throws {
  let store = try await Store.open(Garden(), in: MemoryJournal())
  try store.change(.plant(Plant("Fern")))
  try store.change(.change("Fern", .place("balcony")))
  try store.change(.remove("Fern"))
  try await store.undo()
  #expect(store.state.plants.map(\.place) == ["balcony"])
}

@Test func aPlantIsWateredAtATime() {
  let (fern, noon) = (Plant("Fern"), Date(timeIntervalSince1970: 43_200))
  #expect(fern.alter(.watered, at: noon).wateredAt == noon)
  #expect(fern.alter(.watered, at: noon).alter(.watered).wateredAt == noon)
  #expect(fern.alter(.watered).wateredAt == nil)  // outside a store there is no time, and it is not 1970
}
