import AlterCore
import AlterJournal

// The drafts of a flight, which are encoded before they are appended, and during the previous append.
extension Store {
  /// The maximum number of bytes in one append, unless a single change has more.
  private static var flightBytes: Int64 { 16 << 20 }

  /// Encodes a flight, and shortens it to the bytes of one append.
  func prepare(_ flight: Replica<State>.Flight) async -> (Replica<State>.Flight, [Entry.Draft]) {
    await encode(flight)
    let drafts = await draft(flight)
    let flight = flight.weighing(drafts)
    weigh(drafts)
    var bytes: Int64 = 0
    let fitting = drafts.prefix { draft in
      defer { bytes += draft.size }
      return bytes == 0 || bytes + draft.size <= Self.flightBytes
    }
    guard fitting.count < drafts.count else { return (flight, drafts) }
    ahead.put(drafts[fitting.count...])
    return (core.withLock { $0.replica.shorten(flight, to: fitting.count) }, Array(fitting))
  }

  /// Appends a flight, and the work of other stores after it, and encodes the following work meanwhile.
  ///
  /// - Returns: The place of the flight.
  func append(
    _ drafts: [Entry.Draft], of flight: Replica<State>.Flight, to journal: any Journal, in turn: TakenTurn?,
    with companions: Companions<State>?
  ) async throws(JournalError) -> Appended {
    let encoding = startEncodingAhead(of: flight)
    let result: Result<Appended, JournalError>
    do throws(JournalError) {
      if let turn, let companions, !companions.isEmpty, let journal = journal.capabilities.groups {
        result = .success(try await append([drafts] + companions.parts, after: flight, to: journal, in: turn, for: companions))
      } else {
        result = .success(
          try await append([drafts], of: flight, with: companions, in: turn?.turn) { () async throws(JournalError) in
            // Only a server's process has an author, and other ways to append.
            try await options.author == nil
              ? journal.append(drafts, after: flight.head, in: turn?.turn, under: flight.leases)
              : append(drafts, after: flight.head, to: journal, in: turn?.turn, under: flight.leases)
          })
      }
    } catch {
      result = .failure(error)
    }
    await endEncodingAhead(encoding)
    return try result.get()
  }

  /// Appends the drafts of several stores, and ends the waits of the others.
  private func append(
    _ parts: [[Entry.Draft]], after flight: Replica<State>.Flight, to journal: any TurnReadingJournal, in turn: TakenTurn,
    for companions: Companions<State>
  ) async throws(JournalError) -> Appended {
    let appended = try await append(parts, of: flight, with: companions, in: turn.turn) { () async throws(JournalError) in
      try await journal.append(parts, after: flight.head, in: turn.turn, under: flight.leases)
    }
    turn.end()
    var entries = turn.reading?.entries ?? []
    var (end, own) = (flight.head, flight.head)
    for draft in parts.joined() {
      let entry = Entry(draft, after: end)
      entries.append(entry)
      end = end.advanced(by: entry)
      if entry.revision - flight.head.revision == parts[0].count { own = end }
    }
    // Entries that were read by several pages, or an append that was made before.
    let isWhole = appended.head == end && zip(entries, entries.dropFirst()).allSatisfy { $0.revision.next == $1.revision }
    companions.appended(isWhole ? entries : [], to: appended.head)
    return appended.head == end ? Appended(first: appended.first, head: own) : appended
  }

  /// Appends a flight and the work of other stores after it to a journal, and moves rows if there are any.
  func append(
    _ parts: [[Entry.Draft]], of flight: Replica<State>.Flight, with companions: Companions<State>?, in turn: Turn?,
    else append: () async throws(JournalError) -> Appended
  ) async throws(JournalError) -> Appended {
    let moving: (mover: any RowMover<State>, history: History<State>)? = core.withLock { core in
      guard let mover = core.rowMover, !core.isServed, core.replica.head == flight.head else { return nil }
      return (mover, core.replica.history)
    }
    guard let (mover, history) = moving, let newer = companions?.state ?? Replica.landing(of: flight, on: history) else {
      return try await append()
    }
    do throws(JournalError) {
      return try await mover.append(parts, after: flight.head, in: turn, under: flight.leases, from: history.state, to: newer)
    } catch {
      // A server may have begun to decide the journal. Nothing was written.
      guard error.code == .readOnly else { throw error }
      return try await append()
    }
  }

  /// Returns the drafts of a flight; empty if one cannot be encoded. Then that piece of work is dropped, and the flight has ended.
  private func draft(_ flight: Replica<State>.Flight) async -> [Entry.Draft] {
    guard let backend else { return [] }
    do throws(Unwritable) { return try drafts(of: flight, by: backend) } catch {
      let reason = JournalError(
        .unencodable, journal: backend.journal.name,
        message: "can't hold the change \(error.id): \(error.why). The store has removed the change from the state.")
      await rework { replica, _ in replica.discard(error.id.sequence, because: .failed(reason)) }
      return []
    }
  }

  /// Returns the drafts of a flight.
  func drafts(of flight: Replica<State>.Flight, by backend: Backend<State>) throws(Unwritable) -> [Entry.Draft] {
    let known = ahead.take(through: flight.records[flight.records.count - 1].id.sequence)
    let largest = options.author == nil ? Entry.Draft.largestSize : largestDraft
    var drafts: [Entry.Draft] = []
    drafts.reserveCapacity(flight.records.count)
    for (place, quick) in backend.coding.quickDrafts(of: flight.records[...], known: known).enumerated() {
      if let quick, quick.size <= largest {
        drafts.append(quick)
        continue
      }
      let record = flight.records[place]
      let draft: Entry.Draft
      do { draft = try backend.coding.draft(record) } catch {
        throw Unwritable(id: record.id, why: "it can't be written as JSON: \(JournalCoding.explain(error))")
      }
      guard draft.size <= largest else {
        throw Unwritable(id: record.id, why: "it takes \(draft.size) bytes, and an entry may take \(largest)")
      }
      drafts.append(draft)
    }
    return drafts
  }

  /// Starts a task that encodes and weighs the work after a flight; nil if there is none.
  func startEncodingAhead(of flight: Replica<State>.Flight) -> Task<Void, Never>? {
    guard let sequence = flight.records.last?.id.sequence, core.withLock({ $0.replica.pendingCount > flight.records.count }) else {
      return nil
    }
    let start = ahead.start(after: sequence)
    return Task { encodeAhead(after: start) }
  }

  /// Stops encoding ahead.
  func endEncodingAhead(_ task: Task<Void, Never>?) async {
    guard let task else { return }
    ahead.stop()
    await task.value
  }

  private func encodeAhead(after sequence: Int64) {
    guard let backend else { return }
    var sequence = sequence
    while ahead.isWanted {
      // A few at a time: the append may end at any moment, and the writer must not wait long.
      let records = core.withLock { $0.replica.upcoming(after: sequence, limit: 16) }
      guard let last = records.last else { return }
      weigh(ahead.encode(records, by: backend.coding, isNeeded: false))
      sequence = last.id.sequence
    }
  }

  /// Counts the bytes of pending work, if it takes more than 2 KiB.
  ///
  /// - Parameter isPatient: Whether to wait for the lock.
  /// - Returns: False if the lock was taken, and nothing was counted.
  @discardableResult
  func weigh(_ drafts: [Entry.Draft], waiting isPatient: Bool = true) -> Bool {
    let large = drafts.filter { $0.size > 2 << 10 }
    return large.isEmpty || core.withLock(waiting: isPatient) { $0.weigh(large) } != nil
  }

  /// Encodes a flight of at least 256 records on two threads.
  func encode(_ flight: Replica<State>.Flight) async {
    let records = flight.records
    guard let backend, records.count >= 256 else { return }
    let half = records.count / 2
    let other = Task { _ = ahead.encode(records[half...], by: backend.coding, isNeeded: true) }
    ahead.encode(records[..<half], by: backend.coding, isNeeded: true)
    await other.value
  }
}

/// A change that no entry can hold.
struct Unwritable: Error {
  let id: EntryID
  let why: String
}

/// Drafts that were encoded before their flight, by sequence. Encoding takes longer than appending, so it runs during the previous append.
///
/// A rebase does not change the draft of a change. It may change the targets of an undo or a redo, so those are never encoded ahead.
final class DraftsAhead: Sendable {
  private struct Contents {
    var drafts: [Int64: Entry.Draft] = [:]
    /// The bytes of the drafts.
    var bytes: Int64 = 0
    var isWanted = false
    /// The last sequence that was encoded ahead, so that no record is encoded twice during one wait.
    var last: Int64 = 0

    mutating func add(_ draft: Entry.Draft) {
      bytes += draft.size - (drafts.updateValue(draft, forKey: draft.id.sequence)?.size ?? 0)
    }
  }

  /// The maximum number of bytes to keep: two appends. Further drafts are weighed and discarded.
  private static var limit: Int64 { 32 << 20 }

  private let contents = Lock(Contents())

  /// Whether encoding should continue.
  var isWanted: Bool { contents.withLock { $0.isWanted } }

  /// Begins encoding ahead, and returns the sequence to continue after.
  ///
  /// - Parameter sequence: The last sequence of the flight.
  func start(after sequence: Int64) -> Int64 {
    contents.withLock { contents in
      contents.isWanted = true
      // After a rebase or under another origin, `last` may lie before the flight.
      if contents.last < sequence { contents.last = sequence }
      return contents.last
    }
  }

  /// Forgets everything, because sequences begin again.
  func reset() { contents.withLock { $0 = Contents() } }

  /// Stops encoding ahead, because an append or a wait ends.
  func stop() { contents.withLock { $0.isWanted = false } }

  /// Encodes the records that may be encoded ahead and are not yet. A record that cannot be encoded is left to its flight.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - coding: The coding of the state.
  ///   - isNeeded: Whether the drafts are needed at once and kept whatever their size.
  /// - Returns: The drafts that take more than 2 KiB. Limits on their number suffice for the others.
  @discardableResult
  func encode<State>(_ records: some Sequence<Record<State>>, by coding: RecordCoding<State>, isNeeded: Bool) -> [Entry.Draft] {
    var large: [Entry.Draft] = []
    for record in records where !record.content.isMark {
      let sequence = record.id.sequence
      guard contents.withLock({ $0.drafts[sequence] == nil }), let draft = try? coding.draft(record) else { continue }
      contents.withLock { contents in
        contents.last = max(contents.last, sequence)
        if isNeeded || contents.bytes < Self.limit { contents.add(draft) }
      }
      if draft.size > 2 << 10 { large.append(draft) }
    }
    return large
  }

  /// Returns drafts that are not needed yet. Those of undos and redos are discarded.
  func put(_ drafts: ArraySlice<Entry.Draft>) {
    contents.withLock { contents in for draft in drafts where draft.kind != .undo && draft.kind != .redo { contents.add(draft) } }
  }

  /// Removes and returns the drafts up to a sequence.
  func take(through sequence: Int64) -> [Int64: Entry.Draft] {
    contents.withLock { contents in
      if contents.drafts.keys.allSatisfy({ $0 <= sequence }) {
        defer { (contents.drafts, contents.bytes) = ([:], 0) }
        return contents.drafts
      }
      let taken = contents.drafts.filter { $0.key <= sequence }
      for draft in taken.values {
        contents.drafts[draft.id.sequence] = nil
        contents.bytes -= draft.size
      }
      return taken
    }
  }
}
