import AlterCore
import AlterJournal

// The reader: applies other writers' entries to the replica.
extension Store {
  /// Whether the store applies other writers' entries.
  enum Following: Sendable {
    /// It waits for ``Store/beginFollowing()``.
    case later
    /// It applies the entries that were appended meanwhile. The promise is the failure; nil if there is none.
    case beginning(Promise<JournalError?>)
    case begun
  }

  /// Starts to follow the upstream: waits for news and applies them. While it is out of reach, the store retries with growing pauses.
  ///
  /// - Parameters:
  ///   - isLater: Whether entries are left for later. The store then waits for errors alone, as when its file was replaced.
  ///   - isAway: Whether the upstream is out of reach, as far as the caller knows.
  func follow(isLater: Bool = false, isAway: Bool = false) {
    guard let upstream else { return }
    let task = Task.detached { [weak self, options, position = upstream.position(of: self)] in
      var position = position
      var backoff = Backoff()
      var isAway = isAway
      while !Task.isCancelled {
        do throws(JournalError) {
          if isAway {
            try await upstream.probe()
            self?.goesOn(.reader)
            isAway = false
          }
          // A writer among many reads all entries in its turns. Waiting for them here as well would only wake it at each.
          while let self, self.core.withLock({ $0.contention.isFresh(now: .now) }), !Task.isCancelled {
            // The time since the last turn is real, so the pause is, too.
            try? await Task.sleep(for: .milliseconds(20))
            position = upstream.position(of: self)
          }
          try await upstream.wait(past: isLater ? .max : position) { [weak self] in self }
          guard let self else { return }
          position = try await self.readOthers(from: upstream, after: position)
          self.goesOn(.reader)
          backoff = Backoff()
        } catch {
          if error.isTransient {
            self?.waits(.reader, for: error)
            isAway = true
            try? await options.environment.sleep(backoff.next())
          } else {
            // Without this, the store would show an old state for good.
            if error.code == .closed { self?.fail(.closedBeneath(upstream.name)) } else if error.code != .cancelled { self?.fail(error) }
            return
          }
        }
      }
    }
    reader.withLock { $0 = task }
  }

  /// Applies other writers' entries from now on, if that was left for later (``StoreOptions/followsLater``). The state is then the present one.
  ///
  /// - Parameter cancelled: The error if the calling task is cancelled. The store begins all the same.
  /// - Throws: The error with which the journal could not be read. If it is temporary, the next call tries again; otherwise the store has failed.
  /// - Complexity: O(1) after the first call; the first one reads the entries since the opening.
  func beginFollowing(cancelled: @autoclosure () -> JournalError) async throws(JournalError) {
    let (promise, isFirst): (Promise<JournalError?>?, Bool) = following.withLock { following in
      switch following {
      case .begun: return (nil, false)
      case .beginning(let promise): return (promise, false)
      case .later:
        let promise = Promise<JournalError?>()
        following = .beginning(promise)
        return (promise, true)
      }
    }
    guard let promise else { return }
    if isFirst {
      // In a task of its own: other callers wait for it, too. The end of the store cancels it as the reader.
      reader.withLock { reader in
        reader = Task.detached { [former = reader] in
          let failure = await self.followNow(after: former)
          self.following.withLock { $0 = failure == nil ? .begun : .later }
          promise.resolve(failure)
        }
      }
    }
    guard let failure = await promise.value() else { throw cancelled() }
    if let failure { throw failure }
  }

  private func followNow(after former: Task<Void, Never>?) async -> JournalError? {
    guard options.followsOthers, let upstream else { return nil }
    // The former reader must not report an outage after this one.
    former?.cancel()
    await former?.value
    var failure: JournalError?
    do throws(JournalError) {
      let turn = try await gate.take()
      defer { turn.end() }
      try await upstream.read(into: self)
      goesOn(.reader)
    } catch {
      failure = error
      if error.isTransient { waits(.reader, for: error) } else if error.code != .cancelled, error.code != .closed { fail(error) }
    }
    follow(isLater: failure != nil, isAway: failure != nil)
    // The end of the store cancels the reader that it finds.
    if !isOpen { reader.withLock { $0 }?.cancel() }
    return failure
  }

  /// Applies other writers' entries.
  ///
  /// - Parameters:
  ///   - upstream: The upstream, which was seen to have news.
  ///   - position: The store's position at that time.
  /// - Returns: The store's position now.
  private func readOthers(from upstream: any Upstream<State>, after position: Int64) async throws(JournalError) -> Int64 {
    var isUnchanged: Bool { upstream.position(of: self) == position }
    // Most often the entry is from this store's own writer, which is about to apply it. Waiting for the gate then would delay the next
    // flight.
    if isUnchanged { await Task.yield() }
    // Contention has begun during the wait.
    if isUnchanged, core.withLock({ $0.contention.isFresh(now: .now) }) { try? await Task.sleep(for: .milliseconds(10)) }
    if isUnchanged {
      let turn = try await gate.take()
      defer { turn.end() }
      if isUnchanged { try await upstream.read(into: self) }
    }
    return upstream.position(of: self)
  }

  /// Reads the journal from the known head to its end, one page at a time, and folds it in.
  ///
  /// - Parameters:
  ///   - pages: The maximum number of pages. If there is one, the journal is not folded again for an undo that reaches beyond the kept
  ///     records: the end is not reached then.
  ///   - reading: The entries that were read with a turn, if any.
  ///   - endsAtClose: Whether nothing more is read once the store is being closed, because no pending work depends on it.
  /// - Returns: Whether the end was reached.
  @discardableResult
  func catchUp(
    pages: Int = .max, from reading: TurnReading? = nil, endsAtClose: Bool = false
  ) async throws(JournalError) -> Bool {
    guard let backend else { return true }
    var hasSteps = false
    while var catchUp = CatchUp(self, backend, hasSteps: hasSteps) {
      var isEnd = false
      var failure: JournalError?
      do throws(JournalError) { isEnd = try await catchUp.read(pages: pages, from: reading, of: self) } catch { failure = error }
      if !isEnd, catchUp.isDoubtful {
        if let failure { throw failure }
        return false
      }
      // The pages that were read before a failure are kept.
      switch try await catchUp.end(in: self) {
      case .done:
        if let failure { throw failure }
        if isEnd || catchUp.pages >= pages || !(endsAtClose ? takesChanges : isOpen) { return isEnd }
      case .ended: return false
      // An observer was added during the reading, and has received the state before it.
      case .needsSteps: hasSteps = true
      case .isAnother: break
      }
    }
    return false
  }
}
