// This is not WidgetKit. It declares a part of the public interface of WidgetKit, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import SwiftUI

// Compared with the pages of the same names under WidgetKit.

public struct TimelineEntryRelevance: Hashable, Sendable {}

public protocol TimelineEntry {
  var date: Date { get }
  var relevance: TimelineEntryRelevance? { get }
}

extension TimelineEntry {
  public var relevance: TimelineEntryRelevance? { nil }
}

public struct TimelineProviderContext {}

public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext
  func placeholder(in context: Self.Context) -> Self.Entry
  @preconcurrency func getSnapshot(in context: Self.Context, completion: @escaping @Sendable (Self.Entry) -> Void)
  @preconcurrency func getTimeline(in context: Self.Context, completion: @escaping @Sendable (Timeline<Self.Entry>) -> Void)
}

public struct TimelineReloadPolicy: Equatable, Sendable {
  public static let never = TimelineReloadPolicy()
  public static let atEnd = TimelineReloadPolicy()
  public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy() }
}

public struct Timeline<EntryType> where EntryType: TimelineEntry {
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}

// uncertain: whether the timeline is sendable if its entries are.
extension Timeline: Sendable where EntryType: Sendable {}

@MainActor @preconcurrency
public struct StaticConfiguration<Content>: WidgetConfiguration where Content: View {
  public var body: Never { preconditionFailure("The stand-ins for Apple's frameworks have no code.") }

  @MainActor @preconcurrency
  public init<Provider>(kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content)
  where Provider: TimelineProvider {}
}

// The identifier of the symbol names an extension in WidgetKit.
extension ContainerBackgroundPlacement {
  public static let widget = ContainerBackgroundPlacement()
}

// uncertain: whether the class is sendable. Its page does not isolate it to an actor.
public final class WidgetCenter: Sendable {
  public static let shared = WidgetCenter()
  public func reloadTimelines(ofKind kind: String) {}
}
