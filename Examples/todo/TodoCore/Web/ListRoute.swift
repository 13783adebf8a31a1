/// The routes of a list beside its files: the table that the router is built from. `Design/0014-todo-web.md` describes them.
public enum ListRoute: String, CaseIterable, Sendable {
  /// The list, once.
  case list
  /// The list, whenever it is another one.
  case events
  /// Changes by commands.
  case changes
  /// Takes the last change back.
  case undo
  /// Brings back what was taken back last.
  case redo

  /// The path, as in `/api/list`.
  public var path: String { "/api/\(rawValue)" }

  /// The method that it answers to.
  public var method: String {
    switch self {
    case .list, .events: "GET"
    case .changes, .undo, .redo: "POST"
    }
  }

  /// The parameters that the query may have.
  public var parameters: [ListRequest.Parameter] {
    switch self {
    case .list, .events: ListRequest.Parameter.allCases
    case .changes, .undo, .redo: []
    }
  }

  /// The fields of the JSON that a request brings, by name.
  public var fields: [String: Field] {
    switch self {
    case .list, .events: [:]
    case .changes: ["changes": .commands]
    case .undo, .redo: ["of": .revision]
    }
  }

  /// What a field holds.
  public enum Field: Sendable, Hashable {
    /// An array of commands: ``ListCommand/Name``.
    case commands
    /// A revision.
    case revision
  }
}
