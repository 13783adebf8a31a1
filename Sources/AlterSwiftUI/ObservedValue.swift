#if canImport(SwiftUI)
  public import AlterCore
  public import AlterStore
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// A value computed from a store's state that a view observes, made once for the life of the view.
  ///
  /// ```swift
  /// struct ListView: View {
  ///   @ObservedValue<AppState, TodoList> private var list: TodoList
  ///
  ///   init(store: Store<AppState>) { _list = ObservedValue(store, TodoList.init) }
  ///
  ///   var body: some View {
  ///     Text(list.title)
  ///     Button("Clear") { $list.send(.clear) }
  ///   }
  /// }
  /// ```
  ///
  /// The property is the value; with `$` it is the ``/AlterStore/Observed`` object, which sends changes and has the refusal and the status.
  /// SwiftUI evaluates the body again when the value differs, or another property of the object that the body has read. The wrapper needs
  /// the store in the view's `init`, so the store is a parameter of the view, and not a value of its environment.
  ///
  /// ## Lifetime
  ///
  /// SwiftUI creates a view each time its parent's body is evaluated. The object and its task are created when the body first reads the
  /// property, and stay until the view disappears permanently. By contrast, `State(initialValue: store.observed(…))` creates both at each
  /// evaluation of the parent's body, and discards them.
  ///
  /// Another store, or another `id`, creates a new object. The function alone can't be compared: if it captures a value that differs between
  /// two evaluations of the parent's body, pass this value as `id`.
  ///
  /// An action that an earlier evaluation has created, such as a task of the view, still reads the value of its own `id` and changes its own
  /// store. A refusal of the change that it sends with `$` appears in the view.
  @MainActor @propertyWrapper
  public struct ObservedValue<Model: Alterable, Value: Equatable & Sendable>: DynamicProperty {
    private let source: ObservedSource<Model, Value>
    // An empty object for each creation of the view. SwiftUI keeps the first one.
    @State private var holder = ObservedHolder<Model, Value>()

    /// Creates the wrapper; nothing is computed yet.
    ///
    /// - Parameters:
    ///   - store: The store. The value follows a different store from its next evaluation on.
    ///   - function: A pure function of the state, most often a view model's `init`.
    public init(_ store: Store<Model>, _ function: @escaping @Sendable (Model) -> Value) {
      source = ObservedSource(store, function)
    }

    /// Creates the wrapper for a part of the state that the view gets as a parameter; nothing is computed yet.
    ///
    /// ```swift
    /// _item = ObservedValue(store, id: id) { $0.items[id: id] }
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store. The value follows a different store from its next evaluation on.
    ///   - id: The values that the function captures. If they differ from those before, the new function applies.
    ///   - function: A pure function of the state.
    public init(_ store: Store<Model>, id: some Hashable & Sendable, _ function: @escaping @Sendable (Model) -> Value) {
      source = ObservedSource(store, id: AnyHashable(id), function)
    }

    /// The present value.
    public var wrappedValue: Value { source.value(in: holder) }

    /// The object that observes the store: it sends changes, and has the refusal and the status.
    public var projectedValue: Observed<Model, Value> { source.observed(in: holder) }
  }
#endif
