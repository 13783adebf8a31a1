// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Not Sendable, as documented for SwiftUI/LocalizedStringKey.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  package let key: String
  public init(_ value: String) { key = value }
  public init(stringLiteral value: String) { key = value }
}

// Compared with SwiftUI/Text.
nonisolated public struct Text: View, Equatable, Sendable, Primitive {
  private let content: String

  public init(verbatim content: String) { self.content = content }
  @_disfavoredOverload
  public init<S>(_ content: S) where S: StringProtocol { self.content = String(content) }
  public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) {
    content = key.key
  }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.text(content)) }
}

// Compared with SwiftUI/Image.
nonisolated public struct Image: View, Equatable, Sendable, Primitive {
  private let name: String
  public init(systemName: String) { name = systemName }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.image(name)) }
}

// Compared with SwiftUI/Label.
nonisolated public struct Label<Title, Icon>: View, Primitive where Title: View, Icon: View {
  private let title: Title
  private let icon: Icon

  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { (self.title, self.icon) = (title(), icon()) }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child("title", title), Child("icon", icon)]) }
}

extension Label where Title == Text, Icon == Image {
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init {
      Text(titleKey)
    } icon: {
      Image(systemName: name)
    }
  }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, systemImage name: String) where S: StringProtocol {
    self.init {
      Text(title)
    } icon: {
      Image(systemName: name)
    }
  }
}

// Groups and layout
// Compared with SwiftUI/Group, /VStack, /HStack, /Spacer, /Divider, /Form and /Section.

nonisolated public struct Group<Content> {
  private let content: Content
}

extension Group: View, Primitive where Content: View {
  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: Never { primitiveBody() }
  package nonisolated var element: Element { Element(.group, [Child(0, content)]) }
}

public struct HorizontalAlignment: Equatable, Sendable {
  private let name: String
  public static let leading = HorizontalAlignment(name: "leading")
  public static let center = HorizontalAlignment(name: "center")
  public static let trailing = HorizontalAlignment(name: "trailing")
}

public struct VerticalAlignment: Equatable, Sendable {
  private let name: String
  public static let top = VerticalAlignment(name: "top")
  public static let center = VerticalAlignment(name: "center")
  public static let bottom = VerticalAlignment(name: "bottom")
  public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
  public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

nonisolated public struct VStack<Content>: View, Primitive where Content: View {
  private let content: Content
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child(0, content)]) }
}

nonisolated public struct HStack<Content>: View, Primitive where Content: View {
  private let content: Content
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child(0, content)]) }
}

nonisolated public struct Spacer: View, Sendable, Primitive {
  public init(minLength: CGFloat? = nil) {}
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group) }
}

nonisolated public struct Divider: View, Sendable, Primitive {
  public init() {}
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group) }
}

nonisolated public struct Form<Content>: View, Primitive where Content: View {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child(0, content)]) }
}

nonisolated public struct Section<Parent, Content, Footer> {
  private let parent: Parent
  private let content: Content
  private let footer: Footer
}

extension Section: View, Primitive where Parent: View, Content: View, Footer: View {
  public var body: Never { primitiveBody() }
  package nonisolated var element: Element {
    Element(.group, [Child("header", parent), Child("content", content), Child("footer", footer)])
  }

  nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer) {
    (self.parent, self.content, self.footer) = (header(), content(), footer())
  }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  nonisolated public init(@ViewBuilder content: () -> Content) {
    self.init(content: content, header: { EmptyView() }, footer: { EmptyView() })
  }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { Text(titleKey) }, footer: { EmptyView() })
  }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, @ViewBuilder content: () -> Content) where S: StringProtocol {
    self.init(content: content, header: { Text(title) }, footer: { EmptyView() })
  }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
  nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
    self.init(content: content, header: header, footer: { EmptyView() })
  }
}

// Controls

// Compared with SwiftUI/ButtonRole.
public struct ButtonRole: Equatable, Sendable {
  private let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

nonisolated public struct Button<Label>: View, Primitive where Label: View {
  private let role: ButtonRole?
  private let action: @MainActor () -> Void
  private let label: Label

  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    (role, self.action, self.label) = (nil, action, label())
  }

  @preconcurrency
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    (self.role, self.action, self.label) = (role, action, label())
  }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.button(role: role, action: action), [Child(0, label)]) }
}

extension Button where Label == Text {
  @preconcurrency
  nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }
  @preconcurrency @_disfavoredOverload
  nonisolated public init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S: StringProtocol {
    self.init(action: action) { Text(title) }
  }
  @preconcurrency
  nonisolated public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(titleKey) }
  }
  @preconcurrency @_disfavoredOverload
  nonisolated public init<S>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) where S: StringProtocol {
    self.init(role: role, action: action) { Text(title) }
  }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
  @preconcurrency
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
  }
}

nonisolated public struct Toggle<Label>: View, Primitive where Label: View {
  private let isOn: Binding<Bool>
  private let label: Label
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { (self.isOn, self.label) = (isOn, label()) }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.toggle(isOn), [Child(0, label)]) }
}

extension Toggle where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol { self.init(isOn: isOn) { Text(title) } }
}

// Compared with SwiftUI/TextField.
nonisolated public struct TextField<Label>: View, Primitive where Label: View {
  private let text: Binding<String>
  private let label: Label
  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) { (self.text, self.label) = (text, label()) }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.field(text), [Child(0, label)]) }
}

extension TextField where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { self.init(text: text) { Text(titleKey) } }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, text: Binding<String>) where S: StringProtocol { self.init(text: text) { Text(title) } }
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
    self.init(text: text, prompt: prompt) { Text(titleKey) }
  }
}

nonisolated public struct Picker<Label, SelectionValue, Content>: View, Primitive
where Label: View, SelectionValue: Hashable, Content: View {
  private let selection: Binding<SelectionValue>
  private let content: Content
  private let label: Label

  public init(selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    (self.selection, self.content, self.label) = (selection, content(), label())
  }

  public var body: Never { primitiveBody() }

  package var element: Element {
    let selection = selection
    return Element(
      .picker(
        select: { if let value = $0.base as? SelectionValue { selection.wrappedValue = value } },
        selected: { AnyHashable(selection.wrappedValue) }),
      [Child("label", label), Child("content", content)])
  }
}

extension Picker where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {
    self.init(selection: selection, content: content) { Text(titleKey) }
  }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
  where S: StringProtocol {
    self.init(selection: selection, content: content) { Text(title) }
  }
}

nonisolated public struct Stepper<Label>: View, Primitive where Label: View {
  private let label: Label
  private let increment: (() -> Void)?
  private let decrement: (() -> Void)?

  public init(
    @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    (self.label, increment, decrement) = (label(), onIncrement, onDecrement)
  }

  public init<V>(
    value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V: Strideable {
    self.init(
      label: label, onIncrement: { value.wrappedValue = value.wrappedValue.advanced(by: step) },
      onDecrement: { value.wrappedValue = value.wrappedValue.advanced(by: -step) })
  }

  public init<V>(
    value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V: Strideable {
    func move(_ distance: V.Stride) {
      let new = value.wrappedValue.advanced(by: distance)
      if bounds.contains(new) { value.wrappedValue = new }
    }
    self.init(label: label, onIncrement: { move(step) }, onDecrement: { move(-step) })
  }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.stepper(increment: increment, decrement: decrement), [Child(0, label)]) }
}

extension Stepper where Label == Text {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement, onEditingChanged: onEditingChanged)
  }
  nonisolated public init<V>(
    _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V: Strideable {
    self.init(value: value, step: step, label: { Text(titleKey) }, onEditingChanged: onEditingChanged)
  }
  nonisolated public init<V>(
    _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V: Strideable {
    self.init(value: value, in: bounds, step: step, label: { Text(titleKey) }, onEditingChanged: onEditingChanged)
  }
}

// Compared with SwiftUI/ProgressView.
nonisolated public struct ProgressView<Label, CurrentValueLabel>: View, Primitive where Label: View, CurrentValueLabel: View {
  private let label: Label?
  fileprivate init(label: Label?) { self.label = label }
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.progress, [Child(0, label)]) }
}

extension ProgressView where CurrentValueLabel == EmptyView {
  nonisolated public init() where Label == EmptyView { self.init(label: nil) }
  nonisolated public init(@ViewBuilder label: () -> Label) { self.init(label: label()) }
  nonisolated public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init(label: Text(titleKey)) }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S) where Label == Text, S: StringProtocol { self.init(label: Text(title)) }
}

nonisolated public struct ContentUnavailableView<Label, Description, Actions>: View, Primitive
where Label: View, Description: View, Actions: View {
  private let label: Label
  private let description: Description
  private let actions: Actions

  public init(
    @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {
    (self.label, self.description, self.actions) = (label(), description(), actions())
  }

  public var body: Never { primitiveBody() }
  package var element: Element {
    Element(.group, [Child("label", label), Child("description", description), Child("actions", actions)])
  }
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  nonisolated public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
    self.init {
      SwiftUI.Label(title, systemImage: name)
    } description: {
      description
    } actions: {
      EmptyView()
    }
  }
}

// Navigation

nonisolated public struct NavigationStack<Data, Root>: View, Primitive where Root: View {
  private let root: Root
  private let path: PathAccess?

  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { (self.root, path) = (root(), nil) }

  public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
    self.root = root()
    self.path = PathAccess(
      get: { path.wrappedValue.values }, append: { path.wrappedValue.values.append($0) }, removeLast: { path.wrappedValue.removeLast() })
  }

  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable {
    self.root = root()
    self.path = PathAccess(
      get: { path.wrappedValue.map { AnyHashable($0) } },
      append: { if let value = $0.base as? Data.Element { path.wrappedValue.append(value) } },
      removeLast: { path.wrappedValue.replaceSubrange(path.wrappedValue.index(before: path.wrappedValue.endIndex)..., with: []) })
  }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.stack(path: path), [Child("root", root)]) }
}

// Compared with SwiftUI/NavigationPath.
public struct NavigationPath: Equatable {
  fileprivate var values: [AnyHashable] = []
  public init() {}
  public var count: Int { values.count }
  public var isEmpty: Bool { values.isEmpty }
  public mutating func append<V>(_ value: V) where V: Hashable { values.append(AnyHashable(value)) }
  public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}

nonisolated public struct NavigationLink<Label, Destination>: View, Primitive where Label: View, Destination: View {
  private let label: Label
  private let target: Pushed?

  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    (self.label, target) = (label(), .view(destination()))
  }

  fileprivate init(label: Label, value: AnyHashable?) { (self.label, target) = (label, value.map(Pushed.value)) }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.link(target), [Child(0, label)]) }
}

extension NavigationLink where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
    self.init(destination: destination) { Text(titleKey) }
  }
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, @ViewBuilder destination: () -> Destination) where S: StringProtocol {
    self.init(destination: destination) { Text(title) }
  }
}

extension NavigationLink where Destination == Never {
  nonisolated public init<P>(value: P?, @ViewBuilder label: () -> Label) where P: Hashable {
    self.init(label: label(), value: value.map { AnyHashable($0) })
  }
  nonisolated public init<P>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text, P: Hashable {
    self.init(value: value) { Text(titleKey) }
  }
  @_disfavoredOverload
  nonisolated public init<S, P>(_ title: S, value: P?) where Label == Text, S: StringProtocol, P: Hashable {
    self.init(value: value) { Text(title) }
  }
}
