// Rejected: cannot convert value of type 'Timeline<Other>' to expected|cannot convert value of type 'Other' to expected
import SwiftUI
import WidgetKit

private struct Entry: TimelineEntry { let date: Date }
private struct Other: TimelineEntry { let date: Date }

private func answer(_ completion: @Sendable (Timeline<Entry>) -> Void) {
  #if REJECTED
    completion(Timeline(entries: [Other(date: .distantPast)], policy: .never))
  #else
    completion(Timeline(entries: [Entry(date: .distantPast)], policy: .never))
  #endif
}
