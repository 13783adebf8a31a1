public import AlterCore
public import AlterJournal

/// One participant in a journal, as a pure state machine: events in, decisions out. ``Store`` carries the decisions out.
///
/// A replica holds the *confirmed* state (the journal folded up to a head) and its *pending* work (applied, not yet confirmed). The visible
/// state is pending over confirmed. Pending work goes to the journal as one *flight*, which is appended after the confirmed head.
///
/// ```
///   change ──> pending ──takeFlight──> [ append after head ] ──appended──> confirmed, promoted
///                 ^                            │ conflict
///                 └── rebase <── advance <── read others' entries
/// ```
///
/// A pending undo is an intent: each rebase looks up its targets again, so that two replicas that undo at once undo two entries. Confirmed
/// entries never change.
@usableFromInline
package struct Replica<State: Alterable>: Sendable {
  /// A batch of pending work that is in flight to the journal.
  package struct Flight: Sendable {
    /// The number of the flight, which distinguishes it from earlier ones.
    let number: Int
    /// The records to append, in order; never empty.
    package private(set) var records: [Record<State>]
    /// The head that the records are appended after.
    package let head: Head
    /// The leases that the records are made under, without duplicates.
    package var leases: [Lease] {
      var leases: [Lease] = []
      for record in records { if let lease = record.lease, !leases.contains(lease) { leases.append(lease) } }
      return leases
    }
    /// The state after the last record; nil if it is not known, because more work was pending than one flight carries.
    let state: State?

    /// Returns the same flight, whose large records know their sizes in the journal.
    func weighing(_ drafts: [Entry.Draft]) -> Flight {
      guard drafts.contains(where: { $0.size >= RecordExtra.heavy }) else { return self }
      var flight = self
      for (place, draft) in zip(records.indices, drafts) { flight.records[place] = records[place].weighing(draft.size) }
      return flight
    }

    /// Whether its records must be applied again when it lands.
    var isLong: Bool { state == nil || records.contains { $0.content.isMark } }

    /// Whether its records, even if they must be applied again, take little time: at most 64, and no undo.
    var isLittle: Bool { records.count <= 64 && !records.contains { $0.content.isMark } }
  }

  /// The outcome of one piece of work. Each piece is resolved exactly once.
  package struct Resolution: Sendable {
    /// The id under which the work was made.
    package let id: EntryID
    /// The sequence of that id.
    package var sequence: Int64 { id.sequence }
    /// The revision in the journal, or the reason for which the journal does not have the work.
    package let result: Result<Revision, CommitError<State.Failure>>
  }

  /// A confirmed record, and the state that it led to.
  package typealias Step = (record: Record<State>, state: State)

  /// The consequences of an event, which the store reports to its callers.
  package struct Report: Sendable {
    /// The work that is resolved.
    package var resolutions: [Resolution] = []
    /// The confirmed records in order, if an observer wants them.
    package var steps: [Step] = []
    /// A new start of the confirmed side, before all steps: observers miss the entries up to its revision.
    package var start: (ground: MirrorNews<State>.Ground.Reason, revision: Revision, state: State)?
    /// The own work that the outbox has.
    package var stored: [EntryID] = []
    /// The refused changes that the device's file lists; nil if the event was none of the file.
    var listed: [RefusedChange<State>]?
    /// Whether pending work was replayed on top of other writers' entries.
    package var isRebased = false
    /// The confirmed records that the state refuses although no undo explains it.
    package var refusals: [(revision: Revision, failure: State.Failure)] = []

    /// The ids of dropped work.
    var dropped: Set<EntryID> {
      Set(resolutions.lazy.compactMap { if case .failure = $0.result { $0.id } else { nil } })
    }
  }

  /// The reason why records of the journal cannot be applied. Nothing was changed.
  package enum Obstacle: Error {
    /// An undo reverts entries that this replica does not keep. Fold the journal from an earlier point, or ignore those of these ids that
    /// the journal does not have.
    case reachesBeyond(Set<EntryID>)
    /// The state refuses a record although no undo explains it.
    case refused(Revision, State.Failure)
  }

  /// The undo scope of this replica's work: an undo in this scope may revert it.
  @usableFromInline package let scope: UndoScope
  /// The number of pieces of work that may be pending.
  @usableFromInline package let limit: Int
  /// The id of this replica.
  @usableFromInline package internal(set) var origin: Origin
  /// The confirmed side.
  @usableFromInline package internal(set) var history: History<State>
  /// The known end of the journal; nil in memory, where work is confirmed at once.
  @usableFromInline package internal(set) var head: Head?
  /// The work that is applied, and not confirmed.
  @usableFromInline var pending: PendingWork<State>
  /// Whether pending work is in flight.
  var writing = FlightState.idle
  /// The number of flights so far.
  private var flights = 0
  /// Counts the events that change more than the end of the pending work. A landed flight does not count, because it leads to the same
  /// state.
  var events = 0
  /// Counts how often the replica has continued as another one, or has got its undo window. An earlier copy must not replace it.
  var lives = 0
  @usableFromInline var sequence: Int64 = 0
  @usableFromInline var time: Int64 = .min

  /// Whether it has made work. The sequence 1 is that of an initial state.
  var hasMade: Bool { sequence > 1 }

  /// Creates a replica at a head.
  ///
  /// - Parameters:
  ///   - history: The confirmed side.
  ///   - head: The end of the journal; nil if there is none.
  ///   - origin: The id of this replica; not used before.
  ///   - scope: The undo scope of its work.
  ///   - limit: The number of pieces of work that may be pending.
  ///   - flightLimit: The number of records that one flight carries.
  ///   - lastSequence: The last sequence number that the origin has used.
  ///   - isSynced: Whether a device's file has a part of the work, and a server decides it.
  package init(
    _ history: History<State>, head: Head?, origin: Origin, scope: UndoScope, limit: Int, flightLimit: Int = 2_500, lastSequence: Int64 = 0,
    isSynced: Bool = false
  ) {
    sequence = lastSequence
    pending = PendingWork(interval: flightLimit, hasOutbox: isSynced)
    self.history = history
    self.head = head
    self.origin = origin
    self.scope = scope
    self.limit = limit
  }

  /// The visible state: pending over confirmed.
  @inlinable
  package var state: State { pending.state ?? history.state }

  /// Whether a server decides the work, and a device's file has a part of it.
  @inlinable package var isSynced: Bool { pending.outbox != nil }

  /// Whether work is confirmed when it is made: in memory. A call that is not inlined would copy the whole replica.
  @inlinable @inline(__always) var confirmsAtOnce: Bool { head == nil && pending.outbox == nil }

  /// The confirmed side with all visible work folded in.
  var folded: History<State> { pending.folded(over: history) }

  /// The number of pieces of pending work.
  package var pendingCount: Int { pending.count }

  /// The number of pieces of pending work that are not known to be on a disk.
  @inlinable package var unwrittenCount: Int { pending.unwrittenCount }

  /// Returns the pending record with an id; nil if there is none.
  ///
  /// - Complexity: O(log(pending)).
  package func pending(_ id: EntryID) -> Record<State>? { pending.index(of: id).map { pending.pieces[$0].record } }

  /// The unwritten work in order, each piece with the information whether the journal, or the outbox, may have it.
  package var leftOver: [Unwritten<State>] {
    // Usual when a store is closed. The generic code below looks up its types at run time, which a short command would notice.
    guard unwrittenCount > 0 else { return [] }
    let doubtful = writing.doubtful
    return pending.unwritten.enumerated().map { place, work in Unwritten(work, of: head?.journal, mayBeWritten: place < doubtful) }
  }

  /// The sequences of pending work that the journal may have.
  package var doubtfulSequences: Set<Int64> {
    let doubtful = writing.doubtful
    return doubtful == 0 ? [] : Set(pending.unwritten.prefix(doubtful).lazy.map(\.record.id.sequence))
  }

  /// A flight with the first unwritten pieces begins.
  ///
  /// - Returns: Its number.
  mutating func beginFlight(of pieces: Int) -> Int {
    flights += 1
    writing.on(.began(flights, pieces: pieces))
    return flights
  }
}

/// Whether a replica's first unwritten work is in flight to the journal, or to a device's outbox, as a state machine.
///
/// Everything that happens to a flight is an ``Event``. The events of an earlier flight, which arrive late, change nothing:
///
/// | state | `began` | `mayBeThere`, `shortened` | `landed`, `turnedBack` | `lost` | `overtaken` |
/// |---|---|---|---|---|---|
/// | `idle` | in flight | – | – | – | idle |
/// | `inFlight` | in flight | in flight, another doubt | idle | unknown; idle if the journal can't have it | idle |
/// | `unknown` | in flight | – | – | – | idle |
///
/// A test walks through the table: FlightStateTests.
enum FlightState: Hashable, Sendable {
  /// Nothing is in flight.
  case idle
  /// A flight with a number is under way. The journal may have its first pieces already.
  case inFlight(Int, doubtful: Int)
  /// The outcome of the last flight is unknown: reading will show whether the journal has its pieces.
  case unknown(doubtful: Int)

  enum Event: Hashable, Sendable {
    /// A flight with a number and so many pieces begins.
    case began(Int, pieces: Int)
    /// The journal may have so many pieces of the flight: all after an attempt to append it, none before.
    case mayBeThere(Int, pieces: Int)
    /// The flight has only so many pieces from now on.
    case shortened(Int, to: Int)
    /// The journal has the flight, directly after the known head.
    case landed(Int)
    /// The flight has failed, and the journal will never have it.
    case turnedBack(Int)
    /// The flight has ended at an unknown place, or with an unknown outcome.
    case lost(Int)
    /// Entries were read, or the pending work has changed: no flight with the former content can land any more.
    case overtaken

    /// The number of the flight that the event is about; nil for all.
    fileprivate var number: Int? {
      switch self {
      case .mayBeThere(let number, _), .shortened(let number, _), .landed(let number), .turnedBack(let number), .lost(let number): number
      case .began, .overtaken: nil
      }
    }
  }

  /// The number of the present flight; nil for none.
  var number: Int? { if case .inFlight(let number, _) = self { number } else { nil } }

  /// The number of pieces at the front of the unwritten work that the journal may have.
  var doubtful: Int {
    switch self {
    case .idle: 0
    case .inFlight(_, let doubtful), .unknown(let doubtful): doubtful
    }
  }

  /// Carries out an event.
  ///
  /// - Returns: False, without a change, if the event is about another flight than the present one.
  @discardableResult
  mutating func on(_ event: Event) -> Bool {
    if let about = event.number, about != number { return false }
    switch event {
    case .began(let number, let pieces), .mayBeThere(let number, let pieces), .shortened(let number, let pieces):
      self = .inFlight(number, doubtful: pieces)
    case .lost: self = doubtful == 0 ? .idle : .unknown(doubtful: doubtful)
    case .landed, .turnedBack, .overtaken: self = .idle
    }
    return true
  }
}
