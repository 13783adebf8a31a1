// This is not WidgetKit. It declares a part of the public interface of WidgetKit, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import SwiftUI

// uncertain: written from memory, except for the methods of TimelineProvider and the initializer of StaticConfiguration.

public protocol TimelineEntry {
  var date: Date { get }
}

public struct TimelineProviderContext {
  public let isPreview: Bool
  package init(isPreview: Bool = false) { self.isPreview = isPreview }
}

public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext
  func placeholder(in context: Self.Context) -> Self.Entry
  @preconcurrency func getSnapshot(in context: Self.Context, completion: @escaping @Sendable (Self.Entry) -> Void)
  @preconcurrency func getTimeline(in context: Self.Context, completion: @escaping @Sendable (Timeline<Self.Entry>) -> Void)
}

public struct TimelineReloadPolicy: Equatable, Sendable {
  package let date: Date?
  public static let never = TimelineReloadPolicy(date: nil)
  public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy(date: date) }
}

public struct Timeline<EntryType> where EntryType: TimelineEntry {
  public let entries: [EntryType]
  public let policy: TimelineReloadPolicy
  public init(entries: [EntryType], policy: TimelineReloadPolicy) { (self.entries, self.policy) = (entries, policy) }
}

extension Timeline: Sendable where EntryType: Sendable {}

public struct StaticConfiguration<Content>: WidgetConfiguration where Content: View {
  @MainActor @preconcurrency
  public init<Provider>(kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content)
  where Provider: TimelineProvider {}
}

public struct ContainerBackgroundPlacement: Sendable {
  public static let widget = ContainerBackgroundPlacement()
}

extension View {
  // uncertain: declared by SwiftUI; the placement 'widget' is an extension of WidgetKit.
  nonisolated public func containerBackground<V>(
    for container: ContainerBackgroundPlacement, alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> V
  ) -> some View where V: View { self }
}

public final class WidgetCenter: Sendable {
  public static let shared = WidgetCenter()
  public func reloadTimelines(ofKind kind: String) {}
}
