#if Postgres
  /// A first-in, first-out queue. Appending and removing cost O(1) amortised.
  struct Queue<Element> {
    private var elements: [Element?] = []
    private var start = 0

    /// The next element, or nil if the queue is empty.
    var first: Element? { isEmpty ? nil : elements[start] }
    var isEmpty: Bool { start == elements.count }
    var count: Int { elements.count - start }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
      guard !isEmpty else { return nil }
      let element = elements[start]
      elements[start] = nil
      start += 1
      if start == elements.count || start > 64 && start > elements.count / 2 {
        elements.removeFirst(start)
        start = 0
      }
      return element
    }

    /// Modifies the next element in place, if there is one.
    mutating func modifyFirst(_ body: (inout Element) -> Void) {
      guard !isEmpty, var element = elements[start] else { return }
      elements[start] = nil
      body(&element)
      elements[start] = element
    }
  }
#endif
