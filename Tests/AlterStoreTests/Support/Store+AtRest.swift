import AlterCore
import AlterJournal

@testable import AlterStore

extension Store {
  /// The reason why commits are delayed; nil if they are not.
  var delay: JournalError? { core.withLock { $0.delay } }

  /// Whether the writer is idle.
  var isAtRest: Bool { gate.isFree }
}
