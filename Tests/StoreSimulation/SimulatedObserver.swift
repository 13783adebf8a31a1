import AlterCore
import SimulatedThreads

@testable import AlterStore

/// The last notification of a store's observers.
struct Telling {
  var isUnderWay = false
  var revision: Revision = .zero
  var place = 0
  /// The number of observations that have begun.
  var begun = 0
}

/// An observation and its notifications.
///
/// `@unchecked Sendable`: like ``World``.
final class SimulatedObserver: @unchecked Sendable {
  let number: Int
  unowned let participant: Participant
  let world: World
  var token: ObservationToken?
  /// The position in the order in which observations began.
  private var place = 0
  private var start: Bank?
  private var last: Revision?
  private var isEnded = false
  /// The number of notifications that may arrive after the end.
  private var grace = 0

  init(of participant: Participant) {
    self.participant = participant
    world = participant.world
    number = participant.observers.count + 1
    participant.observers.append(self)
  }

  /// Begins to observe. The thread may hand over the baton.
  func begin() {
    world.count(.observed)
    token = participant.store.observe { [self] record, state in told(record, state) }
  }

  /// Ends the observation.
  ///
  /// - Parameter isInside: Whether this thread is inside a notification of the same store. In that case no further notification may begin.
  func end(isInside: Bool) {
    guard token != nil, !isEnded else { return }
    world.count(.observationEnded)
    if !isInside, world.random.oneIn(2) { token = nil } else { token?.cancel() }
    guard !isEnded else { return }
    isEnded = true
    // Another thread may have been about to notify the observer when the observation ended.
    grace = isInside ? 0 : 1
  }

  private func told(_ record: Record<Bank>?, _ state: Bank) {
    world.count(.notification)
    world.note("store \(participant.number) tells observer \(number): \(record.map { "\($0.revision)" } ?? "begin")")
    if participant.telling.isUnderWay { world.fail(.order, "observer \(number) is told while another one is") }
    if isEnded {
      if grace == 0 { world.fail(.observation, "observer \(number) is told after its end") }
      grace -= 1
    }
    participant.telling.isUnderWay = true
    if let record { checkEntry(record, state) } else { checkBeginning(state) }
    world.stall()
    if world.plan.nestings > 0, world.random.oneIn(world.plan.nestings) { nest() }
    simulation_point()
    participant.telling.isUnderWay = false
  }

  private func checkBeginning(_ state: Bank) {
    if start != nil { world.fail(.observation, "observer \(number) begins twice") }
    start = state
    participant.telling.begun += 1
    place = participant.telling.begun
    // All previous notifications are complete. None of them may arrive afterwards.
    participant.telling.place = .max
  }

  private func checkEntry(_ record: Record<Bank>, _ state: Bank) {
    let revision = record.revision
    guard let start else { return world.fail(.observation, "observer \(number) is told \(revision) before its beginning") }
    if revision > world.definition.revision { world.refresh() }
    if let last {
      if revision != last.next { world.fail(.observation, "observer \(number) is told \(revision) after \(last)") }
    } else if world.definition.state(at: revision.previous) != start {
      world.fail(.observation, "observer \(number) began with \(start), and is told \(revision) first")
    }
    last = revision
    if world.definition.records[Int(revision.number) - 1].id != record.id || world.definition.state(at: revision) != state {
      world.fail(.observation, "observer \(number) is told another \(revision) than the journal's: \(record.id), \(state)")
    }
    let telling = participant.telling
    if revision < telling.revision || (revision == telling.revision && place <= telling.place) {
      world.fail(
        .order,
        "observer \(number), number \(place) in line, is told \(revision) after number \(telling.place) was told \(telling.revision)")
    }
    (participant.telling.revision, participant.telling.place) = (revision, place)
  }

  /// Uses the store inside a notification.
  private func nest() {
    guard world.phase == .acting, participant.observers.count < 6 else { return }
    switch world.random.below(4) {
    case 0...1:
      world.count(.nestedChange)
      _ = participant.change([world.randomChange()])
    case 2:
      world.count(.nestedBegin)
      SimulatedObserver(of: participant).begin()
    default:
      world.count(.nestedEnd)
      world.random.pick(participant.observers).end(isInside: true)
    }
  }

  /// Checks that no notification was missed, when no task is ready.
  func checkAtRest(_ revision: Revision) {
    guard !isEnded, token != nil else { return }
    guard let start else { return world.fail(.observation, "observer \(number) was never told the state it begins with") }
    if let last, last != revision { world.fail(.observation, "observer \(number) was told \(last) last, and the store is at \(revision)") }
    if last == nil, start != world.definition.state(at: revision) {
      world.fail(.observation, "observer \(number) was told nothing since \(start), and the store is at \(revision)")
    }
  }
}
