// Rejected: does not conform to protocol 'TimelineEntry'
import SwiftUI
import WidgetKit

#if REJECTED
  private struct Entry: TimelineEntry { let title: String }
#else
  private struct Entry: TimelineEntry {
    let date: Date
    let title: String
  }
#endif
