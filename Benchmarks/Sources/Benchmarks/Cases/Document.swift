import Alter

extension Document {
  /// A document of realistic size: each line is a short text.
  init(lineCount: Int) {
    self.init(
      title: "A title", subtitle: "A subtitle", author: nil, count: 0, size: 1, ratio: 2.5, isOpen: true, names: ["a", "b", "c"],
      numbers: [1, 2, 3],
      lines: IdentityArray((0..<lineCount).map { Line(id: $0, text: "A line of some words, number \($0)", isDone: $0 % 3 == 0) }))
  }
}
