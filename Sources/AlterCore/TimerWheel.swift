/// Waits that mostly end early, such as time limits: a cancelled wait leaves nothing.
///
/// `Task.sleep` keeps the memory of a cancelled wait until its time has come, some 500 bytes on Linux. A limit of 30 s for requests that take a
/// millisecond, a thousand in a second, would occupy the memory of 30,000 waits. Here a wait is removed when its task is cancelled, and all waits
/// share one timer.
///
/// The waits are in slots by their ends, as in the timing wheels of Varghese and Lauck, "Hashed and Hierarchical Timing Wheels" (1987). While there
/// are waits, a task examines the slots once in each ``resolution``.
package final class TimerWheel: Sendable {
  /// The wheel of the process.
  package static let shared = TimerWheel()

  /// The time between two examinations of the slots. A wait may last twice as long too long: until its slot has ended, and until that is noticed.
  package static let resolution: Duration = .milliseconds(250)

  /// The longest wait: a century.
  private static let longest: Duration = .seconds(3_155_760_000)

  private struct Contents {
    /// The waits by the number of their slot. A slot without waits is removed.
    var slots: [Int64: [Int: Waiter<Void>]] = [:]
    var lastID = 0
    /// Whether the task runs that examines the slots.
    var isTurning = false
  }

  private let contents = Lock(Contents())
  private let now: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async -> Void

  /// Creates a wheel with the system's clock.
  package convenience init() {
    let start = ContinuousClock.now
    self.init(now: { start.duration(to: .now) }, pause: { try? await Task.sleep(for: $0) })
  }

  /// Creates a wheel.
  ///
  /// - Parameters:
  ///   - now: The time, which never decreases.
  ///   - pause: Waits for a time. The wheel compares the clock afterwards, so the time need not be exact.
  package init(now: @escaping @Sendable () -> Duration, pause: @escaping @Sendable (Duration) async -> Void) {
    (self.now, self.pause) = (now, pause)
  }

  /// The number of waits.
  package var count: Int { contents.withLock { $0.slots.values.reduce(0) { $0 + $1.count } } }

  /// Waits for a time. A time of less than a second is exact; a longer wait may take twice ``resolution`` more.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  /// - Complexity: O(1).
  package func sleep(for duration: Duration) async throws {
    guard duration >= .seconds(1) else { return try await Task.sleep(for: duration) }
    let end = now() + min(duration, Self.longest)
    let slot = Int64((end / Self.resolution).rounded(.up))
    let waiter = Waiter<Void>()
    let (id, starts) = contents.withLock { contents in
      contents.lastID += 1
      contents.slots[slot, default: [:]][contents.lastID] = waiter
      defer { contents.isTurning = true }
      return (contents.lastID, !contents.isTurning)
    }
    if starts { Task.detached { await self.turn() } }
    if await waiter.value() != nil { return }
    contents.withLock { contents in
      contents.slots[slot]?[id] = nil
      if contents.slots[slot]?.isEmpty == true { contents.slots[slot] = nil }
    }
    throw CancellationError()
  }

  /// Ends waits when their time has come, as long as there are any.
  private func turn() async {
    while true {
      await pause(Self.resolution)
      let present = Int64((now() / Self.resolution).rounded(.down))
      let (ended, isDone) = contents.withLock { contents in
        let due = contents.slots.keys.filter { $0 <= present }
        let ended = due.flatMap { contents.slots.removeValue(forKey: $0)?.values.map { $0 } ?? [] }
        contents.isTurning = !contents.slots.isEmpty
        return (ended, !contents.isTurning)
      }
      ended.finish(())
      if isDone { return }
    }
  }
}
