/// The routes of the list, in addition to its files. The router is built from this table, which `Design/0014-todo-web.md` describes.
public enum ListRoute: String, CaseIterable, Sendable {
  /// The current list.
  case list
  /// A stream of the list whenever it changes.
  case events
  /// Makes changes from commands.
  case changes
  /// Undoes the last change.
  case undo
  /// Redoes the last undone change.
  case redo
  /// Makes refused changes of a synced list again, or dismisses them.
  case refusals

  /// The path, as in `/api/list`.
  public var path: String { "/api/\(rawValue)" }

  /// The method of the route.
  public var method: String {
    switch self {
    case .list, .events: "GET"
    case .changes, .undo, .redo, .refusals: "POST"
    }
  }

  /// The parameters that the query may contain.
  public var parameters: [ListRequest.Parameter] {
    switch self {
    case .list, .events: ListRequest.Parameter.allCases
    case .changes, .undo, .redo, .refusals: []
    }
  }

  /// The fields of the JSON body, by name.
  public var fields: [String: Field] {
    switch self {
    case .list, .events: [:]
    case .changes: ["changes": .commands]
    case .undo, .redo: ["of": .revision]
    case .refusals: ["retry": .keys, "dismiss": .keys]
    }
  }

  /// The content of a field.
  public enum Field: Sendable, Hashable {
    /// An array of commands: ``ListCommand/Name``.
    case commands
    /// A revision.
    case revision
    /// An array with the ids of refused changes.
    case keys
  }
}
