import Alter
import AlterSync
import Foundation
import TodoCommands
import TodoCore

/// Talks to a `todo-server` with the library's synced journal.
struct HTTPEngine: SyncEngine {
  func open(_ settings: SyncSettings, at path: String, _ options: StoreOptions, isTalking: Bool) async throws -> SyncedList {
    let journal = try await SyncedJournal(at: path, key: settings.list, on: try server(settings))
    if !isTalking { await journal.suspend() }
    let store = try await Store.open(AppState(), in: journal, options: options)
    return SyncedList(
      store: store,
      connections: {
        AsyncStream { continuation in
          let task = Task {
            for await link in journal.links { continuation.yield(Connection(link)) }
            continuation.finish()
          }
          continuation.onTermination = { _ in task.cancel() }
        }
      }, problem: { journal.problem?.description })
  }

  func adopt(_ local: any Journal, at path: String, _ settings: SyncSettings) async throws {
    do {
      let journal = try await SyncedJournal.adopt(local, of: AppState.self, at: path, key: settings.list, on: try server(settings))
      await journal.close()
    } catch let error as AdoptionError {
      throw switch error {
      case .exists: AdoptionProblem.exists
      case .forbidden: AdoptionProblem.forbidden
      case .unauthorised: AdoptionProblem.signedOut
      case .refused(_, let message): AdoptionProblem.refused(message)
      }
    }
  }

  private func server(_ settings: SyncSettings) throws -> SyncServer {
    guard let url = URL(string: settings.url) else { throw SyncSettings.Problem.malformedURL }
    return SyncServer(url, principal: settings.user) { settings.token }
  }
}

extension Connection {
  init(_ link: SyncLink) {
    self =
      switch link {
      case .live: .live
      case .connecting: .connecting
      case .offline(.notUnderstood, _): .notAServer
      case .offline(.file, _): .broken
      case .offline(.network, let since): .offline(.network, since: since)
      case .offline(.busy, let since): .offline(.busy, since: since)
      case .offline(.envelope, let since): .offline(.rejected, since: since)
      case .offline(.suspended, let since): .offline(.paused, since: since)
      case .held: .waiting
      case .unauthorised: .signedOut
      case .forbidden, .locked: .forbidden
      case .outdated: .outdated
      case .restarted: .restarted
      }
  }
}
