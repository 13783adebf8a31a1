import AlterCore
import AlterJournal

@testable import AlterStore

/// The entries of a journal and the state after each, by definition: an entry is active unless a later active entry reverts it, and an
/// active entry that is refused is skipped as a whole.
struct Definition {
  private(set) var records: [Record<Bank>] = []
  /// The state after each record.
  private(set) var states: [Bank] = []
  private(set) var places: [EntryID: Revision] = [:]

  var revision: Revision { Revision(Int64(records.count)) }

  /// Appends the next entry.
  ///
  /// - Complexity: O(1) for a change, O(entries²) for an undo or a redo.
  mutating func append(_ record: Record<Bank>) {
    states.append(Self.state(after: records, states.last, record))
    records.append(record)
    places[record.id] = record.revision
  }

  /// The state after a revision.
  func state(at revision: Revision) -> Bank { states[Int(revision.number) - 1] }

  /// The state after a revision, followed by pending records.
  func state(at revision: Revision, then pending: [Record<Bank>]) -> Bank {
    var records = Array(records.prefix(Int(revision.number)))
    var state = state(at: revision)
    for record in pending {
      state = Self.state(after: records, state, record)
      records.append(record)
    }
    return state
  }

  private static func state(after records: [Record<Bank>], _ state: Bank?, _ record: Record<Bank>) -> Bank {
    if record.targets.isEmpty, let state { return next(state, record) }
    let records = records + [record]
    var isActive = Array(repeating: true, count: records.count)
    for index in records.indices.reversed() {
      isActive[index] = !records.indices[(index + 1)...].contains { isActive[$0] && records[$0].targets.contains(records[index].id) }
    }
    return zip(records, isActive).reduce(Bank()) { $1.1 ? next($0, $1.0) : $0 }
  }

  private static func next(_ state: Bank, _ record: Record<Bank>) -> Bank {
    switch record.kind {
    case .initial(let new), .reset(let new): new
    case .changes(let changes): (try? state.alter(changes, at: record.stamp)) ?? state
    case .undo, .redo: state
    }
  }
}
