/// The last hundred problems, and the streams that receive new ones.
struct ProblemLog: Sendable {
  private static let capacity = 100
  private var recent: [StoreProblem] = []
  private var readers: [AsyncStream<StoreProblem>.Continuation] = []
  private var isFinished = false
  /// The problems that the monitor has not received yet; nil without a monitor.
  private var untold: [StoreProblem]?

  #if DEBUG
    /// The problems that no stream and no monitor has received; nil since there is one.
    private var unread: [StoreProblem]?
    /// Whether a task will print them.
    var willPrint = false
  #endif

  init(isMonitored: Bool) {
    untold = isMonitored ? [] : nil
    #if DEBUG
      unread = isMonitored ? nil : []
    #endif
  }

  #if DEBUG
    /// Returns the problems that no code has read, and takes them for read.
    mutating func takeUnread() -> [StoreProblem] {
      defer { if unread != nil { unread = [] } }
      willPrint = false
      return unread ?? []
    }

    /// Whether there are problems that no code has read.
    var hasUnread: Bool { unread?.isEmpty == false }
  #endif

  mutating func add(_ problem: StoreProblem) {
    #if DEBUG
      if let count = unread?.count, count < Self.capacity { unread?.append(problem) }
    #endif
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
    #if DEBUG
      unread = nil
    #endif
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
