/// A list whose copies share each element until one of them changes it. A step of a simulation changes one device of a world, and the
/// copies of all others would cost more than the step.
struct Parts<Element>: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  private final class Box {
    var value: Element
    init(_ value: Element) { self.value = value }
  }

  private var boxes: [Box]

  init(arrayLiteral elements: Element...) { boxes = elements.map(Box.init) }

  var startIndex: Int { 0 }
  var endIndex: Int { boxes.count }

  subscript(place: Int) -> Element {
    _read { yield boxes[place].value }
    _modify {
      if !isKnownUniquelyReferenced(&boxes[place]) { boxes[place] = Box(boxes[place].value) }
      yield &boxes[place].value
    }
  }

  mutating func append(_ element: Element) { boxes.append(Box(element)) }

  @discardableResult
  mutating func remove(at place: Int) -> Element { boxes.remove(at: place).value }

  mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows { try boxes.removeAll { try isRemoved($0.value) } }
}
