import Alter
import TodoCore

/// The part of the program that talks to a server. `todo` itself has none, so that commands on other lists start without the network
/// library.
package protocol SyncEngine: Sendable {
  /// Opens the device's file of a list, or creates it.
  ///
  /// - Parameter isTalking: Whether to talk to the server.
  func open(_ settings: SyncSettings, at path: String, _ options: StoreOptions, isTalking: Bool) async throws -> SyncedList

  /// Creates the list on the server with the state of a local journal, and then the device's file.
  ///
  /// - Throws: ``AdoptionProblem``, or an error of the connection.
  func adopt(_ local: any Journal, at path: String, _ settings: SyncSettings) async throws
}

/// A synced list that is open.
package struct SyncedList: Sendable {
  /// The store. Closing it ends the connection.
  package let store: Store<AppState>
  /// The statuses of the connection: the present one, and each later one.
  package let connections: @Sendable () -> AsyncStream<Connection>
  /// Returns the reason for which the last exchange has failed; nil after a successful one.
  package let problem: @Sendable () -> String?

  /// An open list.
  package init(
    store: Store<AppState>, connections: @escaping @Sendable () -> AsyncStream<Connection>, problem: @escaping @Sendable () -> String?
  ) {
    (self.store, self.connections, self.problem) = (store, connections, problem)
  }
}

/// The reason why a server has not taken a list.
package enum AdoptionProblem: Error {
  /// It has a list of this name already.
  case exists
  /// The user may not create it.
  case forbidden
  /// The token was rejected.
  case signedOut
  /// The program at the address is not a server of lists, or refuses the list.
  case refused(String)
}

/// The engine and the connection of this process.
package enum SyncSupport {
  /// The engine; nil in `todo`. Set once by the main function, before anything else runs.
  nonisolated(unsafe) static var engine: (any SyncEngine)?
  /// The user of the open list; nil if it is not synced. Set as ``connections``.
  nonisolated(unsafe) package static var user: String?
  /// Opens the copy of the server's entries of the open list for reading: a store of a synced journal reads no history. Set as
  /// ``connections``.
  nonisolated(unsafe) package static var openMirror: (@Sendable () async throws(JournalError) -> any Journal)?
  /// The connections of the open list. Set once by the only command of the process, when it has opened the list and before it uses it.
  nonisolated(unsafe) package static var connections: (@Sendable () -> AsyncStream<Connection>)?
  /// Returns the reason for which the last exchange has failed. Set as ``connections``.
  nonisolated(unsafe) static var problem: (@Sendable () -> String?)?

  /// The first status that matches, or the latest one after some seconds; nil if another process of this device talks to the server.
  package static func first(
    _ connections: AsyncStream<Connection>, isIncluded: @escaping @Sendable (Connection) -> Bool = { $0 != .connecting }
  ) async -> Connection? {
    let (all, happen) = AsyncStream<Connection?>.makeStream()
    let tasks = [
      Task { for await connection in connections { happen.yield(connection) } },
      Task {
        try? await Task.sleep(for: .seconds(5))
        happen.yield(nil)
      },
    ]
    defer { for task in tasks { task.cancel() } }
    var latest: Connection?
    for await connection in all {
      guard let connection else { return latest }
      if isIncluded(connection) { return connection }
      latest = connection
    }
    return latest
  }

  /// Waits as long as a command waits for a verdict: 300 ms, or until the connection is known to be down.
  static func moment() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: .milliseconds(300)) }
      if let connections {
        group.addTask {
          for await connection in connections() where ![.live, .connecting].contains(connection) { return }
          // Another process of this device talks to the server: only the time counts.
          try? await Task.sleep(for: .seconds(60))
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}

extension Store<AppState> {
  /// Waits until a change is on disk and, for a synced list, for a moment for the server's verdict.
  ///
  /// - Returns: The revision; nil if the server has not decided yet.
  /// - Throws: ``CommandError`` if the server has refused the change; otherwise the commit's error.
  package func settle(_ commit: Commit<AppState>) async throws -> Revision? {
    guard SyncSupport.engine != nil else {
      let revision = try await commit.confirmed()
      ListMove.acknowledge()
      return revision
    }
    try await commit.durable()
    ListMove.acknowledge()
    let outcome = await within { () async -> Result<Revision, CommitError<Refusal>> in
      do throws(CommitError<Refusal>) { return .success(try await commit.confirmed()) } catch { return .failure(error) }
    }
    switch outcome {
    case .success(let revision): return revision
    case .failure(.notYet(nil)): return nil
    case .failure(.refused(let code)): throw refusal(of: commit.id, code)
    // The change is in the device's file, and with it in the list that another process has just made of the file.
    case .failure(.failed), .failure(.unknown):
      guard ListMove.hasHappened else { return try outcome.get() }
      return nil
    case .failure(let error): throw error
    }
  }

  /// Undoes or redoes, as ``settle(_:)`` waits.
  package func takeBack(redo: Bool) async throws -> (records: [Record<AppState>], revision: Revision?) {
    let undone = redo ? try await self.redo() : try await undo()
    // An undo is no change, so the mark of a list that has gone to a server does not refuse it.
    guard SyncSupport.engine != nil || state.synced == nil else { throw ListMove.Moved() }
    return (undone.records, try await settle(undone.commit))
  }

  private func refusal(of id: EntryID, _ code: String) -> CommandError {
    let reason = refusals.first { $0.record.id == id }?.explanation ?? code
    return CommandError(.refused, "the server has refused the change: \(reason.printable) See 'todo refused'.")
  }

  /// The result of work that is cancelled after a moment. Cancelled work must return.
  private func within<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await withTaskGroup(of: Void.self) { group in
      let task = Task(operation: work)
      group.addTask { _ = await task.value }
      group.addTask { await SyncSupport.moment() }
      await group.next()
      task.cancel()
      group.cancelAll()
      return await task.value
    }
  }
}
