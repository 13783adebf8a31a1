// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The part that only the example app uses.
// Compared with the pages of the same names, except for the marked ones.

// Styles

public protocol ShapeStyle: Sendable {}

nonisolated public struct Color: ShapeStyle, Hashable, View, Primitive {
  private let name: String
  public static let red = Color(name: "red")
  public static let secondary = Color(name: "secondary")
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group) }
}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == Color {
  public static var red: Color { .red }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public struct Font: Hashable, Sendable {
  private let name: String
  public static let caption = Font(name: "caption")
  public static let headline = Font(name: "headline")
  public static let largeTitle = Font(name: "largeTitle")
}

extension View {
  nonisolated public func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle { modified(.other) }
  nonisolated public func font(_ font: Font?) -> some View { modified(.other) }
  nonisolated public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
  ) -> some View {
    Tools(content: self, tools: TextField(prompt, text: text))
  }
}

public struct SearchFieldPlacement: Sendable {
  public static let automatic = SearchFieldPlacement()
}

extension Text {
  nonisolated public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text { self }

  public struct DateStyle: Equatable, Sendable, Codable {
    private let name: String
    public static let relative = DateStyle(name: "relative")
    public static let timer = DateStyle(name: "timer")
  }

  public init(_ date: Date, style: DateStyle) { self.init(verbatim: "date") }
}

// Controls

public struct DatePickerComponents: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let date = DatePickerComponents(rawValue: 1)
  public static let hourAndMinute = DatePickerComponents(rawValue: 2)
}

nonisolated public struct DatePicker<Label>: View, Primitive where Label: View {
  public typealias Components = DatePickerComponents
  private let selection: Binding<Date>
  private let label: Label

  public init(
    selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
  ) {
    (self.selection, self.label) = (selection, label())
  }

  public var body: Never { primitiveBody() }

  package var element: Element {
    let selection = selection
    return Element(
      .picker(
        select: { if let date = $0.base as? Date { selection.wrappedValue = date } }, selected: { AnyHashable(selection.wrappedValue) }),
      [Child("label", label)])
  }
}

extension DatePicker where Label == Text {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date]
  ) {
    self.init(selection: selection, displayedComponents: displayedComponents) { Text(titleKey) }
  }
}

// Time

public enum TimelineScheduleMode: Sendable { case lowFrequency, normal }

public protocol TimelineSchedule {
  typealias Mode = TimelineScheduleMode
  associatedtype Entries: Sequence where Entries.Element == Date
  func entries(from startDate: Date, mode: Mode) -> Entries
}

public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
  private let start: Date
  private let interval: TimeInterval

  public struct Entries: Sequence, IteratorProtocol, Sendable {
    fileprivate var date: Date
    fileprivate let interval: TimeInterval
    public mutating func next() -> Date? {
      defer { date += interval }
      return date
    }
  }

  public init(from startDate: Date, by interval: TimeInterval) { (start, self.interval) = (startDate, interval) }
  public func entries(from startDate: Date, mode: Mode) -> Entries { Entries(date: start, interval: interval) }
}

public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
  public init() {}
  public func entries(from startDate: Date, mode: Mode) -> [Date] { [startDate] }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
  public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
    PeriodicTimelineSchedule(from: startDate, by: interval)
  }
}

/// Evaluates its content at the first date of its schedule, and again only with the body around it.
nonisolated public struct TimelineView<Schedule, Content> where Schedule: TimelineSchedule {
  public struct Context {
    public let date: Date
  }

  private let schedule: Schedule
  private let content: (TimelineViewDefaultContext) -> Content
}

public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context

extension TimelineView: View, Primitive where Content: View {
  nonisolated public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {
    (self.schedule, self.content) = (schedule, content)
  }

  public var body: Never { primitiveBody() }

  package nonisolated var element: Element {
    var dates = schedule.entries(from: Date(), mode: .normal).makeIterator()
    return Element(.group, dates.next().map { [Child(0, content(TimelineViewDefaultContext(date: $0)))] } ?? [])
  }
}

extension ProgressView where CurrentValueLabel == EmptyView {
  nonisolated public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint { self.init() }
}

// Storage

/// Keeps the values of all keys in memory, not in the user's defaults.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
  private let key: String
  private let initial: Value
  private let read: (String) -> Value?
  private let write: (Value) -> String

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value: RawRepresentable, Value.RawValue == String {
    (self.key, initial, read, write) = (key, wrappedValue, { Value(rawValue: $0) }, { $0.rawValue })
  }

  public var wrappedValue: Value {
    get { StoredValues.shared.values[key].flatMap(read) ?? initial }
    nonmutating set { StoredValues.shared.values[key] = write(newValue) }
  }

  public var projectedValue: Binding<Value> { Binding(reading: { wrappedValue }, writing: { wrappedValue = $0 }) }
}

@Observable
private final class StoredValues: @unchecked Sendable {
  static let shared = StoredValues()
  var values: [String: String] = [:]
}

// Widgets: these are declared by SwiftUI, the others by WidgetKit.

@MainActor @preconcurrency
public protocol Widget {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency init()
  @MainActor @preconcurrency var body: Body { get }
}

// The system calls it.
extension Widget {
  @MainActor @preconcurrency public static func main() { preconditionFailure("This module has no user interface to run a widget in.") }
}

@MainActor @preconcurrency
public protocol WidgetConfiguration {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency var body: Body { get }
}

extension Never: WidgetConfiguration {}

extension WidgetConfiguration {
  @MainActor @preconcurrency public func configurationDisplayName(_ displayNameKey: LocalizedStringKey) -> some WidgetConfiguration { self }
  @MainActor @preconcurrency public func description(_ descriptionKey: LocalizedStringKey) -> some WidgetConfiguration { self }
}

@MainActor @preconcurrency
public protocol WidgetBundle {
  associatedtype Body: Widget
  @MainActor @preconcurrency init()
  @WidgetBundleBuilder @MainActor @preconcurrency var body: Body { get }
}

@resultBuilder
public struct WidgetBundleBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: Widget { content }
  public static func buildBlock<Content>(_ content: Content) -> some Widget where Content: Widget { content }
}

extension WidgetBundle {
  @MainActor @preconcurrency public static func main() { preconditionFailure("This module has no user interface to run a widget in.") }
}

public struct Alignment: Equatable, Sendable {
  public var horizontal: HorizontalAlignment
  public var vertical: VerticalAlignment
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) { (self.horizontal, self.vertical) = (horizontal, vertical) }
  public static let center = Alignment(horizontal: .center, vertical: .center)
}

public struct ContainerBackgroundPlacement: Sendable {
  private let name: String
  package init(name: String) { self.name = name }
}

extension View {
  nonisolated public func containerBackground<V>(
    for container: ContainerBackgroundPlacement, alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View where V: View { modified(.other) }
}

// Foundation, on Apple's platforms only

extension FileManager {
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
