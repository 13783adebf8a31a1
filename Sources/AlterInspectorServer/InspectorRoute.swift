/// The routes of the inspector with their parameters. The router is built from this table. `Design/0012-inspector.md` describes the routes.
package enum InspectorRoute: String, CaseIterable, Sendable {
  case journal, entries, search, entry, state, stateSearch, difference, drafts, verdicts, feedback, verify, stats, bisect, export, events

  /// The type of a parameter.
  package enum Parameter: Sendable, Hashable, CaseIterable {
    /// A revision, 0 or more.
    case revision
    /// A number of items, 0 or more.
    case count
    /// A time in microseconds since 1970 UTC.
    case time
    /// Any text.
    case text
    /// A JSON Pointer.
    case pointer
    /// Kinds of entries, separated by commas.
    case kinds
    /// A list of drafts in a device's file: 'outbox', 'refusals' or 'awaited'.
    case list
    /// A Boolean value: 'true' or '1', 'false' or '0'.
    case flag
  }

  /// The path below 'api/', in the router's form.
  package var path: String {
    switch self {
    case .entry: "entry/:revision"
    case .stateSearch: "state/search"
    case .difference: "diff"
    case .journal, .entries, .search, .state, .drafts, .verdicts, .feedback, .verify, .stats, .bisect, .export, .events: rawValue
    }
  }

  /// The accepted query parameters, by name.
  package var parameters: [String: Parameter] {
    switch self {
    case .journal, .entry, .feedback, .verify, .stats, .export, .events: [:]
    case .entries: ["after": .revision, "before": .revision, "limit": .count]
    case .search:
      [
        "text": .text, "kind": .kinds, "origin": .text, "scope": .text, "from": .time, "to": .time, "undone": .flag, "before": .revision,
        "limit": .count,
      ]
    case .state: ["at": .revision, "path": .pointer, "offset": .count, "limit": .count]
    case .stateSearch: ["at": .revision, "text": .text, "limit": .count]
    case .difference: ["from": .revision, "to": .revision, "limit": .count]
    case .drafts: ["list": .list, "after": .revision, "limit": .count]
    case .verdicts: ["offset": .count, "limit": .count]
    case .bisect: ["condition": .text, "from": .revision, "to": .revision, "scan": .flag]
    }
  }
}
