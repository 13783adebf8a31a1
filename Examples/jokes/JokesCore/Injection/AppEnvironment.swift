public import Foundation

/// Which world the app runs in.
public enum AppEnvironment: String, Sendable, CaseIterable {
  /// What people use: patient.
  case production
  /// The same, and jokes that are not for everybody yet.
  case staging
  /// For tests: a server of theirs, and no pauses.
  case test
  /// For work on the screens: jokes in memory, and no server at all.
  case development

  /// Whether it needs a server.
  public var needsServer: Bool { self != .development }

  /// The dependencies of the effects.
  ///
  /// - Parameter server: Where jokes are served.
  public func world(server: URL) -> World {
    switch self {
    case .production: World(repository: .http(server.appending(path: "production")), attempts: 5, pause: .milliseconds(200))
    case .staging: World(repository: .http(server.appending(path: "staging")), attempts: 2, pause: .milliseconds(200))
    case .test: World(repository: .http(server.appending(path: "production")), attempts: 3, pause: .zero)
    case .development: World(repository: .memory, attempts: 1, pause: .zero)
    }
  }
}
