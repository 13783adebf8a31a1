// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The part that only the example app uses.
// uncertain: all of it is written from memory, not compared with the pages of the documentation.

// Styles

public protocol ShapeStyle: Sendable {}

nonisolated public struct Color: ShapeStyle, Hashable {
  private let name: String
  public static let red = Color(name: "red")
  public static let secondary = Color(name: "secondary")
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
  nonisolated public func searchable(text: Binding<String>, prompt: LocalizedStringKey) -> some View {
    Tools(content: self, tools: TextField(prompt, text: text))
  }
}

extension Text {
  public func strikethrough(_ isActive: Bool = true) -> Text { self }

  public struct DateStyle: Equatable, Sendable {
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

public protocol TimelineSchedule {}

public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
  let start: Date
  public init(from startDate: Date, by interval: TimeInterval) { start = startDate }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
  public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
    PeriodicTimelineSchedule(from: startDate, by: interval)
  }
}

public struct TimelineViewDefaultContext: Sendable {
  public let date: Date
}

/// Evaluates its content at the start of its schedule, and again only with the body around it.
nonisolated public struct TimelineView<Schedule, Content> where Schedule: TimelineSchedule {
  private let date: Date
  private let content: (TimelineViewDefaultContext) -> Content
}

extension TimelineView: View, Primitive where Content: View {
  // uncertain: SwiftUI has one initializer for every schedule, and a context that is generic over the content.
  nonisolated public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content)
  where Schedule == PeriodicTimelineSchedule {
    (date, self.content) = (schedule.start, content)
  }

  public var body: Never { primitiveBody() }
  package nonisolated var element: Element { Element(.group, [Child(0, content(TimelineViewDefaultContext(date: date)))]) }
}

extension ProgressView where CurrentValueLabel == EmptyView {
  // uncertain: the value is optional, and the total is '1' by default.
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

@MainActor @preconcurrency
public protocol WidgetConfiguration {}

extension WidgetConfiguration {
  @MainActor public func configurationDisplayName(_ displayNameKey: LocalizedStringKey) -> some WidgetConfiguration { self }
  @MainActor public func description(_ descriptionKey: LocalizedStringKey) -> some WidgetConfiguration { self }
}

@MainActor @preconcurrency
public protocol WidgetBundle {
  associatedtype Body: Widget
  @MainActor @preconcurrency init()
  @WidgetBundleBuilder @MainActor @preconcurrency var body: Body { get }
}

@resultBuilder
public struct WidgetBundleBuilder {
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: Widget { content }
}

// Foundation, on Apple's platforms only

extension FileManager {
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
