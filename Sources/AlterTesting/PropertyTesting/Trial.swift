import Alter

extension ChangeProperties {
  /// A broken property.
  struct Broken: Sendable {
    let what: PropertyFailure<State>.Broken
    /// The details: differences, or an error.
    let detail: String
  }

  /// The execution of one sequence of changes.
  struct Trial {
    let properties: ChangeProperties
    var state: State
    /// All changes that were tried, including refused ones.
    var changes: [State.Change] = []
    var refused = 0

    init(_ properties: ChangeProperties) {
      self.properties = properties
      state = properties.initial
    }

    /// Checks the initial state.
    func begin() -> Broken? {
      for rule in properties.rules where !rule.holds(state, nil, state) {
        return Broken(what: .invariant(rule.name), detail: "The initial state: \(TestWording.describe(state))")
      }
      return nil
    }

    /// Makes one more change, and checks all properties.
    mutating func make(_ change: State.Change) -> Broken? {
      let stamp = Stamp.testing(changes.count)
      changes.append(change)
      let before = state
      let first = Self.outcome(of: change, to: before, at: stamp)
      if let broken = differ(first, Self.outcome(of: change, to: before, at: stamp), .determinism, "the first time", "the second time") {
        return broken
      }
      if let broken = written(change, before, stamp, first) { return broken }
      if first.refusal != nil {
        refused += 1
        return nil
      }
      state = first.state
      for rule in properties.rules where !rule.holds(before, change, state) {
        return Broken(
          what: rule.isInvariant ? .invariant(rule.name) : .rule(rule.name),
          detail: before == state ? "It changes nothing: \(TestWording.describe(state))" : Self.list(before, state, "before", "after"))
      }
      return nil
    }

    /// Checks the properties of the whole sequence.
    func end() -> Broken? {
      var again = properties.initial
      for (place, change) in changes.enumerated() {
        let outcome = Self.outcome(of: change, to: again, at: .testing(place))
        if outcome.refusal == nil { again = outcome.state }
      }
      if again != state { return Broken(what: .determinism, detail: Self.list(state, again, "the first time", "the second time")) }
      guard let codable = state as? any Codable else { return nil }
      do {
        guard let read = try Self.copy(of: codable) as? State, read != state else { return nil }
        return Broken(what: .stateCoding, detail: Self.list(state, read, "written", "read"))
      } catch {
        return Broken(what: .stateCoding, detail: "  \(error)")
      }
    }

    // MARK: - The laws of every Alterable

    private struct Applied {
      var state: State
      var refusal: String?
    }

    private static func outcome(of change: State.Change, to state: State, at stamp: Stamp) -> Applied {
      var copy = state
      do {
        try copy.apply(change, at: stamp)
        return Applied(state: copy)
      } catch {
        return Applied(state: copy, refusal: "\(error)")
      }
    }

    private func differ(
      _ one: Applied, _ other: Applied, _ what: PropertyFailure<State>.Broken, _ oneName: String, _ otherName: String
    ) -> Broken? {
      if one.refusal != other.refusal {
        let (one, other) = (one.refusal ?? "made", other.refusal ?? "made")
        return Broken(what: what, detail: "  \(oneName): \(one)\n  \(otherName): \(other)")
      }
      guard one.state != other.state else { return nil }
      return Broken(what: what, detail: Self.list(one.state, other.state, oneName, otherName))
    }

    /// Checks that the change is the same after encoding and decoding, and that it has the same effect.
    private func written(_ change: State.Change, _ before: State, _ stamp: Stamp, _ outcome: Applied) -> Broken? {
      guard let codable = change as? any Codable else { return nil }
      do {
        guard let read = try Self.copy(of: codable) as? State.Change else { return nil }
        if let (one, other) = (change as? any Equatable).map({ ($0, read as Any) }), !Self.areEqual(one, other) {
          return Broken(what: .changeCoding, detail: Self.list(change, read, "written", "read"))
        }
        return differ(outcome, Self.outcome(of: read, to: before, at: stamp), .changeCoding, "original", "decoded")
      } catch {
        return Broken(what: .changeCoding, detail: "  \(error)")
      }
    }

    private static func copy<Value: Codable>(of value: Value) throws -> Any {
      try JournalCoding.decode(Value.self, from: JournalCoding.encode(value))
    }

    private static func areEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool { one == other as? Value }

    private static func list<Value>(_ one: Value, _ other: Value, _ oneName: String, _ otherName: String) -> String {
      let width = max(oneName.count, otherName.count)
      func padded(_ name: String) -> String { "    \(name): ".padding(to: width + 6) }
      return differences(from: one, to: other, limit: 20).map { difference in
        "  \(difference.path.isEmpty ? "it" : difference.path)\n\(padded(oneName))\(difference.old ?? "nothing")\n\(padded(otherName))\(difference.new ?? "nothing")"
      }.joined(separator: "\n")
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
