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
      StaticConfiguration(kind: TodoWidget.kind, provider: WidgetProvider(open: TodoFile.openForReading)) { entry in
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
    /// The content; nil if the list can't be read, such as before the first start of the app.
    let content: WidgetScreen?
  }

  /// Reads the list for the widget.
  nonisolated struct WidgetProvider: TimelineProvider {
    let open: @Sendable () async throws(JournalError) -> any Journal

    func placeholder(in context: Context) -> WidgetEntry { entry(nil) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (WidgetEntry) -> Void) {
      Task { completion(entry(await read())) }
    }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<WidgetEntry>) -> Void) {
      Task {
        let entry = entry(await read())
        // The days are relative to today, so the entry expires at midnight.
        let midnight = Calendar.current.startOfDay(for: entry.date)
        let next = Calendar.current.date(byAdding: .day, value: 1, to: midnight) ?? midnight.addingTimeInterval(86_400)
        completion(Timeline(entries: [entry], policy: .after(next)))
      }
    }

    private func entry(_ content: WidgetScreen?) -> WidgetEntry { WidgetEntry(date: Date(), content: content) }

    private func read() async -> WidgetScreen? {
      guard let journal = try? await open() else { return nil }
      return try? await WidgetScreen(reading: journal, today: .today())
    }
  }

  /// The view of the widget.
  struct WidgetView: View {
    let content: WidgetScreen?

    var body: some View {
      VStack(alignment: .leading) {
        Text(content?.title ?? "To Do").font(.headline)
        ForEach(content?.rows ?? []) { row in
          Text(row.text).foregroundStyle(row.urgency == .overdue ? Color.red : Color.secondary)
        }
        if let more = content?.more { Text(more).font(.caption) }
      }
      .containerBackground(for: .widget) { EmptyView() }
    }
  }
#endif
