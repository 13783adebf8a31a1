import Alter

// What the macro writes (`ExpandedModels.swift`) against what one writes by hand, in place, without it.

private struct HandLine: Identifiable, Hashable {
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

/// The least that the works need: a vocabulary of four changes, which fits into registers.
private struct HandDocument {
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

/// With every change that the macro's has, and a stamp.
private struct HandDocumentOfManyChanges {
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
    case .add(.line(let line)): lines.add(line)
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

func macroWorks() -> [Work] {
  struct Counted<Value> {
    var value: Value
    var count = 0

    mutating func next(_ change: (inout Value, Int) throws(Refusal) -> Void) -> Int {
      count &+= 1
      do { try change(&value, count) } catch { return -1 }
      return count
    }
  }
  let lines = 1_000
  func expanded() -> Counted<Document> {
    Counted(
      value: Document(
        title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2, isOpen: true, names: ["a", "b", "c"],
        numbers: [1, 2, 3], lines: IdentityArray((0..<lines).map { Line(id: $0, text: "A line", isDone: false) })))
  }
  func hand() -> Counted<HandDocument> {
    Counted(
      value: HandDocument(
        title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2, isOpen: true, names: ["a", "b", "c"],
        numbers: [1, 2, 3], lines: IdentityArray((0..<lines).map { HandLine(id: $0, text: "A line", isDone: false) })))
  }
  func many() -> Counted<HandDocumentOfManyChanges> {
    Counted(
      value: HandDocumentOfManyChanges(
        title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2, isOpen: true, names: ["a", "b", "c"],
        numbers: [1, 2, 3], lines: IdentityArray((0..<lines).map { HandLine(id: $0, text: "A line", isDone: false) })))
  }
  func work(
    _ name: String, _ change: @escaping @Sendable (Int) -> Document.Change, _ handChange: @escaping @Sendable (Int) -> HandDocument.Change,
    _ manyChange: @escaping @Sendable (Int) -> HandDocumentOfManyChanges.Change
  ) -> Work {
    Work("macro's apply, \(name)", lines, goals: ["by hand": .ratio(atMost: 1.1), "by hand, four changes": .ratio(atMost: 2.5)]) {
      [
        Contender("Alter", state: expanded()) {
          $0.next { document, count throws(Refusal) in try document.apply(change(count), at: .none) }
        },
        Contender("by hand", state: many()) {
          $0.next { document, count throws(Refusal) in try document.apply(manyChange(count), at: .none) }
        },
        Contender("by hand, four changes", state: hand()) {
          $0.next { document, count throws(Refusal) in try document.apply(handChange(count)) }
        },
      ]
    }.timed(by: .processor)
  }
  return [
    work("a number", { .count($0) }, { .count($0) }, { .count($0) }),
    work(
      "a text", { .title($0 & 1 == 0 ? "One title" : "Another title") }, { .title($0 & 1 == 0 ? "One title" : "Another title") },
      { .title($0 & 1 == 0 ? "One title" : "Another title") }),
    work(
      "in a line", { .line(lines / 2, .isDone($0 & 1 == 0)) }, { .line(lines / 2, .isDone($0 & 1 == 0)) },
      { .line(lines / 2, .isDone($0 & 1 == 0)) }),
  ]
}
