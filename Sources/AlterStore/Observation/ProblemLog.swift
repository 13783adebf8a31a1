/// The last hundred problems, and the streams that receive new ones.
struct ProblemLog: Sendable {
  private static let capacity = 100
  private var recent: [StoreProblem] = []
  private var readers: [AsyncStream<StoreProblem>.Continuation] = []
  private var isFinished = false

  mutating func add(_ problem: StoreProblem) {
    recent.append(problem)
    if recent.count > Self.capacity { recent.removeFirst() }
    readers.removeAll { if case .terminated = $0.yield(problem) { true } else { false } }
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
