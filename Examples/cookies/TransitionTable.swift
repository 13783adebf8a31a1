import Alter
import Foundation

/// The transitions of a type with exclusive states, found by making every change in every state.
///
/// The states are those that the changes lead to, one for each case. No line of the table is written by hand, so it can't disagree with
/// `apply`.
struct TransitionTable {
  /// The names of the changes.
  let changes: [String]
  /// The states in the order in which they were reached, each with the state that every change leads to; nil if the change is refused.
  private(set) var rows: [(state: String, next: [String?])] = []

  /// Makes every change in every state that can be reached.
  ///
  /// - Parameters:
  ///   - start: The first state.
  ///   - changes: A change of each kind. Whether a state takes a change may depend on the cases of both, but not on their payloads.
  init<State: Alterable>(from start: State, changes: [State.Change]) {
    self.changes = changes.map { Self.name($0) }
    var states = [start]
    while rows.count < states.count {
      let next = changes.map { [state = states[rows.count]] change in try? state.alter(change) }
      for case let state? in next where !states.contains(where: { Self.name($0) == Self.name(state) }) { states.append(state) }
      rows.append((Self.name(states[rows.count]), next.map { $0.map { Self.name($0) } }))
    }
  }

  /// The table as lines of text: `-` for a refused change.
  var lines: [String] {
    let cells = [[""] + changes] + rows.map { [$0.state] + $0.next.map { $0 ?? "-" } }
    let width = (cells.joined().map(\.count).max() ?? 0) + 2
    return cells.map { row in
      row.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) }.joined().replacing(#/ +$/#, with: "")
    }
  }

  /// The name of an enum's case, without its payload.
  private static func name(_ value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
}
