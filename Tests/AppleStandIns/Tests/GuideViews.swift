import AlterCore
import AlterJournal
import AlterStore
import AlterSwiftUI
import SwiftUI

// The code of the guide "In SwiftUI".

nonisolated struct TodoList: Equatable {
  let open: [TodoItem]
  let title: String

  init(_ state: AppState) {
    open = state.items.filter { !$0.completed }
    title = open.isEmpty ? "All done" : "\(open.count) to do"
  }
}

struct ListView: View {
  @ObservedValue<AppState, TodoList> private var list: TodoList

  init(store: Store<AppState>) { _list = ObservedValue(store, TodoList.init) }

  var body: some View {
    List(list.open) { item in
      HStack {
        Toggle("Done", isOn: Binding(get: { item.completed }, set: { $list.send(.item(item.id, .completed($0))) }))
        EditedField("Title", text: item.text) { $list.send(.item(item.id, .text($0))) }
      }
    }
    .navigationTitle(list.title)
    .refusalAlert("Not possible", of: $list)
  }
}

struct ItemView: View {
  @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

  init(store: Store<AppState>, id: Int) {
    _item = ObservedValue(store, id: id) { state in state.items.first { $0.id == id } }
  }

  var body: some View { Text(item?.text ?? "Deleted") }
}

struct SavingView: View {
  @ObservedValue<AppState, TodoList> private var list: TodoList

  init(store: Store<AppState>) { _list = ObservedValue(store, TodoList.init) }

  var body: some View {
    if case .failed(let error) = $list.status {
      ContentUnavailableView("Can't save any more", systemImage: "externaldrive.badge.xmark", description: Text(error.description))
    }
  }
}

nonisolated struct Recipe: Alterable, Equatable {
  enum Change { case portions(Int), vegetarian(Bool) }

  var portions = 2
  var isVegetarian = false

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .portions(let portions): self.portions = portions
    case .vegetarian(let isVegetarian): self.isVegetarian = isVegetarian
    }
  }
}

struct RecipeView: View {
  @ObservedValue<Recipe, Recipe> private var recipe: Recipe

  init(store: Store<Recipe>) { _recipe = ObservedValue(store) { $0 } }

  var body: some View {
    Stepper("Portions", value: $recipe.binding(\.portions) { .portions($0) })
    Toggle("Vegetarian", isOn: $recipe.binding(\.isVegetarian) { .vegetarian($0) })
    Text("\(recipe.portions) portions")
  }
}
