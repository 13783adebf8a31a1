import AlterCore

/// The writers of one process that wait for a turn to append to the same journal.
///
/// One of them *leads*: it takes the turn, and appends the work of the others together with its own, in one transaction. When it has appended,
/// the writer that has waited for longest leads next.
package final class AppendGroup: Sendable {
  private struct State {
    /// The number of the present leader; nil if there is none.
    var leader: Int?
    /// The number of leaders so far.
    var leaders = 0
    var waiting: [any GroupMember] = []

    mutating func appoint() -> Int {
      leaders += 1
      leader = leaders
      return leaders
    }
  }

  private let state = Lock(State())

  /// The time after which a leader claims no further writer: that runs the app's code, and all other processes wait.
  package let patience: Duration

  /// Creates an empty group.
  package init(patience: Duration = .milliseconds(20)) { self.patience = patience }

  /// The number of writers that wait. For tests.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Adds a writer.
  ///
  /// - Returns: The leadership, which the writer must end, if the group has no leader. Otherwise nil, and the group calls one of the member's
  ///   methods, or another writer claims it.
  package func join(_ member: any GroupMember) -> Turn? {
    let number: Int? = state.withLock { state in
      guard state.leader == nil else {
        state.waiting.append(member)
        return nil
      }
      return state.appoint()
    }
    return number.map(leadership)
  }

  /// Removes and returns the writer that has waited for longest; nil if none waits. The caller appends its work, or sends it away.
  package func claim() -> (any GroupMember)? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

  /// Ends the leadership, and sends all waiting writers away: the journal is out of reach, and each writer must see that for itself.
  package func dissolve() {
    let members = state.withLock { state in
      defer { (state.leader, state.waiting) = (nil, []) }
      return state.waiting
    }
    for member in members { member.goAlone() }
  }

  private func leadership(_ number: Int) -> Turn { Turn { [self] in handOver(from: number) } }

  private func handOver(from number: Int) {
    let next: (member: any GroupMember, number: Int)? = state.withLock { state in
      // The group was dissolved meanwhile, and may have another leader.
      guard state.leader == number else { return nil }
      guard !state.waiting.isEmpty else {
        state.leader = nil
        return nil
      }
      return (state.waiting.removeFirst(), state.appoint())
    }
    if let next { next.member.lead(leadership(next.number)) }
  }
}

/// A writer that waits in an ``AppendGroup``.
package protocol GroupMember: AnyObject, Sendable {
  /// The writer leads from now on. It must end the leadership.
  func lead(_ leadership: Turn)

  /// The writer takes a turn by itself.
  func goAlone()
}
