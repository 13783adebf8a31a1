// Rejected: main actor-isolated
import SwiftUI
import WidgetKit

@MainActor private final class Model { var title = "" }

private struct Entry: TimelineEntry {
  let date: Date
  let title: String
}

// The system calls a provider on any thread.
private struct Provider: TimelineProvider {
  let model: Model
  func placeholder(in context: Context) -> Entry { Entry(date: .distantPast, title: "") }
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void) { completion(placeholder(in: context)) }
  func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void) {
    #if REJECTED
      completion(Timeline(entries: [Entry(date: .distantPast, title: model.title)], policy: .never))
    #else
      Task { @MainActor in completion(Timeline(entries: [Entry(date: .distantPast, title: model.title)], policy: .never)) }
    #endif
  }
}
