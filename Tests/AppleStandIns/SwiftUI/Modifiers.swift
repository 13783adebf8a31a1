// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  // Life

  // Compared with View/onAppear(perform:) and /onDisappear(perform:).
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { modified(.appear(action ?? {})) }
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { modified(.disappear(action ?? {})) }

  nonisolated public func task(
    name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID, line: Int = #line,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View {
    modified(.task(id: AnyHashable(0), action: Job(action)))
  }

  nonisolated public func task<T>(
    id value: T, name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID, line: Int = #line,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View where T: Equatable {
    modified(.task(id: AnyHashable(Compared(value)), action: Job(action)))
  }

  nonisolated public func onChange<V>(of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void) -> some View
  where V: Equatable {
    modified(
      .change(value, isInitial: initial) { old, new in
        if let old = old as? V, let new = new as? V { action(old, new) }
      })
  }

  nonisolated public func onChange<V>(of value: V, initial: Bool = false, _ action: @escaping () -> Void) -> some View
  where V: Equatable {
    modified(.change(value, isInitial: initial) { _, _ in action() })
  }

  // Compared with View/id(_:).
  nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable { Identified(content: self, id: AnyHashable(id)) }

  // Controls

  nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
    modified(.focus(isFocused: { condition.wrappedValue }, set: { condition.wrappedValue = $0 }))
  }

  nonisolated public func focused<Value>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View where Value: Hashable {
    modified(.focus(isFocused: { binding.wrappedValue == value }, set: { if $0 { binding.wrappedValue = value } }))
  }

  // Compared with View/onSubmit(of:_:).
  nonisolated public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
    modified(.submit(action))
  }

  // Compared with View/disabled(_:), /tag(_:includeOptional:), /labelsHidden(), /moveDisabled(_:), /deleteDisabled(_:) and /padding(_:_:).
  nonisolated public func disabled(_ disabled: Bool) -> some View { modified(.disabled(disabled)) }
  nonisolated public func tag<V>(_ tag: V, includeOptional: Bool = true) -> some View where V: Hashable { modified(.tag(AnyHashable(tag))) }
  nonisolated public func labelsHidden() -> some View { modified(.other) }
  nonisolated public func moveDisabled(_ isDisabled: Bool) -> some View { modified(.other) }
  nonisolated public func deleteDisabled(_ isDisabled: Bool) -> some View { modified(.other) }
  nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { modified(.other) }
  nonisolated public func padding(_ length: CGFloat) -> some View { modified(.other) }

  // Alerts and sheets

  nonisolated public func alert<A>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A) -> some View
  where A: View {
    modified(.alert(AlertParts(title: titleKey.key, isPresented: isPresented, actions: actions())))
  }

  @_disfavoredOverload
  nonisolated public func alert<S, A>(_ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A) -> some View
  where S: StringProtocol, A: View {
    modified(.alert(AlertParts(title: String(title), isPresented: isPresented, actions: actions())))
  }

  nonisolated public func alert<A, M>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
  ) -> some View where A: View, M: View {
    modified(.alert(AlertParts(title: titleKey.key, isPresented: isPresented, actions: actions(), message: message())))
  }

  @_disfavoredOverload
  nonisolated public func alert<S, A, M>(
    _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
  ) -> some View where S: StringProtocol, A: View, M: View {
    modified(.alert(AlertParts(title: String(title), isPresented: isPresented, actions: actions(), message: message())))
  }

  nonisolated public func alert<A, M, T>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
    @ViewBuilder message: (T) -> M
  ) -> some View where A: View, M: View {
    modified(
      .alert(
        AlertParts(title: titleKey.key, isPresented: isPresented, actions: data.map(actions), message: data.map(message), hasData: true)))
  }

  @_disfavoredOverload
  nonisolated public func alert<S, A, M, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View where S: StringProtocol, A: View, M: View {
    modified(
      .alert(
        AlertParts(title: String(title), isPresented: isPresented, actions: data.map(actions), message: data.map(message), hasData: true)))
  }

  // Compared with View/sheet(isPresented:onDismiss:content:).
  nonisolated public func sheet<Content>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View where Content: View {
    modified(.alert(AlertParts(title: "", isPresented: isPresented, actions: isPresented.wrappedValue ? content() : nil)))
  }

  // Navigation

  // Compared with View/navigationTitle(_:).
  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { modified(.title(titleKey.key)) }
  @_disfavoredOverload
  nonisolated public func navigationTitle<S>(_ title: S) -> some View where S: StringProtocol { modified(.title(String(title))) }

  nonisolated public func navigationDestination<D, C>(for data: D.Type, @ViewBuilder destination: @escaping (D) -> C) -> some View
  where D: Hashable, C: View {
    modified(.destination { ($0.base as? D).map(destination) })
  }

  // Compared with View/toolbar(content:)-7vdkx. The other form, for items of a toolbar, is left out.
  nonisolated public func toolbar<Content>(@ViewBuilder content: () -> Content) -> some View where Content: View {
    Tools(content: self, tools: content())
  }
}

public enum Edge: Int8, CaseIterable, Sendable {
  case top, leading, bottom, trailing

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let top = Set(rawValue: 1)
    public static let leading = Set(rawValue: 2)
    public static let bottom = Set(rawValue: 4)
    public static let trailing = Set(rawValue: 8)
    public static let all: Set = [.top, .leading, .bottom, .trailing]
    public static let horizontal: Set = [.leading, .trailing]
    public static let vertical: Set = [.top, .bottom]
  }
}

public struct SubmitTriggers: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let text = SubmitTriggers(rawValue: 1)
  public static let search = SubmitTriggers(rawValue: 2)
}

nonisolated struct Identified<Content: View>: View, Primitive {
  let content: Content
  let id: AnyHashable
  var body: Never { primitiveBody() }
  var element: Element { Element(.group, [Child(id, content)]) }
}

nonisolated struct Tools<Content: View, Items: View>: View, Primitive {
  let content: Content
  let tools: Items
  var body: Never { primitiveBody() }
  var element: Element { Element(.group, [Child("content", content), Child("tools", tools)]) }
}

/// Makes a hashable value of one that can only be compared.
struct Compared<T: Equatable>: Hashable {
  let value: T
  init(_ value: T) { self.value = value }
  func hash(into hasher: inout Hasher) {}
}
