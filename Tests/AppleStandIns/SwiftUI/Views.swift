// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Not Sendable, as documented for SwiftUI/LocalizedStringKey.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  private let key: String
  public init(_ value: String) { key = value }
  public init(stringLiteral value: String) { key = value }
}

// Compared with SwiftUI/Text.
nonisolated public struct Text: _Primitive, Equatable, Sendable {
  public init(verbatim content: String) {}
  @_disfavoredOverload
  public init<S>(_ content: S) where S: StringProtocol {}
  public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) {}
  public init(_ date: Date, style: DateStyle) {}
  public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text { self }

  public struct DateStyle: Equatable, Sendable, Codable {
    public static let relative = DateStyle()
    public static let timer = DateStyle()
  }
}

// Compared with SwiftUI/Image.
nonisolated public struct Image: _Primitive, Equatable, Sendable {}

// Compared with SwiftUI/Label.
nonisolated public struct Label<Title, Icon>: _Primitive where Title: View, Icon: View {}

extension Label where Title == Text, Icon == Image {
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {}
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, systemImage name: String) where S: StringProtocol {}
}

// Groups and layout
// Compared with SwiftUI/Group, /VStack, /HStack and /Form.

nonisolated public struct Group<Content> {}

extension Group: View, _Primitive where Content: View {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
}

nonisolated public struct VStack<Content>: _Primitive where Content: View {
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}

nonisolated public struct HStack<Content>: _Primitive where Content: View {
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}

nonisolated public struct Form<Content>: _Primitive where Content: View {
  public init(@ViewBuilder content: () -> Content) {}
}

// Controls

// Compared with SwiftUI/ButtonRole.
public struct ButtonRole: Equatable, Sendable {
  public static let destructive = ButtonRole()
  public static let cancel = ButtonRole()
}

nonisolated public struct Button<Label>: _Primitive where Label: View {
  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
  @preconcurrency
  nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  @preconcurrency @_disfavoredOverload
  nonisolated public init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S: StringProtocol {}
  @preconcurrency
  nonisolated public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
  @preconcurrency @_disfavoredOverload
  nonisolated public init<S>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) where S: StringProtocol {}
}

nonisolated public struct Toggle<Label>: _Primitive where Label: View {
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {}
}

extension Toggle where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {}
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol {}
}

// Compared with SwiftUI/TextField.
nonisolated public struct TextField<Label>: _Primitive where Label: View {
  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {}
}

extension TextField where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, text: Binding<String>) where S: StringProtocol {}
}

nonisolated public struct Picker<Label, SelectionValue, Content>: _Primitive
where Label: View, SelectionValue: Hashable, Content: View {
  public init(selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
}

extension Picker where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {}
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
  where S: StringProtocol {}
}

public struct DatePickerComponents: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let date = DatePickerComponents(rawValue: 1)
  public static let hourAndMinute = DatePickerComponents(rawValue: 2)
}

nonisolated public struct DatePicker<Label>: _Primitive where Label: View {
  public typealias Components = DatePickerComponents
}

extension DatePicker where Label == Text {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date]
  ) {}
}

nonisolated public struct Stepper<Label>: _Primitive where Label: View {}

extension Stepper where Label == Text {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {}
  @_disfavoredOverload
  nonisolated public init<S>(
    _ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where S: StringProtocol {}
  nonisolated public init<V>(
    _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V: Strideable {}
}

// Compared with SwiftUI/ProgressView.
nonisolated public struct ProgressView<Label, CurrentValueLabel>: _Primitive where Label: View, CurrentValueLabel: View {}

extension ProgressView where CurrentValueLabel == EmptyView {
  nonisolated public init() where Label == EmptyView {}
  nonisolated public init(_ titleKey: LocalizedStringKey) where Label == Text {}
  @_disfavoredOverload
  nonisolated public init<S>(_ title: S) where Label == Text, S: StringProtocol {}
  nonisolated public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {}
}

nonisolated public struct ContentUnavailableView<Label, Description, Actions>: _Primitive
where Label: View, Description: View, Actions: View {
  public init(
    @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {}
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  nonisolated public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {}
}

// Navigation

nonisolated public struct NavigationStack<Data, Root>: _Primitive where Root: View {
  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}
}

// Compared with SwiftUI/NavigationPath.
public struct NavigationPath: Equatable {}

nonisolated public struct NavigationLink<Label, Destination>: _Primitive where Label: View, Destination: View {
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {}
}

extension NavigationLink where Destination == Never {
  nonisolated public init<P>(value: P?, @ViewBuilder label: () -> Label) where P: Hashable {}
  nonisolated public init<P>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text, P: Hashable {}
  @_disfavoredOverload
  nonisolated public init<S, P>(_ title: S, value: P?) where Label == Text, S: StringProtocol, P: Hashable {}
}
