#if DEBUG
  import AlterCore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

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

#if DEBUG
  // Debug builds print the problems that no code reads. An app may begin to read them a moment after it has opened the store.
  extension Store {
    /// Prints the unread problems after a second, unless the app has begun to read them.
    @usableFromInline
    func printUnreadProblemsSoon() {
      let begins = core.withLock { core in
        defer { if core.problems.hasUnread { core.problems.willPrint = true } }
        return core.problems.hasUnread && !core.problems.willPrint
      }
      guard begins else { return }
      Task.detached { [weak self, sleep = options.environment.sleep] in
        try? await sleep(.seconds(1))
        self?.printUnreadProblems()
      }
    }

    /// Prints the unread problems to the standard error.
    func printUnreadProblems() {
      let problems = core.withLock { $0.problems.takeUnread() }
      guard !problems.isEmpty else { return }
      let text = Self.describe(unread: problems, of: isJournaled ? journalName : nil)
      printToStandardError(text)
    }

    /// The report of unread problems: each on a line, then the remedy.
    static func describe(unread problems: [StoreProblem], of journal: String?) -> String {
      let store = "Alter: Store<\(State.self)>" + (journal.map { " on '\($0)'" } ?? "")
      return problems.map { "\(store): \($0)\n" }.joined() + """
        \(store): Debug builds print this because no code reads the store's problems. Read them where you open the store, in a task of their own: \
        'for await problem in store.problems { … }'.

        """
    }
  }

  private func printToStandardError(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
#endif
