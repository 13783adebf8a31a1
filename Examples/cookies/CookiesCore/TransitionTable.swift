public import Alter

/// The transitions of a type with exclusive states, found by making every change in every state.
///
/// The states are those that the changes lead to, one for each case. Nothing in the table is written by hand, so it can't disagree with
/// `apply`.
public struct TransitionTable: Hashable, Sendable {
  /// The effect of a change in a state.
  public enum Effect: Hashable, Sendable {
    /// The state refuses the change.
    case refused
    /// The change does nothing in the state.
    case ignored
    /// The change leads to a case, which may be the same one with another payload.
    case leads(to: String)
  }

  /// The names of the changes, in the order given.
  public let changes: [String]
  /// The states in the order in which they were reached, each with the effect of every change.
  public let rows: [Row]

  /// The effects of all changes in one state.
  public struct Row: Hashable, Sendable {
    /// The name of the state.
    public let state: String
    /// The effects, in the order of the changes.
    public let effects: [Effect]
  }

  /// Makes every change in every state that can be reached.
  ///
  /// - Parameters:
  ///   - start: The first state.
  ///   - changes: A change of each kind. Whether a state takes a change may depend on the cases of both, but not on their payloads.
  /// - Complexity: O(states × changes) applications.
  public init<State: Alterable & Hashable>(from start: State, changes: [State.Change]) {
    var states = [start]
    var rows: [Row] = []
    while rows.count < states.count {
      let state = states[rows.count]
      let effects = changes.map { change -> Effect in
        guard let next = try? state.alter(change) else { return .refused }
        if !states.contains(where: { Self.name($0) == Self.name(next) }) { states.append(next) }
        return next == state ? .ignored : .leads(to: Self.name(next))
      }
      rows.append(Row(state: Self.name(state), effects: effects))
    }
    (self.changes, self.rows) = (changes.map { Self.name($0) }, rows)
  }

  /// The table as lines of text: `-` for a refused change, `=` for one that does nothing.
  public var lines: [String] {
    let cells =
      [[""] + changes]
      + rows.map { row in
        [row.state]
          + row.effects.map { effect in
            switch effect {
            case .refused: "-"
            case .ignored: "="
            case .leads(let state): state
            }
          }
      }
    let width = (cells.joined().map(\.count).max() ?? 0) + 2
    return cells.map { line in
      let text = line.map { $0 + String(repeating: " ", count: width - $0.count) }.joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The name of an enum's case, without its payload.
  private static func name(_ value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
}
