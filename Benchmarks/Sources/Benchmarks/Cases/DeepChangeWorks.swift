import Alter

// Five levels, each with siblings. The models are written by hand with the same code as the macro's.

protocol Level: Identifiable, Alterable where ID == Int, Failure == Refusal {
  init(_ id: Int, siblings: Int)
}

struct Note: Level {
  enum Change { case text(Int) }

  let id: Int
  private(set) var text = 0

  init(_ id: Int, siblings: Int) { self.id = id }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .text(let text): self.text = text
    }
  }
}

/// A node with children of one kind. Only the middle child has children.
struct Node<Child: Level>: Level {
  indirect enum Change { case child(Int, Child.Change), put(Child), name(Int) }

  let id: Int
  private(set) var name = 0
  private(set) var children: IdentityArray<Child>

  init(_ id: Int, siblings: Int) {
    self.id = id
    children = IdentityArray((0..<siblings).map { Child($0, siblings: $0 == siblings / 2 ? siblings : 0) })
  }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .child(let id, let change): try children.apply(change, to: id, at: stamp)
    case .put(let child): children.put(child)
    case .name(let name): self.name = name
    }
  }
}

typealias Company = Node<Node<Node<Node<Node<Note>>>>>

func deep(_ siblings: Int, _ text: Int) -> Company.Change {
  let id = siblings / 2
  return .child(id, .child(id, .child(id, .child(id, .child(id, .text(text))))))
}

func deepChangeWorks(_ options: Options) -> [Work] {
  struct State {
    var company: Company
    var previous: Company?
    let siblings: Int
    var text = 0

    init(_ siblings: Int) {
      self.siblings = siblings
      company = Company(0, siblings: siblings)
    }

    mutating func change() -> Int {
      text &+= 1
      do { try company.apply(deep(siblings, text), at: .none) } catch { return -1 }
      return text
    }
  }
  func contenders(retaining: Bool) -> [Contender] {
    [("Alter", 100_000), ("10 siblings", 10)].map { name, siblings in
      Contender(name, state: State(siblings)) { state in
        if retaining { state.previous = state.company }
        return state.change()
      }
    }
  }
  return [
    Work("deep change, in place", 100_000, goals: ["10 siblings": .ratio(atMost: 1.5)]) { contenders(retaining: false) }
      .timed(by: .processor),
    // Each version is kept until the next one. A change therefore copies a leaf and the branches above it; with 10 siblings there are no
    // branches.
    Work("deep change, retained", 100_000, goals: ["10 siblings": .ratio(atMost: 3)]) { contenders(retaining: true) }.timed(
      by: .processor),
  ]
}
