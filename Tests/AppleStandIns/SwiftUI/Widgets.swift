// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Compared with the pages of the same names. WidgetKit declares the other types.

@MainActor @preconcurrency
public protocol Widget {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency init()
  @MainActor @preconcurrency var body: Body { get }
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
