package import AlterJournal

/// Receives the events of stores, of their feedbacks and of `Stores`, for logs, metrics and traces.
///
/// The calls come from any thread and outside of every lock. None comes while a change is made: a monitor costs an app nothing there, and
/// the writer a call for each flight. Two events of one store may arrive in another order than they happened, so numbers are reported as
/// differences, which can be added up in any order.
package protocol StoreMonitor: Sendable {
  /// Receives an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - journal: The name of the store's journal, or the key of a store that is not open.
  func record(_ event: StoreEvent, of journal: String)

  /// Runs a feedback's effect.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - journal: The name of the store's journal.
  ///   - body: Runs the effect. It must be called once, in the same task.
  func perform<Result: Sendable>(_ effect: MonitoredEffect, of journal: String, _ body: () async -> Result) async -> Result
}

/// An effect, as a monitor sees it.
package struct MonitoredEffect: Sendable {
  /// The name of the feedback.
  package let feedback: String
  /// The key of the request.
  package let key: String

  package init(feedback: String, key: String) { (self.feedback, self.key) = (feedback, key) }
}

/// An event in the life of a store.
package enum StoreEvent: Sendable {
  /// A store was opened, or its opening has failed. The duration is without the opening of its journal.
  case opening(Duration, JournalError?)
  /// The status has changed, from the first to the second. Nil before the store was created; `closed` at the latest when it is released.
  case status(StoreStatus?, StoreStatus)
  /// A failure that no caller was waiting for.
  case problem(StoreProblem)
  /// Changes have reached their outcome: the journal has them, or never will, as far as this store knows.
  case commits(CommitOutcome, count: Int)
  /// The number of pending changes has grown or, if negative, shrunk.
  case pending(Int)
  /// An append was turned back, because another writer was first.
  case conflict
  /// Some changes were written together. The duration includes retries.
  case flight(changes: Int, Duration)
  /// A snapshot was made. The size is that of its payload in bytes.
  case snapshot(bytes: Int, Duration)
  /// A snapshot could not be made.
  case snapshotFailed(String)
  /// A feedback has taken its lease, has lost it, or has released it.
  case lease(feedback: String, LeaseStep)
  /// A feedback's effect has thrown an error. The effect begins again after a pause, as long as its limit permits.
  case effectThrew(feedback: String, any Error)
  /// Rows were brought up to date, in this time.
  case rowsMoved(Duration)
  /// The number of entries that rows lack has grown or, if negative, shrunk.
  case rowsLag(Int)
  /// Rows can't be written, for this reason. Later failures are not reported until they can.
  case rowsFailed(any Error)
  /// Rows can be written again.
  case rowsRecovered
  /// A store of `Stores` was opened with its journal, or that has failed.
  case keyedOpening(Duration, JournalError?)
  /// The report of a `Stores` has changed, from the first to the second.
  case stores(StoresReport, StoresReport)

  package enum LeaseStep: String, Sendable, CaseIterable { case taken, lost, released }
}

/// The outcome of a change.
package enum CommitOutcome: String, Sendable, CaseIterable {
  /// The journal has the change.
  case confirmed
  /// The change was removed from the state.
  case dropped
  /// The journal does not have the change, and the store has ended.
  case failed
  /// The change was in flight when the store ended.
  case unknown
}

/// The last numbers that the monitor of a store has received.
struct MonitoredNumbers: Sendable {
  var status: StoreStatus?
  var pending = 0
}

extension StoreStatus {
  /// The status without its reason, for a label.
  package var name: String {
    switch self {
    case .open: "open"
    case .waiting: "waiting"
    case .failed: "failed"
    case .closed: "closed"
    }
  }
}
