import AlterCore
import AlterJournal
import AlterSQLite
import Foundation

/// The command of an operator that compacts the server's file, again and again.
enum CompactProgram {
  static func run(file: String) async throws {
    let journal = try await SQLiteJournal(at: file, lockTimeout: .seconds(600))
    let isOver = Lock(false)
    Thread.detachNewThread {
      while readLine() != nil {}
      isOver.withLock { $0 = true }
    }
    say("ready")
    while !isOver.withLock({ $0 }) {
      do throws(JournalError) {
        let plan = try await journal.compactionPlan(keeping: .last(0))
        try await journal.compact(plan)
      } catch {
        // A server has appended an undo since the plan.
        guard error.code == .conflict else { throw error }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    await journal.close()
  }
}
