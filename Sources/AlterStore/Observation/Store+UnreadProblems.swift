#if DEBUG
  import AlterCore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

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
