import AlterCore
import AlterJournal
import AlterStore

/// A feedback's view of an entry.
struct Moment: Sendable {
  /// The entry.
  let entry: EntryID
  /// The number of consecutive feedback answers that led here without an outside change.
  let depth: Int
  /// The feedbacks that gave them, first to last.
  let path: [String]

  /// Whether the entry is an outside change, not an answer.
  var isAttended: Bool { depth == 0 }
}

/// Counts consecutive feedback answers by the causes in the entries. The counts of the last answers are kept in memory.
final class Chains: Sendable {
  private struct State {
    var moments: [EntryID: Moment] = [:]
    var order: [EntryID] = []
  }

  private static let capacity = 1_000
  private let state = Lock(State())

  /// Records an outside change: answers to this entry restart the count.
  func attend(to entry: EntryID) { state.withLock { $0.moments[entry] = nil } }

  /// The position of an entry in a chain.
  func moment<Value>(of record: Record<Value>) -> Moment {
    guard let feedback = record.cause?.feedback else { return Moment(entry: record.id, depth: 0, path: []) }
    return state.withLock { state in
      if let known = state.moments[record.id] { return known }
      let before = record.cause?.answers.flatMap { state.moments[$0] }
      let moment = Moment(entry: record.id, depth: (before?.depth ?? 0) + 1, path: (before?.path ?? []).suffix(20) + [feedback])
      state.moments[record.id] = moment
      state.order.append(record.id)
      if state.order.count > 2 * Self.capacity {
        for old in state.order.prefix(Self.capacity) { state.moments[old] = nil }
        state.order.removeFirst(Self.capacity)
      }
      return moment
    }
  }
}
