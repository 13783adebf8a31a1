#if Postgres
  import AlterCore
  import AlterJournal

  /// Detects appends to all journals that this process follows, by one connection.
  ///
  /// A notification is only a hint that a process has committed; the follower then reads the heads. Hints can be lost, by a restart, by a
  /// connection pooler, or by a process that dies between its commit and its hint. Therefore the follower also reads the heads at
  /// intervals. The heads themselves are exact, because the appending transaction updates them.
  ///
  /// The reading stops after these steps, in this order: the connection listens; no connection holds the writers' lock; the heads of all
  /// followed journals are read. An append that is not visible then is made by a connection that took the lock after the second step. It
  /// announced that before the append, and the announcement starts the reading again (`Design/0010-postgres.md`).
  ///
  /// `@unchecked Sendable`: used on ``loop`` only.
  ///
  /// | phase | event | next phase |
  /// |---|---|---|
  /// | resting | a journal is followed, a notification arrives, the connection is lost | pausing |
  /// | pausing | the pause has passed; a notification has arrived in it, or no connection listens | pausing; waiting journals are read |
  /// | pausing | the pause has passed, otherwise | asking |
  /// | asking | no connection holds the lock | resting; all journals are read |
  /// | asking | a connection holds it, or the answer is not the listening one's | pausing; waiting journals are read |
  /// | asking | a notification arrives | pausing |
  final class Follower: @unchecked Sendable {
    private let connections: Connections
    /// Sends the readings of heads while the follower has no connection.
    private let readers: Lane
    private var loop: EventLoop { connections.loop }
    private let pauses: Pool.Pauses
    /// Called for each hint about a journal that is followed.
    var onHint: ((Int64, Revision) -> Void)?
    private var followed: [Pool.Place: [ObjectIdentifier: RevisionCount]] = [:]
    /// The schemas in which a journal of a number is followed.
    private var schemas: [Int64: Set<String>] = [:]
    private var known: [Pool.Place: Revision] = [:]

    private var connection: Connection?
    private var isConnecting = false
    private var isListening = false
    /// The journals to read when the present reading is done, or the pause after it has passed.
    private var due: Set<Pool.Place> = []
    /// The journals that hints have named, each with the revision, and that the next turn of this process will probably read.
    private var delayed: [Pool.Place: Revision] = [:]
    /// The last turns of this process: the time, and the head that was read.
    private var turns: [Pool.Place: (time: ContinuousClock.Instant, head: Revision)] = [:]
    /// Whether a reading that hints have caused began within ``gathering``.
    private var isGathering = false
    private var readingsLeft = 0
    private var phase = Phase.resting
    /// Whether a notification has arrived since the last timer.
    private var isNotified = false

    /// The state of the reading at intervals.
    private enum Phase {
      /// There is no timer.
      case resting
      /// A timer is running.
      case pausing
      /// The server was asked whether a connection holds the writers' lock.
      case asking
    }

    /// The time for which hints are collected after a reading. Many writers of one journal would otherwise cause a reading each.
    private static let gathering = Duration.milliseconds(5)
    /// The time after a turn in which the next turn probably comes before a reading would pay.
    private static let turning = Duration.milliseconds(20)
    /// The time between the loss of a connection and the next one.
    private static let reconnecting = Duration.milliseconds(100)

    init(_ connections: Connections, _ readers: Lane, pauses: Pool.Pauses) {
      self.connections = connections
      self.readers = readers
      self.pauses = pauses
    }

    /// Whether no journal is followed and the connection is still open.
    var isUnused: Bool { followed.isEmpty && (connection != nil || isConnecting) }

    /// Whether the follower only waits for notifications: it has no timer, and no request in flight.
    var isResting: Bool { isListening && phase == .resting && connection?.load == 0 }

    // MARK: Following

    /// Advances a count of revisions at every append to a journal from now on.
    func follow(_ place: Pool.Place, _ waiters: RevisionCount) {
      let isNew = followed[place] == nil
      followed[place, default: [:]][ObjectIdentifier(waiters)] = waiters
      schemas[place.number, default: []].insert(place.schema)
      connect()
      // The last reading of the heads did not include this journal.
      if isNew { readLater() }
    }

    /// Stops advancing a count of revisions.
    func unfollow(_ place: Pool.Place, _ waiters: ObjectIdentifier) {
      followed[place]?[waiters] = nil
      guard followed[place]?.isEmpty ?? true else { return }
      followed[place] = nil
      (known[place], turns[place]) = (nil, nil)
      schemas[place.number]?.remove(place.schema)
      if schemas[place.number]?.isEmpty ?? false { schemas[place.number] = nil }
    }

    /// Closes the connection if no journal is followed.
    func closeIfIdle() {
      guard followed.isEmpty else { return }
      connection?.close()
    }

    /// Advances the counts of a journal.
    func advance(_ place: Pool.Place, to revision: Revision) {
      known[place] = max(known[place] ?? .zero, revision)
      guard let waiters = followed[place] else { return known[place] = nil }
      for waiters in waiters.values { waiters.advance(to: revision) }
    }

    /// Records the head that a turn has read. Further turns will probably follow, so the counts advance only after the next hint: otherwise
    /// each turn would wake the readers of the store that took it.
    func tookTurn(_ place: Pool.Place, at revision: Revision) { if followed[place] != nil { turns[place] = (.now, revision) } }

    // MARK: Listening

    /// Opens a connection, if one is needed and may be opened now. ``Connections`` asks again when another one may be opened.
    func connect() {
      guard connection == nil, !isConnecting, !followed.isEmpty else { return }
      isConnecting = connections.open { [self] result in
        isConnecting = false
        if case .success(let connection) = result { listen(connection) }
      }
    }

    /// Gives its connection to a lane, and reads the heads at intervals on that lane from then on; nil if there is no connection.
    func give() -> Connection? {
      guard let connection else { return nil }
      (self.connection, isListening) = (nil, false)
      connection.onNotification = nil
      connection.send(Request([Call(once: "UNLISTEN *")]) { _ in })
      readLater()
      return connection
    }

    private func listen(_ connection: Connection) {
      self.connection = connection
      connection.onNotification = { [weak self] in self?.take($0) }
      connection.onLoss = { [weak self] _ in
        guard let self else { return }
        self.connection = nil
        self.isListening = false
        self.connections.closed()
        self.loop.async(after: Self.reconnecting) { [weak self] in self?.connect() }
        // A next connection begins with a reading. Until there is one, the lane reads.
        self.readLater()
      }
      connection.send(
        Request([Call(once: "LISTEN \(Statements.channel)")]) { [weak self] result in
          guard let self else { return }
          // A standby does not support LISTEN. Then the heads are only read at intervals.
          if case .success = result, self.connection === connection { self.isListening = true }
          // Appends from before the LISTEN.
          self.read(Set(self.followed.keys))
          self.readLater()
        })
    }

    /// Handles hints: `number:revision number:revision …`. Any other payload is an announcement that a connection may append entries soon.
    private func take(_ payload: String) {
      isNotified = true
      readLater()
      var places: Set<Pool.Place> = []
      for hint in payload.split(separator: " ") {
        let parts = hint.split(separator: ":")
        guard parts.count == 2, let number = Int64(parts[0]), let revision = Int64(parts[1]) else { continue }
        if let onHint, schemas[number]?.count == 1 { onHint(number, Revision(revision)) }
        for schema in schemas[number] ?? [] {
          let place = Pool.Place(schema: schema, number: number)
          guard Revision(revision) > known[place] ?? .zero else { continue }
          if let turn = turns[place], ContinuousClock.now - turn.time < Self.turning {
            delay(place, at: Revision(revision))
          } else {
            places.insert(place)
          }
        }
      }
      if !places.isEmpty { readGathered(places) }
    }

    /// Advances the counts of a journal soon: to the head of a turn if that has reached the revision by then, otherwise to a head that is read.
    private func delay(_ place: Pool.Place, at revision: Revision) {
      let isFirst = delayed.isEmpty
      delayed[place] = max(delayed[place] ?? .zero, revision)
      guard isFirst else { return }
      loop.async(after: Self.turning) { [weak self] in
        guard let self else { return }
        var unread: Set<Pool.Place> = []
        for (place, revision) in self.delayed {
          if let turn = self.turns[place], turn.head >= revision { self.advance(place, to: turn.head) } else { unread.insert(place) }
        }
        self.delayed = [:]
        if !unread.isEmpty { self.readGathered(unread) }
      }
    }

    /// Reads the heads of journals now, or with those that are named within some milliseconds after the last reading.
    private func readGathered(_ places: Set<Pool.Place>) {
      due.formUnion(places)
      guard !isGathering else { return }
      isGathering = true
      read([])
      loop.async(after: Self.gathering) { [weak self] in
        guard let self else { return }
        self.isGathering = false
        // Others may have told of a journal meanwhile.
        if !self.due.isEmpty { self.readGathered([]) }
      }
    }

    // MARK: Reading

    private func read(_ places: Set<Pool.Place>) {
      due.formUnion(places)
      guard readingsLeft == 0 else { return }
      let wanted = Dictionary(grouping: due.filter { followed[$0] != nil }, by: \.schema)
      due = []
      readingsLeft = wanted.count
      for (schema, places) in wanted {
        let request = Request([Call(Statements.of(schema: schema).heads, Parameters(.numbers(places.map(\.number))))]) {
          [weak self] result in
          guard let self else { return }
          switch result {
          case .success(let answers): self.take(answers[0], schema: schema)
          case .failure: self.readLater()
          }
          self.endReading()
        }
        if let connection { connection.send(request) } else { readers.submit(request) }
      }
    }

    private func endReading() {
      readingsLeft -= 1
      if readingsLeft == 0, !due.isEmpty, !isGathering { read([]) }
    }

    private func take(_ answer: ServerAnswer, schema: String) {
      for row in 0..<answer.rowCount {
        guard let number = answer.number(row, 0), let revision = answer.number(row, 1) else { continue }
        advance(Pool.Place(schema: schema, number: number), to: Revision(revision))
      }
    }

    /// Reads the heads after a pause, and again until no connection may append entries.
    private func readLater() {
      guard phase != .pausing, !followed.isEmpty else { return }
      phase = .pausing
      loop.async(after: isListening ? pauses.listening : pauses.deaf) { [weak self] in
        self?.phase = .resting
        self?.readOrRest()
      }
    }

    private func readOrRest() {
      if connection == nil, let idle = connections.spare() { return listen(idle) }
      let wasNotified = isNotified
      isNotified = false
      guard let connection, isListening, connection.noticesSilence, !wasNotified else { return readAgain() }
      phase = .asking
      connection.send(
        Request([Call(Statements.silence)]) { [weak self] result in
          guard let self else { return }
          // Behind a connection pooler the process that answers need not be the one that listens.
          guard self.connection === connection, case .success(let answers) = result, answers[0].rowCount == 1,
            answers[0].number(0, 0) == connection.processID
          else { return self.readAgain() }
          // A notification has started the timer meanwhile, or it is not needed.
          if self.phase == .asking { self.phase = .resting }
          self.read(Set(self.followed.keys))
        })
    }

    private func readAgain() {
      // Only the journals with a waiting task.
      read(Set(followed.filter { $0.value.values.contains { $0.hasWaiters } }.keys))
      readLater()
    }
  }
#endif
