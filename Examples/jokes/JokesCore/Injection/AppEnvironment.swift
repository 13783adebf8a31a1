public import Foundation

/// The environment in which the app runs.
public enum AppEnvironment: String, Sendable, CaseIterable {
  /// For users: the Official Joke API, and up to five attempts.
  case production
  /// For previews: the bundled server, with jokes that are not published yet, and up to two attempts.
  case staging
  /// For tests: the bundled server, no pauses between attempts, and dice that always show the lowest number.
  case test
  /// For work on the screens: the jokes are in memory, and no server is needed.
  case development

  /// The URL of the public server; nil in other environments.
  public var publicServer: String? { self == .production ? "https://official-joke-api.appspot.com" : nil }

  /// Whether the environment needs the bundled server, unless another one is given.
  public var needsBundledServer: Bool { self == .staging || self == .test }

  /// The app's context.
  ///
  /// - Parameter server: The URL of the server; unused in development.
  public func context(server: URL) -> AppContext {
    switch self {
    case .production: AppContext(loading: .init(repository: .http(server), attempts: 5, pause: .milliseconds(200)), dice: .random)
    case .staging:
      AppContext(
        loading: .init(repository: .http(server.appending(path: "staging")), attempts: 2, pause: .milliseconds(200)), dice: .random)
    case .test: AppContext(loading: .init(repository: .http(server), attempts: 3, pause: .zero), dice: .lowest)
    case .development: AppContext(loading: .init(repository: .memory, attempts: 1, pause: .zero), dice: .random)
    }
  }
}
