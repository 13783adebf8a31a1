#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

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
      let rows = data
      return onDelete(perform: delete.map { delete in { observed.delete($0, of: rows.map(\.id), in: elements, delete) } })
        .onMove(perform: move.map { move in { observed.move($0, to: $1, of: rows.map(\.id), in: elements, move) } })
    }
  }
#endif
