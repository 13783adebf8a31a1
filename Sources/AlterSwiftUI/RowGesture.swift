import AlterCore
import AlterStore

/// A gesture on shown rows, in ids.
///
/// SwiftUI reports positions among the shown rows. The list may differ from the state: it may be filtered, and another process may have
/// changed the state since. So the positions become ids by the rows that are shown, and positions again by the present state.
struct RowGesture<ID: Hashable> {
  /// The rows that the gesture concerns, in their order.
  private let ids: [ID]
  /// The other shown rows below the place to which they move.
  private let following: [ID]

  /// Creates a gesture.
  ///
  /// - Parameters:
  ///   - offsets: The positions of the rows that it concerns.
  ///   - destination: The position of the row before which they are dropped.
  ///   - rows: The ids of the shown rows.
  init(on offsets: some Sequence<Int>, to destination: Int = 0, in rows: [ID]) {
    var known: Set<ID> = []
    // A gesture on two rows of one element concerns it once.
    ids = offsets.filter(rows.indices.contains).map { rows[$0] }.filter { known.insert($0).inserted }
    following = rows.indices.filter { $0 >= destination }.map { rows[$0] }.filter { !known.contains($0) }
  }

  /// The ids to delete from a list that may have changed.
  func deletions(in present: [ID]) -> [ID] { ids.filter(Set(present).contains) }

  /// The moves that bring the rows to their place in a list that may have changed, each with the position after it.
  func moves(in present: [ID]) -> [(id: ID, position: Int)] {
    var list = present
    let known = Set(present)
    let next = following.first(where: known.contains)
    let moves: [(ID, Int)] = ids.compactMap { id in
      guard let old = list.firstIndex(of: id) else { return nil }
      list.remove(at: old)
      let new = next.flatMap(list.firstIndex(of:)) ?? list.endIndex
      list.insert(id, at: new)
      return new == old ? nil : (id, new)
    }
    return list == present ? [] : moves
  }
}

extension Observed {
  /// Deletes the elements of some shown rows: one entry, without those that were deleted elsewhere.
  func delete<Elements: Collection>(
    _ offsets: some Sequence<Int>, of rows: [Elements.Element.ID], in elements: KeyPath<State, Elements>,
    _ change: (Elements.Element.ID) -> State.Change
  ) where Elements.Element: Identifiable {
    send(RowGesture(on: offsets, in: rows).deletions(in: present(elements)).map(change))
  }

  /// Moves the elements of some shown rows: one entry, or none if all stay in place.
  func move<Elements: Collection>(
    _ offsets: some Sequence<Int>, to destination: Int, of rows: [Elements.Element.ID], in elements: KeyPath<State, Elements>,
    _ change: (Elements.Element.ID, Int) -> State.Change
  ) where Elements.Element: Identifiable {
    send(RowGesture(on: offsets, to: destination, in: rows).moves(in: present(elements)).map { change($0.id, $0.position) })
  }

  private func present<Elements: Collection>(_ elements: KeyPath<State, Elements>) -> [Elements.Element.ID]
  where Elements.Element: Identifiable { store.state[keyPath: elements].map(\.id) }
}
