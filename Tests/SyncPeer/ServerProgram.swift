import Alter
import AlterCore
import AlterJournal
import AlterSQLite
import AlterSyncCore
import AlterSyncServer
import Foundation
import ProcessTesting
import StockModel

/// A server process: a `JournalServer` over a SQLite file, behind a socket. A connection carries one exchange, or the stream of hints.
enum ServerProgram {
  static func run(file: String, socket path: String, window: Int) async throws {
    let journal = try await SQLiteJournal(at: file)
    if try await journal.role() != .server {
      // A process that was killed between the two steps continues here.
      let head = try await journal.head()
      if head.revision == .zero {
        let id = EntryID(origin: .random(), sequence: 1)
        _ = try await journal.append(
          [Entry.Draft(kind: .initial, id: id, time: WallClock.now, payload: try JournalCoding.encode(Stock()))], after: head)
      }
      try await journal.serve(Lineage(Generation(.random(in: 1 ... .max))), schema: 1)
    }
    var options = JournalServer<Stock>.Options(secret: (1, 2))
    (options.limits.holdSeconds, options.limits.entriesPerPage, options.store.snapshotSpacing) = (1, 200, window / 2)
    options.store.undoWindow = window
    let server = JournalServer(journal, policy: PeerPolicy(), options: options)
    let listener = try LocalSocket.listen(at: path)
    say("ready")
    Thread.detachNewThread {
      while let connection = listener.accept() {
        Thread.detachNewThread { handle(connection, server) }
      }
    }
    // Until it is killed.
    while readLine() != nil {}
    await server.close()
    await journal.close()
  }

  private static func handle(_ connection: LocalSocket, _ server: JournalServer<Stock>) {
    var message = Data()
    while let bytes = connection.read() {
      message += bytes
      if message == Data("live\n".utf8) {
        Task { await announce(on: connection, server) }
        return
      }
    }
    let request = message
    Task {
      let answer: Answer
      do {
        let addressed = try SyncMessage.decodeRequest(request)
        answer = try await server.answer(addressed.request, from: addressed.request.principal, arrival: WallClock.now)
      } catch is SyncMessage.Failure {
        answer = .badEnvelope
      } catch {
        answer = .busy(1)
      }
      connection.write(SyncMessage.encode(answer))
    }
  }

  /// Sends a hint at once and at each change, and an empty line as a heartbeat.
  private static func announce(on connection: LocalSocket, _ server: JournalServer<Stock>) async {
    var last: Hint?
    while let hint = try? await server.hint() {
      guard connection.write(hint == last ? Data("\n".utf8) : SyncMessage.encode(hint, of: "peer")) else { return }
      last = hint
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await server.waitForEntry(after: hint.head.revision) }
        group.addTask { try? await Task.sleep(for: .milliseconds(300)) }
        await group.next()
        group.cancelAll()
      }
    }
  }
}
