#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  // SwiftUI reports positions among the shown rows. The list may differ from the state: it may be filtered, and another process may have
  // changed the state since. So the positions become ids by the rows that are shown, and positions again by the present state.
  extension DynamicViewContent where Data.Element: Identifiable, Data.Element.ID: Sendable {
    /// Deletes and moves rows by their ids.
    ///
    /// ```swift
    /// ForEach(list.open) { … }
    ///   .editRows(of: $list, \.items, delete: { .remove($0) }, move: { .move($0, to: $1) })
    /// ```
    ///
    /// All rows of one gesture are one entry of the journal and one step to undo. A state with `@Alterable` declares its elements with
    /// `@Each(.add, .remove, .move)`, because `@Each` without a list has no moves.
    ///
    /// - **Delete**: rows that were deleted elsewhere meanwhile are left out, so they do not refuse the deletion of the others.
    /// - **Move**: the rows come before the row that they were dropped on, wherever that one is now; if it was deleted meanwhile, before
    ///   the next shown row; below the last one, at the end of the elements. A gesture that leaves all in place makes no entry. The
    ///   positions are those of this moment: they stay if another process turns out to have moved elements first.
    ///
    /// - Parameters:
    ///   - observed: The object that sends the screen's changes.
    ///   - elements: The elements in the state that have the rows' ids: an `IdentityArray` or any other collection.
    ///   - delete: Returns the change that removes the element of an id; nil if rows can't be deleted.
    ///   - move: Returns the change that moves the element of an id to a position; nil if rows can't be moved. The position is the one
    ///     after the move, as in ``/AlterCollections/IdentityArray/Change/move(_:to:)``.
    /// - Complexity: for each gesture, O(rows + moved rows × elements).
    @MainActor
    public func editRows<State, Value, Elements: Collection>(
      of observed: Observed<State, Value>, _ elements: KeyPath<State, Elements>,
      delete: (@MainActor (Data.Element.ID) -> State.Change)? = nil, move: (@MainActor (Data.Element.ID, Int) -> State.Change)? = nil
    ) -> some DynamicViewContent where Elements.Element: Identifiable, Elements.Element.ID == Data.Element.ID {
      let data = data
      func present() -> [Data.Element.ID] { observed.store.state[keyPath: elements].map(\.id) }
      return onDelete(
        perform: delete.map { delete in
          { offsets in
            observed.send(RowMove(of: offsets, in: data.map(\.id)).ids.filter(Set(present()).contains).map(delete))
          }
        }
      )
      .onMove(
        perform: move.map { move in
          { offsets, destination in
            let steps = RowMove(of: offsets, to: destination, in: data.map(\.id)).steps(in: present())
            observed.send(steps.map { move($0.id, $0.position) })
          }
        })
    }
  }

  /// A gesture on shown rows, in ids.
  private struct RowMove<ID: Hashable> {
    /// The rows that the gesture moves, in their order.
    let ids: [ID]
    /// The other shown rows below the place to which they move.
    private let following: [ID]

    init(of offsets: IndexSet, to destination: Int = 0, in rows: [ID]) {
      var known: Set<ID> = []
      // A gesture on two rows of one element concerns it once.
      ids = offsets.filter(rows.indices.contains).map { rows[$0] }.filter { known.insert($0).inserted }
      following = rows.indices.filter { $0 >= destination }.map { rows[$0] }.filter { !known.contains($0) }
    }

    /// The moves that bring the rows to their place in a list that may have changed, each with the position after it.
    func steps(in present: [ID]) -> [(id: ID, position: Int)] {
      var list = present
      let known = Set(present)
      let next = following.first(where: known.contains)
      let steps: [(ID, Int)] = ids.compactMap { id in
        guard let old = list.firstIndex(of: id) else { return nil }
        list.remove(at: old)
        let new = next.flatMap(list.firstIndex(of:)) ?? list.endIndex
        list.insert(id, at: new)
        return new == old ? nil : (id, new)
      }
      return list == present ? [] : steps
    }
  }
#endif
