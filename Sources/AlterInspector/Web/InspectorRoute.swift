/// The routes of the inspector, each with its parameters: the table that the router is built from. `Design/0012-inspector.md` describes them.
package enum InspectorRoute: String, CaseIterable, Sendable {
  case journal, entries, search, entry, state, stateSearch, difference, feedback, verify, stats, bisect, export, events

  /// What a parameter holds.
  package enum Parameter: Sendable, Hashable, CaseIterable {
    /// A revision, from 0 on.
    case revision
    /// How many, from 0 on.
    case count
    /// Microseconds since 1970 UTC.
    case time
    /// Any text.
    case text
    /// A JSON Pointer.
    case pointer
    /// Kinds of entries, separated by commas.
    case kinds
    /// True or false.
    case flag
  }

  /// The path below `api/`, as the router has it.
  package var path: String {
    switch self {
    case .entry: "entry/:revision"
    case .stateSearch: "state/search"
    case .difference: "diff"
    case .journal, .entries, .search, .state, .feedback, .verify, .stats, .bisect, .export, .events: rawValue
    }
  }

  /// The parameters that the query may have, by name.
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
    case .bisect: ["condition": .text, "from": .revision, "to": .revision, "scan": .flag]
    }
  }
}
