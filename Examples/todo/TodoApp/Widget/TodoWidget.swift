#if canImport(WidgetKit)
  import Alter
  public import SwiftUI
  import TodoCore
  import TodoViewModels
  import WidgetKit

  // Compiled on Linux only against stand-ins for SwiftUI and WidgetKit: script/apple.

  /// The widget: the most urgent open items. It opens the list for reading only.
  public struct TodoWidget: Widget {
    nonisolated private static let kind = "todo"

    /// Creates the widget.
    public init() {}

    /// The configuration, which has no options.
    public var body: some WidgetConfiguration {
      StaticConfiguration(kind: TodoWidget.kind, provider: WidgetProvider(place: TodoFile.readingPlace)) { entry in
        WidgetView(content: entry.content)
      }
      .configurationDisplayName("To Do")
      .description("Your most urgent items.")
    }

    /// Makes the system read the list again. The app calls it whenever the widget's content differs, an intent after its change.
    nonisolated static func reload() { WidgetCenter.shared.reloadTimelines(ofKind: kind) }
  }

  /// The content of the widget at a time.
  nonisolated struct WidgetEntry: TimelineEntry, Sendable {
    let date: Date
    let content: WidgetScreen
  }

  /// Reads the list for the widget.
  nonisolated struct WidgetProvider: TimelineProvider {
    let place: JournalPlace

    func placeholder(in context: Context) -> WidgetEntry { entry(.placeholder) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (WidgetEntry) -> Void) {
      Task { completion(entry(await read())) }
    }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<WidgetEntry>) -> Void) {
      Task {
        let entry = entry(await read())
        completion(Timeline(entries: [entry], policy: .after(entry.content.expiry(readAt: entry.date, in: .current))))
      }
    }

    private func entry(_ content: WidgetScreen) -> WidgetEntry { WidgetEntry(date: Date(), content: content) }

    private func read() async -> WidgetScreen { await WidgetScreen.read(place, today: .today()) }
  }

  /// The view of the widget.
  struct WidgetView: View {
    let content: WidgetScreen

    var body: some View {
      VStack(alignment: .leading) {
        Text(content.title).font(.headline)
        ForEach(content.rows) { row in
          // The colour alone would not tell everybody that an item is overdue.
          HStack {
            Text(row.text)
            if let due = row.due { Text(due).font(.caption) }
          }
          .foregroundStyle(row.urgency == .overdue ? Color.red : Color.secondary)
        }
        if let more = content.more { Text(more).font(.caption) }
        if let advice = content.advice { Text(advice).font(.caption) }
      }
      .containerBackground(for: .widget) { EmptyView() }
    }
  }
#endif
