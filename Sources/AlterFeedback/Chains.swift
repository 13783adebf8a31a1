import AlterCore
import AlterJournal
import AlterStore

/// An entry as a feedback sees it.
struct Moment: Sendable {
  /// The entry.
  let entry: EntryID
  /// How many feedback answers led here without a change by anybody else.
  let depth: Int
  /// The feedbacks that gave them, first to last.
  let path: [String]

  /// Whether it is somebody's own doing, and no answer.
  var isAttended: Bool { depth == 0 }
}

/// Counts how long feedback has been answering feedback, from what the entries say of their causes; in memory, for the last answers.
final class Chains: Sendable {
  private struct State {
    var moments: [EntryID: Moment] = [:]
    var order: [EntryID] = []
  }

  private static let capacity = 1_000
  private let state = Lock(State())

  /// Somebody has changed something: what answers an entry from now on begins to count anew.
  func attend(to entry: EntryID) { state.withLock { $0.moments[entry] = nil } }

  /// What an entry is to a chain.
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
