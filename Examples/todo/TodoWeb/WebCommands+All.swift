import AlterInspectorServer
import TodoCommands
import TodoCore

extension WebCommands {
  /// The commands of this module.
  package static let all = WebCommands(serve: Serve.self, inspect: InspectorServerCommand<AppState>.self)
}
