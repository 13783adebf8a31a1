import AlterCore
import AlterJournal

@testable import AlterStore

extension Store {
  /// The reason why commits are delayed; nil if they are not.
  var delay: JournalError? { core.withLock { $0.delay } }

  /// Whether the writer is idle, and not about to begin.
  var isAtRest: Bool { !core.withLock { $0.isWriting } && gate.isFree }

  /// Waits until the writer is idle and its snapshot is finished.
  ///
  /// While a snapshot is made, no other one is begun. On a busy machine that is long, so a test that needs several snapshots waits for each.
  func rest() async {
    while !isAtRest { await Task.yield() }
    await finishSnapshot()
  }
}
