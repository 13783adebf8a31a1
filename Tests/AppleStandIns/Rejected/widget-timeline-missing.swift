// Rejected: does not conform to protocol 'TimelineProvider'
import SwiftUI
import WidgetKit

private struct Entry: TimelineEntry { let date: Date }

private struct Provider: TimelineProvider {
  func placeholder(in context: Context) -> Entry { Entry(date: .distantPast) }
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void) { completion(placeholder(in: context)) }
  #if !REJECTED
    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void) {
      completion(Timeline(entries: [placeholder(in: context)], policy: .never))
    }
  #endif
}
