import Alter
import AlterSQLite
import Foundation

struct Plant: Identifiable, Hashable, Codable, Alterable {
  enum Change: Hashable, Codable { case watered, place(String) }

  let id: String
  private(set) var place = "window"
  private(set) var wateredAt: Date?

  init(_ name: String) { id = name }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .watered: stamp.mark(&wateredAt)
    case .place(let place): self.place = place
    }
  }
}

struct Garden: Journaled, Hashable {
  enum Change: Hashable, Codable { case plant(Plant), remove(String), change(String, Plant.Change) }

  private(set) var plants: IdentityArray<Plant> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .plant(let plant): try plants.add(plant)  // refused when there is one of that name
    case .remove(let name): try plants.remove(id: name)
    case .change(let name, let change): try plants.apply(change, to: name, at: stamp)  // one plant, in place
    }
  }
}

@main
struct Plants {
  static func main() async {
    do { try await run() } catch {
      print(error)  // the file can't be opened, for example. The message has the reason and the next step
      exit(1)
    }
  }

  static func run() async throws {
    let store = try await Store.open(Garden(), in: SQLiteJournal(at: "garden.db"))
    var words = CommandLine.arguments.dropFirst().makeIterator()
    let (verb, name, place) = (words.next() ?? "help", words.next() ?? "", words.next() ?? "")
    do {
      switch verb {
      case "plant": try store.change(.plant(Plant(name)))
      case "water": try store.change(.change(name, .watered))
      case "move": try store.change(.change(name, .place(place)))
      case "remove": try store.change(.remove(name))
      case "undo": try await store.undo()
      case "redo": try await store.redo()
      case "log": for record in try await store.entries(in: 1...store.revision) { print(record.revision, record.summary()) }
      default: print("plants plant|water|move|remove NAME [PLACE] | undo | redo | log")
      }
    } catch { print(error) }  // refused: the garden is as it was
    for plant in store.state.plants {
      print("\(plant.id), \(plant.place), \(plant.wateredAt == nil ? "never watered" : "watered")")
    }
    await store.close()  // writes what is pending
  }
}
