import AlterCore
import AlterJournal

@testable import AlterStore

extension Store {
  /// Why commits take long at the moment; nil when they don't.
  var delay: JournalError? { core.withLock { $0.delay } }

  /// Whether the writer is neither at work nor about to be.
  var isAtRest: Bool { gate.isFree }
}
