import AlterCore
import AlterJournal

// The reader: what carries others' work into the replica.
extension Store {
  /// Starts to follow the journal: waits for entries and takes them in, and retries with growing pauses while the journal is out of reach.
  ///
  /// - Parameters:
  ///   - journal: The store's journal.
  ///   - revision: The last revision that is taken in.
  func follow(_ journal: any Journal, after revision: Revision) {
    let task = Task.detached { [weak self, options] in
      var revision = revision
      var backoff = Backoff()
      var isAway = false
      while !Task.isCancelled {
        do throws(JournalError) {
          if isAway {
            // Nobody may write for long: that the journal is back is not told by an entry alone.
            _ = try await journal.head()
            self?.goesOn(.reader)
            isAway = false
          }
          try await journal.waitForEntry(after: revision)
          guard let self else { return }
          revision = try await self.readOthers(after: revision)
          self.goesOn(.reader)
          backoff = Backoff()
        } catch {
          if error.isTransient {
            self?.waits(.reader, for: error)
            isAway = true
            try? await options.sleep(backoff.next())
          } else {
            if error.code != .cancelled, error.code != .closed { self?.fail(error) }
            return
          }
        }
      }
    }
    reader.withLock { $0 = task }
  }

  /// Takes in what others wrote.
  ///
  /// - Parameter revision: What was known when the journal was seen to have more.
  /// - Returns: The revision known now.
  func readOthers(after revision: Revision) async throws(JournalError) -> Revision {
    // Most often it was this store's own writer, who is about to take it in: to stand in line behind it would keep its next flight waiting.
    if self.revision == revision { await Task.yield() }
    guard self.revision == revision else { return self.revision }
    let turn = try await gate.take()
    defer { turn.end() }
    if self.revision == revision { try await catchUp() }
    return self.revision
  }

  /// Reads the journal from the known head to its end, a page at a time, and folds it in.
  ///
  /// - Parameter pages: How many pages at most.
  /// - Returns: Whether the end was reached.
  @discardableResult
  func catchUp(pages: Int = .max) async throws(JournalError) -> Bool {
    guard let backend else { return true }
    var hasSteps = false
    while var catchUp = CatchUp(self, backend, hasSteps: hasSteps) {
      var isEnd = false
      var failure: JournalError?
      do throws(JournalError) { isEnd = try await catchUp.read(pages: pages, of: self) } catch { failure = error }
      // What was read before a failure counts.
      switch try await catchUp.end(in: self) {
      case .done:
        if let failure { throw failure }
        if isEnd || catchUp.pages >= pages || !isOpen { return isEnd }
      case .ended: return false
      // Who observes is asked now: somebody may have begun during the reading, with the state before it.
      case .needsSteps: hasSteps = true
      case .isAnother: break
      }
    }
    return false
  }
}
