/// The last hundred problems, and the streams that receive new ones.
struct ProblemLog: Sendable {
  private static let capacity = 100
  private var recent: [StoreProblem] = []
  private var readers: [AsyncStream<StoreProblem>.Continuation] = []
  private var isFinished = false
  /// The problems that the monitor has not received yet; nil without a monitor.
  private var untold: [StoreProblem]?

  init(isMonitored: Bool) { untold = isMonitored ? [] : nil }

  mutating func add(_ problem: StoreProblem) {
    recent.append(problem)
    if recent.count > Self.capacity { recent.removeFirst() }
    if let count = untold?.count, count < Self.capacity { untold?.append(problem) }
    readers.removeAll { if case .terminated = $0.yield(problem) { true } else { false } }
  }

  /// Returns the problems since the last call, the first hundred of them.
  mutating func takeUntold() -> [StoreProblem] {
    defer { if untold != nil { untold = [] } }
    return untold ?? []
  }

  mutating func stream(countedBy usage: StoreUsage) -> AsyncStream<StoreProblem> {
    let (stream, continuation) = AsyncStream<StoreProblem>.makeStream(bufferingPolicy: .bufferingNewest(Self.capacity))
    usage.register(continuation)
    recent.forEach { continuation.yield($0) }
    if isFinished { continuation.finish() } else { readers.append(continuation) }
    return stream
  }

  mutating func finish() {
    isFinished = true
    readers.forEach { $0.finish() }
    readers = []
  }
}
