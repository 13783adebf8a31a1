// Rejected: does not conform to protocol 'Widget'|conform to 'WidgetConfiguration'
import SwiftUI
import WidgetKit

private struct Entry: TimelineEntry { let date: Date }

private struct Provider: TimelineProvider {
  func placeholder(in context: Context) -> Entry { Entry(date: .distantPast) }
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void) { completion(placeholder(in: context)) }
  func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void) {
    completion(Timeline(entries: [placeholder(in: context)], policy: .atEnd))
  }
}

#if REJECTED
  private struct Clock: Widget {
    var body: some View { Text("12:00") }
  }
#else
  private struct Clock: Widget {
    var body: some WidgetConfiguration { StaticConfiguration(kind: "clock", provider: Provider()) { Text($0.date, style: .timer) } }
  }
#endif
