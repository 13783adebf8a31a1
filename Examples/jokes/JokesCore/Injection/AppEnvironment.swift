public import Foundation

/// The environment in which the app runs.
public enum AppEnvironment: String, Sendable, CaseIterable {
  /// For users: the app makes up to five attempts.
  case production
  /// For previews: the server also offers jokes that are not published yet, and the app makes up to two attempts.
  case staging
  /// For tests: the tests start a server, and the app does not pause between attempts.
  case test
  /// For work on the screens: the jokes are in memory, and no server is needed.
  case development

  /// Whether the environment needs a server.
  public var needsServer: Bool { self != .development }

  /// The dependencies of the effects.
  ///
  /// - Parameter server: The URL of the server; unused if ``needsServer`` is false.
  public func world(server: URL) -> World {
    switch self {
    case .production: World(repository: .http(server.appending(path: "production")), attempts: 5, pause: .milliseconds(200))
    case .staging: World(repository: .http(server.appending(path: "staging")), attempts: 2, pause: .milliseconds(200))
    case .test: World(repository: .http(server.appending(path: "production")), attempts: 3, pause: .zero)
    case .development: World(repository: .memory, attempts: 1, pause: .zero)
    }
  }
}
