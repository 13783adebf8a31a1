import AlterCore
import AlterJournal

/// The tasks that wait until a value of the state changes. One follower task compares the values for all of them after each change, and
/// wakes only those whose value differs. Waking every task to compare for itself would cost one task switch per waiting task and change.
///
/// A task may declare the input of its value. Inputs are compared first, once for all tasks that declare the same property, and only the
/// values whose input differs are computed.
///
/// The follower task runs while tasks wait, and ends after a change for which none waits. It does not keep the store alive.
///
/// ```
///              wait()                     a change: compare inputs, then values; wake the tasks that differ
///   asleep ───────────────▶ looking ◀──┐
///     ▲                      │  │  └───┘
///     └── a change for which │  └── the store has closed, failed or is gone ──▶ ended: every wait returns false
///         no task waits ─────┘
/// ```
final class Followers<State: Alterable>: Sendable {
  private struct Follower {
    let differs: @Sendable (State) -> Bool
    /// Receives true if the task is to compare again, false at the end.
    let waiter: Waiter<Bool>
  }

  /// The tasks that wait for parts of one property. An object, which is found once for a change and not for each of its variables: a key path
  /// takes time to look up. The lock guards all variables; outside of it, objects are only referred to.
  private final class Property {
    /// The version whose property is compared with newer ones. No follower here has seen an older one.
    var version: Int64
    var comparison: InputComparison<State>
    var parts: [InputName: [Int: Follower]] = [:]
    /// Those that have seen a newer version than the compared one, in which their part may differ. They are computed at the next comparison.
    var ahead: [(part: InputName, id: Int, version: Int64)] = []

    init(version: Int64, comparison: InputComparison<State>) { (self.version, self.comparison) = (version, comparison) }

    /// Removes a follower; nil if it does not wait any more.
    func remove(_ id: Int, of part: InputName) -> Follower? {
      guard let place = parts.index(forKey: part), let follower = parts.values[place].removeValue(forKey: id) else { return nil }
      if parts.values[place].isEmpty { parts.remove(at: place) }
      return follower
    }
  }

  private struct Contents {
    /// Those that declare no input.
    var waiting: [Int: Follower] = [:]
    /// The others. A property without followers is removed.
    var properties: [InputName: Property] = [:]
    var lastID = 0
    /// The newest version that the waiting values were compared with.
    var compared: Int64 = -1
    var isLooking = false
    var isEnded = false

    var isEmpty: Bool { waiting.isEmpty && properties.isEmpty }

    /// Removes followers that declare an input.
    ///
    /// - Returns: Those of them that still wait.
    mutating func remove(_ places: [Place]) -> [Waiter<Bool>] {
      places.compactMap { place in
        guard let follower = place.property.remove(place.id, of: place.part) else { return nil }
        if place.property.parts.isEmpty { properties[place.name] = nil }
        return follower.waiter
      }
    }
  }

  /// A follower that declares an input.
  private struct Place {
    let name: InputName
    let property: Property
    let part: InputName
    let id: Int
  }

  private enum Entrance {
    case answer(Bool)
    case waits(id: Int, startsLooking: Bool)
    /// The follower is the first of its property, whose comparison must begin.
    case needsComparison
  }

  private let contents = Lock(Contents())

  /// Waits until a value differs, or may differ: the caller then compares again.
  ///
  /// - Parameters:
  ///   - version: The version that the caller has seen.
  ///   - store: The store to watch.
  ///   - input: The only part of the state that determines the value; nil if it is unknown.
  ///   - differs: Returns whether a state has another value. It is called without a lock, by the follower task.
  /// - Returns: False if the store was closed, has failed or is gone, or if the task was cancelled.
  func wait(
    past version: Int64, in store: StoreWatch<State>, input: DeclaredInput<State>? = nil, until differs: @escaping @Sendable (State) -> Bool
  ) async -> Bool {
    let follower = Follower(differs: differs, waiter: Waiter<Bool>())
    var entrance = enter(follower, past: version, input, nil)
    if case .needsComparison = entrance {
      // Another version than the caller's has other values.
      guard let input, let (now, state) = store.present(), now == version else { return true }
      entrance = enter(follower, past: version, input, input.comparison(state))
    }
    guard case .waits(let id, let startsLooking) = entrance else {
      if case .answer(let answer) = entrance { return answer }
      return true
    }
    if startsLooking { Task.detached { await self.look(after: version, in: store) } }
    if let goesOn = await follower.waiter.value() { return goesOn }
    contents.withLock { contents in
      if let input {
        guard let property = contents.properties[input.property] else { return }
        _ = contents.remove([Place(name: input.property, property: property, part: input.part, id: id)])
      } else {
        contents.waiting[id] = nil
      }
    }
    return false
  }

  /// - Parameter comparison: The comparison of the input with that of `version`.
  private func enter(
    _ follower: Follower, past version: Int64, _ input: DeclaredInput<State>?, _ comparison: InputComparison<State>?
  ) -> Entrance {
    contents.withLock { contents in
      if Task.isCancelled || contents.isEnded { return .answer(false) }
      // A change came after the caller's comparison, and the others were compared without it.
      if contents.compared > version { return .answer(true) }
      let id = contents.lastID + 1
      if let input {
        let property: Property
        if let present = contents.properties[input.property] {
          // A change between the two versions would not be noticed.
          if present.version > version { return .answer(true) }
          property = present
        } else {
          guard let comparison else { return .needsComparison }
          property = Property(version: version, comparison: comparison)
          contents.properties[input.property] = property
        }
        property.parts[input.part, default: [:]][id] = follower
        if property.version < version { property.ahead.append((input.part, id, version)) }
      } else {
        contents.waiting[id] = follower
      }
      contents.lastID = id
      guard !contents.isLooking else { return .waits(id: id, startsLooking: false) }
      contents.isLooking = true
      // The comparison begins after this version: a caller that has seen an older one must compare again by itself.
      contents.compared = version
      return .waits(id: id, startsLooking: true)
    }
  }

  /// Compares after each change, or once for several changes in quick succession.
  private func look(after version: Int64, in store: StoreWatch<State>) async {
    var version = version
    while true {
      do throws(JournalError) { try await store.wait(past: version) } catch { return end() }
      guard let (now, state) = store.present() else { return end() }
      version = now
      // These copies are gone before the contents change: otherwise a change would copy what it shares with them.
      let (waiting, comparisons) = contents.withLock { contents in
        contents.compared = now
        let older = contents.properties.compactMap { name, property in
          property.version < now ? (name: name, property: property, comparison: property.comparison) : nil
        }
        return (contents.waiting, older)
      }
      let isIdle = waiting.isEmpty && comparisons.isEmpty
      let differing = waiting.compactMap { $0.value.differs(state) ? $0.key : nil }
      let declared = declared(by: comparisons, at: now, state)
      let (woken, isDone) = contents.withLock { contents in
        let woken = differing.compactMap { contents.waiting.removeValue(forKey: $0)?.waiter } + contents.remove(declared)
        if isIdle, contents.isEmpty { contents.isLooking = false }
        return (woken, !contents.isLooking)
      }
      woken.finish(true)
      if isDone { return }
    }
  }

  /// Finds the followers that declare an input and have another value in a newer state. Only those whose part differs are computed.
  private func declared(
    by comparisons: [(name: InputName, property: Property, comparison: InputComparison<State>)], at now: Int64, _ state: State
  ) -> [Place] {
    guard !comparisons.isEmpty else { return [] }
    let compared = comparisons.map { ($0.name, $0.property, differing: $0.comparison.differing(state), next: $0.comparison.next(state)) }
    let candidates = contents.withLock { _ in
      var candidates: [(place: Place, follower: Follower)] = []
      // A property that was removed meanwhile has no followers. If it has come back, as another object, they have seen this version or a newer one.
      for (name, property, differing, next) in compared where property.version < now && !property.parts.isEmpty {
        // A part may have appeared twice among those that differ.
        let parts = differing.count > 1 ? Array(Set(differing)) : differing
        if !property.ahead.isEmpty {
          let ahead = property.ahead.filter { property.parts[$0.part]?[$0.id] != nil }
          let compared = Set(parts)
          for (part, id, _) in ahead where !compared.contains(part) {
            guard let follower = property.parts[part]?[id] else { continue }
            candidates.append((Place(name: name, property: property, part: part, id: id), follower))
          }
          property.ahead = ahead.filter { $0.version > now }
        }
        for part in parts {
          for (id, follower) in property.parts[part] ?? [:] {
            candidates.append((Place(name: name, property: property, part: part, id: id), follower))
          }
        }
        (property.version, property.comparison) = (now, next)
      }
      return candidates
    }
    return candidates.compactMap { $0.follower.differs(state) ? $0.place : nil }
  }

  private func end() {
    let woken = contents.withLock { contents in
      contents.isEnded = true
      contents.isLooking = false
      defer { (contents.waiting, contents.properties) = ([:], [:]) }
      return contents.waiting.values.map(\.waiter)
        + contents.properties.values.flatMap { $0.parts.values.flatMap { $0.values.map(\.waiter) } }
    }
    woken.finish(false)
  }
}

extension Followers {
  /// Whether the follower task runs. For tests.
  var isLooking: Bool { contents.withLock { $0.isLooking } }

  /// The number of tasks that wait. For tests.
  var count: Int {
    contents.withLock { contents in
      contents.waiting.count + contents.properties.values.reduce(0) { $0 + $1.parts.values.reduce(0) { $0 + $1.count } }
    }
  }
}
