import Alter
import AlterSQLite
import TodoCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file of a list on this device, while a passage to a server or back keeps other processes from changing it.
struct LocalList {
  /// The scope of entries that no undo names.
  private static let scope = UndoScope(rawValue: "sync")

  let journal: SQLiteJournal
  private let turn: Turn

  /// Opens a list, creates it if necessary, and waits until no other process changes it.
  static func take(_ path: String, waiting patience: Duration) async throws(JournalError) -> LocalList {
    let journal = try await SQLiteJournal(at: path, durability: .full, lockTimeout: patience)
    do throws(JournalError) { return LocalList(journal: journal, turn: try await journal.takeTurn()) } catch {
      await journal.close()
      throw error
    }
  }

  /// The present content.
  func state() async throws(JournalError) -> AppState {
    let head = try await journal.head()
    return head.revision == .zero ? AppState() : try await Store<AppState>.state(at: head.revision, in: journal)
  }

  /// Writes the initial entry of a new list.
  func start() async throws {
    if try await journal.head().revision == .zero { try await append([]) }
  }

  /// Makes the list a copy of a server's list: from then on it takes no change.
  func mark(as list: String) async throws { try await append([(Self.scope, [.synced(list)])]) }

  /// Makes the list one of its own again, with the content that it had on the server.
  func unmark(with state: AppState?) async throws {
    try await append([(Self.scope, [.synced(nil)])] + (state.map { [(.journal, [.replace($0)])] } ?? []))
  }

  /// Lets other processes change the list.
  func end() async {
    turn.end()
    await journal.close()
  }

  /// Appends entries, all or none.
  private func append(_ batches: [(scope: UndoScope, changes: [AppState.Change])]) async throws {
    let (head, origin, time) = (try await journal.head(), Origin.random(), Date().microseconds)
    var drafts: [Entry.Draft] = []
    func add(_ kind: Entry.Kind, _ scope: UndoScope, _ payload: Data) {
      drafts.append(
        Entry.Draft(
          kind: kind, id: EntryID(origin: origin, sequence: Int64(drafts.count + 1)), time: time, scope: scope,
          schema: AppState.schema.version, payload: payload))
    }
    if head.revision == .zero { add(.initial, .journal, try JournalCoding.encode(AppState())) }
    for batch in batches { add(.changes, batch.scope, try JournalCoding.encode(batch.changes)) }
    _ = try await journal.append(drafts, after: head, in: turn)
  }
}
