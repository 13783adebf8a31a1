import AlterCore
import AlterStore

@testable import AlterSwiftUI

/// A view of one item with an `EditedField`, as SwiftUI would call it: the parent renders it, and the user types.
///
/// The functions are those of the shell in `EditedField`: an evaluation may refresh the text, and each end of the editing may send it.
@MainActor
final class Detail {
  private let store: Store<AppState>
  private let holder = ObservedHolder<AppState, TodoItem?>()
  private var id: Int
  private var source: ObservedSource<AppState, TodoItem?>
  private var text: String
  private var typing: Typing

  init(_ store: Store<AppState>, id: Int) {
    (self.store, self.id) = (store, id)
    source = Self.source(store, id)
    text = source.value(in: holder)?.text ?? ""
    typing = Typing(text)
  }

  /// The text in the field.
  var shown: String { typing.shown }
  /// The item that the view shows.
  var item: TodoItem? { source.value(in: holder) }
  var refusal: ChangeError<Refusal>? { source.observed(in: holder).refusal }
  /// An action as the present evaluation of the body creates it, which may be called after later ones.
  var rename: Typing.Action { { [source, holder, id] in source.observed(in: holder).send(.item(id, .text($0))) } }

  func dismissRefusal() { source.observed(in: holder).isRefused = false }

  /// The parent is rendered, and may select another item.
  func render(id: Int? = nil) {
    self.id = id ?? self.id
    source = Self.source(store, self.id)
    refresh()
  }

  func type(_ new: String) { typing.type(new, over: text, action: rename) }
  func pressReturn() { end(isReturn: true) }
  /// The field loses the focus, or the view disappears.
  func leave() { end(isReturn: false) }

  private func end(isReturn: Bool) {
    guard let end = typing.end(over: text, action: rename, isReturn: isReturn) else { return }
    end.action(end.text)
    refresh()
  }

  private func refresh() {
    let new = item?.text ?? ""
    if new != text { typing.refresh(new) }
    text = new
  }

  private static func source(_ store: Store<AppState>, _ id: Int) -> ObservedSource<AppState, TodoItem?> {
    ObservedSource(store, id: id) { state in state.items.first { $0.id == id } }
  }
}
