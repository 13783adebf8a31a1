/// Runs work, and stops waiting for it when a time limit is reached.
struct TimeLimit: Sendable {
  private let isOver = Promise<Void>()
  private let clock: Task<Void, Never>?

  /// Starts a time limit; nil for none.
  init(_ deadline: Duration?, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    let isOver = isOver
    clock = deadline.map { deadline in
      Task {
        try? await sleep(deadline)
        isOver.resolve(())
      }
    }
  }

  /// Stops the clock.
  func end() { clock?.cancel() }

  /// Runs work and returns when it has ended or the limit is reached. In the latter case the work is cancelled, and ends by itself.
  func run(_ work: @escaping @Sendable () async -> Void) async {
    guard clock != nil else { return await work() }
    let ended = Promise<Void>()
    let task = Task {
      await work()
      ended.resolve(())
    }
    let watch = Task { if await isOver.value() != nil { ended.resolve(()) } }
    _ = await ended.value()
    if isOver.current != nil { task.cancel() }
    watch.cancel()
  }
}
