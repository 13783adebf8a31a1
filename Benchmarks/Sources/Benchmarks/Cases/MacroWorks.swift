import Alter

// The code of the macro (`ExpandedModels.swift`) against code that is written by hand and changes the value in place.

struct HandLine: Identifiable, Hashable, Sendable {
  enum Change { case text(String), isDone(Bool) }

  let id: Int
  private(set) var text: String
  private(set) var isDone: Bool

  mutating func apply(_ change: Change) {
    switch change {
    case .text(let text): self.text = text
    case .isDone(let isDone): self.isDone = isDone
    }
  }
}

/// The minimum that the works need: a `Change` type of four changes, which fits into registers.
private struct SmallHandDocument {
  enum Change { case count(Int), title(String), names([String]), line(Int, HandLine.Change) }

  private(set) var title: String
  private(set) var subtitle: String
  private(set) var author: String?
  private(set) var count: Int
  private(set) var size: Int
  private(set) var ratio: Double
  private(set) var isOpen: Bool
  private(set) var names: [String]
  private(set) var numbers: [Int]
  private(set) var lines: IdentityArray<HandLine>

  mutating func apply(_ change: Change) throws(Refusal) {
    switch change {
    case .count(let count): self.count = count
    case .title(let title): self.title = title
    case .names(let names): self.names = names
    case .line(let id, let change):
      guard lines.modify(id: id, { $0.apply(change) }) != nil else { throw .missing("line", id) }
    }
  }
}

/// The same model as the macro's, with the same `Change` type.
struct HandDocument: Alterable {
  enum Change {
    case add(One), update(One), remove(Name), move(Place), replace(All)
    case title(String), subtitle(String), author(String?), count(Int), size(Int), ratio(Double), isOpen(Bool), names([String]), numbers(
      [Int])
    indirect case line(Int, HandLine.Change)
  }
  enum One { case line(HandLine) }
  enum Name { case line(Int) }
  enum Place { case line(Int, to: Int) }
  enum All { case lines(IdentityArray<HandLine>) }

  private(set) var title: String
  private(set) var subtitle: String
  private(set) var author: String?
  private(set) var count: Int
  private(set) var size: Int
  private(set) var ratio: Double
  private(set) var isOpen: Bool
  private(set) var names: [String]
  private(set) var numbers: [Int]
  private(set) var lines: IdentityArray<HandLine>

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(.line(let line)): try lines.add(line)
    case .update(.line(let line)): try lines.update(line)
    case .remove(.line(let id)): try lines.remove(id: id)
    case .move(.line(let id, let place)): try lines.move(id, to: place)
    case .replace(.lines(let lines)): self.lines = lines
    case .title(let title): self.title = title
    case .subtitle(let subtitle): self.subtitle = subtitle
    case .author(let author): self.author = author
    case .count(let count): self.count = count
    case .size(let size): self.size = size
    case .ratio(let ratio): self.ratio = ratio
    case .isOpen(let isOpen): self.isOpen = isOpen
    case .names(let names): self.names = names
    case .numbers(let numbers): self.numbers = numbers
    case .line(let id, let change):
      guard lines.modify(id: id, { $0.apply(change) }) != nil else { throw .missing("line", id) }
    }
  }
}

/// A model and two alternating changes. The changes come from memory, as those of a user or a journal do. With a literal in the call, the
/// compiler would know the case, and nothing would be left to measure.
struct Changing<Model: Sendable, Change: Sendable>: Sendable {
  var model: Model
  let changes: [Change]
  let stamp = Stamp.none
  var count = 0

  mutating func next(_ apply: (inout Model, Change, Stamp) throws(Refusal) -> Void) -> Int {
    count &+= 1
    do { try apply(&model, changes[count & 1], stamp) } catch { return -1 }
    return count
  }
}

func macroWorks() -> [Work] {
  let lines = 1_000
  @Sendable func expanded() -> Document {
    Document(
      title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2, isOpen: true, names: ["a", "b", "c"],
      numbers: [1, 2, 3], lines: IdentityArray((0..<lines).map { Line(id: $0, text: "A line", isDone: false) }))
  }
  @Sendable func hand() -> HandDocument {
    HandDocument(
      title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2, isOpen: true, names: ["a", "b", "c"],
      numbers: [1, 2, 3], lines: IdentityArray((0..<lines).map { HandLine(id: $0, text: "A line", isDone: false) }))
  }
  @Sendable func small() -> SmallHandDocument {
    SmallHandDocument(
      title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2, isOpen: true, names: ["a", "b", "c"],
      numbers: [1, 2, 3], lines: IdentityArray((0..<lines).map { HandLine(id: $0, text: "A line", isDone: false) }))
  }
  func work(
    _ name: String, _ changes: [Document.Change], _ handChanges: [HandDocument.Change], _ smallChanges: [SmallHandDocument.Change]
  ) -> Work {
    Work("macro's apply, \(name)", lines, goals: ["by hand": .ratio(atMost: 1.1), "by hand, four changes": .ratio(atMost: 2.5)]) {
      [
        Contender("Alter", state: Changing(model: expanded(), changes: changes)) {
          $0.next { document, change, stamp throws(Refusal) in try document.apply(change, at: stamp) }
        },
        Contender("by hand", state: Changing(model: hand(), changes: handChanges)) {
          $0.next { document, change, stamp throws(Refusal) in try document.apply(change, at: stamp) }
        },
        Contender("by hand, four changes", state: Changing(model: small(), changes: smallChanges)) {
          $0.next { document, change, _ throws(Refusal) in try document.apply(change) }
        },
      ]
    }.timed(by: .processor)
  }
  let titles = (1...2).map { "The title number \($0), which is on the heap" }
  let line = lines / 2
  return [
    work("a number", [.count(1), .count(2)], [.count(1), .count(2)], [.count(1), .count(2)]),
    work("a text", titles.map { .title($0) }, titles.map { .title($0) }, titles.map { .title($0) }),
    work(
      "in a line", [true, false].map { .line(line, .isDone($0)) }, [true, false].map { .line(line, .isDone($0)) },
      [true, false].map { .line(line, .isDone($0)) }),
  ] + levelsWorks()
}
