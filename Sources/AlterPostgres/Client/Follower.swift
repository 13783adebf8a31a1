#if Postgres
  import AlterCore
  import AlterJournal

  /// Detects appends to all journals that this process follows, by one connection, and notifies other processes of this process's own
  /// appends.
  ///
  /// A notification is only a hint that a process has committed; the follower then reads the heads. Hints can be lost, by a restart, by a
  /// connection pooler, or by a process that dies between its commit and its hint. Therefore the follower also reads the heads at
  /// intervals. The heads themselves are exact, because the appending transaction updates them.
  ///
  /// Own hints are collected for some milliseconds and sent on another connection after the commit: a transaction with a notification takes
  /// a server-wide lock when it commits, and in the append itself it would make all writers wait for each other.
  ///
  /// `@unchecked Sendable`: used on ``loop`` only.
  final class Follower: @unchecked Sendable {
    private let server: PostgresServer
    private let loop: EventLoop
    private let readers: Lane
    private var followed: [Pool.Place: [ObjectIdentifier: RevisionCount]] = [:]
    /// The schemas in which a journal of a number is followed.
    private var schemas: [Int64: Set<String>] = [:]
    private var known: [Pool.Place: Revision] = [:]

    private var connection: Connection?
    private var isConnecting = false
    private var isListening = false
    private var pause = Follower.shortestPause
    /// The journals to read when the present reading is done.
    private var due: Set<Pool.Place> = []
    private var readingsLeft = 0
    private var isTicking = false

    private var hints: [Int64: Revision] = [:]
    private var isGathering = false

    /// The notification channel. All schemas of a database share it, because it only carries hints.
    private static let channel = "alter"
    /// The milliseconds between two readings of the heads without a hint: with notifications, and without them.
    private static let interval = (listening: 2_000, deaf: 500)
    private static let shortestPause = 100
    private static let longestPause = 5_000
    /// The time for which hints are collected.
    private static let gathering = Duration.milliseconds(5)
    /// The number of hints in one message. `NOTIFY` accepts less than 8,000 bytes, and a hint has at most 40.
    private static let hintsPerMessage = 190

    init(_ server: PostgresServer, loop: EventLoop, readers: Lane) {
      self.server = server
      self.loop = loop
      self.readers = readers
    }

    /// Whether there is nothing to do and nothing to close.
    var isEmpty: Bool { connection == nil && !isConnecting && followed.isEmpty }

    // MARK: Following

    /// Advances a count of revisions at every append to a journal from now on.
    func follow(_ place: Pool.Place, _ waiters: RevisionCount) {
      followed[place, default: [:]][ObjectIdentifier(waiters)] = waiters
      schemas[place.number, default: []].insert(place.schema)
      connect()
      tick()
    }

    /// Stops advancing a count of revisions.
    func unfollow(_ place: Pool.Place, _ waiters: ObjectIdentifier) {
      followed[place]?[waiters] = nil
      guard followed[place]?.isEmpty ?? true else { return }
      followed[place] = nil
      known[place] = nil
      schemas[place.number]?.remove(place.schema)
      if schemas[place.number]?.isEmpty ?? false { schemas[place.number] = nil }
    }

    /// Closes the connection if no journal is followed.
    func closeIfIdle() {
      guard followed.isEmpty else { return }
      connection?.close()
    }

    private func advance(_ place: Pool.Place, to revision: Revision) {
      known[place] = max(known[place] ?? .zero, revision)
      guard let waiters = followed[place] else { return known[place] = nil }
      for waiters in waiters.values { waiters.advance(to: revision) }
    }

    // MARK: Listening

    private func connect() {
      guard connection == nil, !isConnecting else { return }
      isConnecting = true
      Connector.open(server) { [self] result in
        loop.async { [self] in
          isConnecting = false
          switch result {
          case .success(let opened): listen(Connection(opened, loop: loop))
          case .failure: connectLater()
          }
        }
      }
    }

    private func connectLater() {
      loop.async(after: .milliseconds(pause)) { [weak self] in
        guard let self, !self.followed.isEmpty else { return }
        self.connect()
      }
      pause = min(pause * 2, Self.longestPause)
    }

    private func listen(_ connection: Connection) {
      self.connection = connection
      connection.onNotification = { [weak self] in self?.take($0) }
      connection.onLoss = { [weak self] _ in
        guard let self else { return }
        self.connection = nil
        self.isListening = false
        if !self.followed.isEmpty { self.connectLater() }
      }
      connection.send(
        Request([Call(once: "LISTEN \(Self.channel)")]) { [weak self] result in
          guard let self else { return }
          // A standby does not support LISTEN. Then the heads are only read at intervals.
          if case .success = result {
            self.isListening = true
            self.pause = Self.shortestPause
          }
          // Appends from before the LISTEN.
          self.read(Set(self.followed.keys))
        })
    }

    /// Handles hints: `number:revision number:revision …`. Other payloads on the channel are ignored.
    private func take(_ payload: String) {
      var places: Set<Pool.Place> = []
      for hint in payload.split(separator: " ") {
        let parts = hint.split(separator: ":")
        guard parts.count == 2, let number = Int64(parts[0]), let revision = Int64(parts[1]) else { continue }
        for schema in schemas[number] ?? [] {
          let place = Pool.Place(schema: schema, number: number)
          if Revision(revision) > known[place] ?? .zero { places.insert(place) }
        }
      }
      if !places.isEmpty { read(places) }
    }

    // MARK: Reading

    private func read(_ places: Set<Pool.Place>) {
      due.formUnion(places)
      guard readingsLeft == 0, let connection else { return }
      let wanted = Dictionary(grouping: due.filter { followed[$0] != nil }, by: \.schema)
      due = []
      readingsLeft = wanted.count
      for (schema, places) in wanted {
        let call = Call(Statements(schema: schema).heads, Parameters(.numbers(places.map(\.number))))
        connection.send(
          Request([call]) { [weak self] result in
            guard let self else { return }
            if case .success(let answers) = result, let answer = answers.first { self.take(answer, schema: schema) }
            self.readingsLeft -= 1
            if self.readingsLeft == 0, !self.due.isEmpty { self.read([]) }
          })
      }
    }

    private func take(_ answer: Answer, schema: String) {
      for row in 0..<answer.rowCount {
        guard let number = answer.number(row, 0), let revision = answer.number(row, 1) else { continue }
        advance(Pool.Place(schema: schema, number: number), to: Revision(revision))
      }
    }

    /// Reads the heads at intervals while a journal is followed.
    private func tick() {
      guard !isTicking, !followed.isEmpty else { return }
      isTicking = true
      let interval = isListening ? Self.interval.listening : Self.interval.deaf
      loop.async(after: .milliseconds(interval)) { [weak self] in
        guard let self else { return }
        self.isTicking = false
        // Only the journals with a waiting task.
        self.read(Set(self.followed.filter { $0.value.values.contains { $0.hasWaiters } }.keys))
        self.tick()
      }
    }

    // MARK: Notifying others

    /// Advances the counts of other handles at once, and notifies other processes soon.
    func announce(_ place: Pool.Place, at revision: Revision) {
      advance(place, to: revision)
      hints[place.number] = max(hints[place.number] ?? .zero, revision)
      guard !isGathering else { return }
      sendHints()
    }

    private func sendHints() {
      guard !hints.isEmpty else { return }
      isGathering = true
      let all = hints.map { "\($0.key):\($0.value.number)" }
      hints = [:]
      for start in stride(from: 0, to: all.count, by: Self.hintsPerMessage) {
        let payload = all[start..<min(start + Self.hintsPerMessage, all.count)].joined(separator: " ")
        // Hints need no durability, so the server need not wait for its disk.
        let call = Call(
          "SELECT set_config('synchronous_commit', 'off', true), pg_notify('\(Self.channel)', $1)", Parameters(.text(payload)))
        // If it fails, other processes detect the append at their next reading.
        readers.submit(Request([call]) { _ in })
      }
      loop.async(after: Self.gathering) { [self] in
        isGathering = false
        sendHints()
      }
    }
  }
#endif
