import AlterCore
public import AlterSyncCore

/// The settings of a ``SyncService``.
public struct SyncOptions: Sendable {
  /// The limits of requests, streams and answers.
  public var limits = SyncLimits()
  /// The newest schema of changes that is decided; nil for the schema of the app's state. Newer changes of devices wait.
  ///
  /// During a rolling deployment of a new schema, set the old number until all processes of the server run the new version: an old process
  /// cannot read an entry of a newer schema. The number of a journal is never lowered.
  public var schema: Int?
  /// The time between two heartbeats of a stream.
  public var heartbeat: Duration = .seconds(15)
  /// The time after which the permissions of an open stream are checked again.
  public var recheck: Duration = .seconds(60)
  /// Examines whether this process can serve, for its readiness: throws if it cannot, for example because its database is down.
  public var readiness: @Sendable () async throws -> Void = {}
  /// The clock of arrivals: microseconds since 1970 UTC.
  package var now: @Sendable () -> Int64 = { WallClock.now }
  /// The time after which a push decides no further draft, if it has decided one.
  package var pushTime: Duration = .seconds(5)
  /// The wait between heartbeats, and of all time limits. Most waits end early: each request has a limit, and each entry that a stream waits for.
  package var sleep: @Sendable (Duration) async throws -> Void = { try await TimerWheel.shared.sleep(for: $0) }

  /// Creates the default settings.
  public init() {}
}
