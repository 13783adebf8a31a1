import Alter
import Foundation
import Testing

// What the article "Getting started" shows (Sources/Alter/Documentation.docc/GettingStarted.md): change both together.

// snippet: model
struct Plant: Identifiable, Hashable, Codable, Alterable {
  enum Change: Hashable, Codable { case name(String), watered }

  let id: Int
  private(set) var name: String
  private(set) var wateredAt: Int64?

  init(id: Int, name: String) { (self.id, self.name) = (id, name) }

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .name(let name): self.name = name
    case .watered: wateredAt = stamp.time
    }
  }
}
// end

// snippet: state
struct Garden: Journaled, Hashable {
  enum Change: Hashable, Codable { case plant(Plant), remove(Int), change(Int, Plant.Change) }

  private(set) var plants: IdentityArray<Plant> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .plant(let plant): try plants.insert(plant)
    case .remove(let id): try plants.remove(id: id)
    case .change(let id, let change): try plants.alter(id, change, at: stamp)
    }
  }
}
// end

@Suite("The article Getting started")
struct GettingStartedExample {
  @Test("shows a model as a pure function")
  func pure() throws {
    // snippet: pure
    let fern = Plant(id: 1, name: "Fern")
    let renamed = fern.alter(.name("Boston fern"))  // refuses nothing: no try
    let garden = try Garden().alter(.plant(fern), .change(1, .name("Boston fern")))
    // end
    #expect(renamed.name == "Boston fern")
    #expect(garden.plants == [renamed])
    #expect(throws: Refusal.duplicate(kind: "Plant", id: "1")) { try garden.alter(.plant(fern)) }
  }

  @Test("shows a store")
  func store() async throws {
    let fern = Plant(id: 1, name: "Fern")
    let journal = MemoryJournal()
    // snippet: store
    let store = try await Store.open(Garden(), in: journal)
    let commit = try store.change(.plant(fern), .change(1, .watered))  // both or none; visible at once
    let revision = try await commit.durable()  // 2: after the initial state
    // end
    #expect(revision == 2)
    // snippet: time
    try store.change(.remove(1))
    try await store.undo()  // the fern is back
    let before = try await store.state(at: 1)  // an empty garden
    // end
    #expect(store.state.plants[id: 1]?.wateredAt != nil)
    #expect(before.plants.isEmpty)
    // snippet: observe
    let observation = store.observe { record, garden in
      print(record?.revision ?? "from here on", garden.plants.count)
    }
    // end
    observation.cancel()
    // snippet: values
    for await count in store.values(of: { $0.plants.count }) {
      guard count < 3 else { break }
      try store.change(.plant(Plant(id: count + 1, name: "Seedling")))
    }
    // end
    #expect(store.state.plants.map(\.id) == [1, 2, 3])
    // snippet: close
    let unwritten = await store.close()  // writes what is pending, ends the streams, closes the journal
    // end
    #expect(unwritten.isEmpty)
  }

  @Test("is in the article, to the letter")
  func codeIsTheSame() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/Alter/Documentation.docc/GettingStarted.md"), encoding: .utf8)
    var snippets: [String: [Substring]] = [:]
    var current: String?
    for line in try String(contentsOf: here, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// snippet: ") {
        current = String(text.dropFirst("// snippet: ".count))
      } else if text == "// end" {
        current = nil
      } else if let name = current {
        snippets[name, default: []].append(line)
      }
    }
    #expect(snippets.count == 8)
    for (name, lines) in snippets {
      let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
      let code = lines.map { $0.dropFirst(min(indentation, $0.count)) }.joined(separator: "\n")
      #expect(article.contains("```swift\n\(code)\n```"), "the article's snippet '\(name)' differs")
    }
  }
}
