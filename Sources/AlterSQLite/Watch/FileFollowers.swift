#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  /// The open journals of a file, and the tasks that wait for their entries. One watch serves them all.
  ///
  /// The state of one journal among them:
  ///
  /// ```
  ///            begin() reads its end, while the bell is listened to
  ///   behind ────────────────────────────────────────────────────────▶ known ◀──┐
  ///     ▲                                                              │  │     │ a ring, a check, an own append:
  ///     └── a ring while no task waits; a reading that fails; no bell ─┘  └─────┘ its waiting tasks continue
  /// ```
  final class FileFollowers: Sendable {
    private struct Member {
      let journal: OpenJournal
      /// The number of waiting tasks.
      var interest = 0
      /// Whether there may be a commit that was not detected.
      var isBehind = true
      /// The last revision that a look has found.
      var seen: Int64?
    }

    private struct State {
      /// By the number of the journal. Several handles may have one journal open.
      var members: [Int64: [Member]] = [:]
      /// The version of the file at the last check in which all ends were read.
      var version: Int64?
    }

    private let reader: Reader
    private let bell: Doorbell?
    private let state = Lock(State())

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - reader: Reads the ends of the journals.
    ///   - bell: The bell that other processes ring; nil if it was not opened, so that each event of it may concern any journal.
    init(_ reader: Reader, bell: Doorbell?) { (self.reader, self.bell) = (reader, bell) }

    /// Creates the watch that calls this set.
    ///
    /// - Parameters:
    ///   - location: The paths of the file and its helpers.
    ///   - queue: The reading queue.
    func makeWatch(at location: FileLocation, on queue: WorkQueue) -> BellWatch {
      // A file that is opened for reading may have no log, or no lock that this user may open: it is checked once a second.
      let guarded = bell == nil ? nil : BellWatch.Guarded(location: location)
      let watch = BellWatch(
        path: location.bell, queue: queue.dispatchQueue, guarded: guarded,
        isRung: { [weak self] in self.map { !$0.rings.isEmpty } ?? false },
        missed: { [weak self] in self?.missed() }, look: { [weak self] cause in self?.look(cause) ?? false })
      bell?.spare(watch)
      return watch
    }

    /// Adds a handle's journal.
    func add(_ journal: OpenJournal) { state.withLock { $0.members[journal.number, default: []].append(Member(journal: journal)) } }

    /// Removes a handle's journal.
    func remove(_ journal: OpenJournal) {
      let isLast = state.withLock { state in
        state.members[journal.number]?.removeAll { $0.journal === journal }
        guard state.members[journal.number]?.isEmpty == true else { return false }
        state.members[journal.number] = nil
        return true
      }
      if isLast { bell?.forget(journal.number) }
    }

    private func change(_ journal: OpenJournal, _ body: (inout Member) -> Void) {
      state.withLock { state in
        guard let index = state.members[journal.number]?.firstIndex(where: { $0.journal === journal }) else { return }
        state.members[journal.number]?.withUnsafeMutableBufferPointer { body(&$0[index]) }
      }
    }

    /// Registers a waiting task. Commits from now on are detected, if a watch listens.
    ///
    /// - Returns: Whether the caller must read the end of the journal once, to detect earlier commits. If that fails, call ``lose(_:by:)``.
    func begin(_ journal: OpenJournal, by watch: BellWatch) -> Bool {
      let isListening = watch.begin()
      var isBehind = true
      change(journal) { member in
        member.interest += 1
        isBehind = member.isBehind
        member.isBehind = !isListening
      }
      return isBehind || !isListening
    }

    /// Records that the end of a journal could not be read. Other tasks may wait for the same entry, so the watch reads it again.
    func lose(_ journal: OpenJournal, by watch: BellWatch) {
      change(journal) { $0.isBehind = true }
      state.withLock { $0.version = nil }
      watch.check()
    }

    /// Unregisters a waiting task.
    func finish(_ journal: OpenJournal, by watch: BellWatch) {
      watch.finish()
      change(journal) { $0.interest -= 1 }
    }

    /// Wakes the tasks of a journal to which a handle of this set has appended.
    func advance(_ number: Int64, to revision: Revision) {
      for member in state.withLock({ $0.members[number] ?? [] }) { member.journal.waiters.advance(to: revision) }
    }

    /// Wakes the tasks of a device's file after a transaction of a handle of this set.
    func advance(_ number: Int64, toTransaction transaction: Int64) {
      for member in state.withLock({ $0.members[number] ?? [] }) { member.journal.advance(toTransaction: transaction) }
    }

    // MARK: Looking

    /// Any journal may have a commit that was not detected.
    private func missed() {
      state.withLock { state in
        for number in state.members.keys { setBehind(number, in: &state) }
      }
    }

    private func setBehind(_ number: Int64, in state: inout State) {
      guard let count = state.members[number]?.count else { return }
      for index in 0..<count { state.members[number]?[index].isBehind = true }
    }

    private var rings: Doorbell.Rings {
      guard let bell else { return Doorbell.Rings(revisions: [0: nil]) }
      return bell.rings(of: state.withLock { Array($0.members.keys) })
    }

    /// Reads the ends of the journals for which tasks wait. Called on the reading queue.
    ///
    /// - Returns: Whether they could be read.
    private func look(_ cause: BellWatch.Cause) -> Bool {
      let rings = cause == .ring && bell != nil ? rings : nil
      let isRead = look(atAllBut: rings)
      if isRead, let rings { bell?.hear(rings) }
      return isRead
    }

    private func look(atAllBut rings: Doorbell.Rings?) -> Bool {
      // A failed read is repeated at the next ring or second, and a reader's own call reports the error.
      var version: Int64?
      do throws(JournalError) {
        // The error is named after each journal.
        try reader.checkIdentity(name: "")
        if rings == nil { version = try reader.version(name: "") }
      } catch {
        end(state.withLock { $0.members.values.flatMap { $0 }.filter { $0.interest > 0 } }, error)
        return false
      }
      let wanted: [Member] = state.withLock { state in
        // Nothing was committed since all ends were read.
        if rings == nil, let version, version == state.version { return [] }
        let numbers = rings.map { Array($0.revisions.keys) } ?? Array(state.members.keys)
        var wanted: [Member] = []
        for number in numbers {
          for index in 0..<(state.members[number]?.count ?? 0) {
            guard let member = state.members[number]?[index] else { continue }
            if member.interest > 0 { wanted.append(member) } else { state.members[number]?[index].isBehind = true }
          }
        }
        return wanted
      }
      var isRead = true
      for member in wanted where !look(at: member) { isRead = false }
      if rings == nil, isRead { state.withLock { $0.version = version } }
      return isRead
    }

    private func look(at member: Member) -> Bool {
      do throws(JournalError) {
        let end = try reader.end(of: member.journal)
        guard end == nil || end != member.seen else { return true }
        member.journal.waiters.advance(to: try reader.head(of: member.journal).revision)
        if let transaction = try reader.transaction(of: member.journal) { member.journal.advance(toTransaction: transaction) }
        change(member.journal) { $0.seen = end }
        return true
      } catch {
        self.end([member], error)
        return false
      }
    }

    /// In a file that was deleted or replaced, or that a newer version has converted, no new entries appear.
    private func end(_ members: [Member], _ error: JournalError) {
      guard error.code == .diverged || error.code == .newerFormat else { return }
      for member in members {
        member.journal.waiters.finish(error.naming(member.journal.name))
        member.journal.transactions.finish(error.naming(member.journal.name))
      }
    }
  }

  extension JournalError {
    /// The same error of another journal.
    func naming(_ name: String) -> JournalError { JournalError(code, journal: name, revision: revision, lease: lease, message: message) }
  }
#endif
