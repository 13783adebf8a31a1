/// What a server knows of its connections, and which of them has to go when there are too many or too many bytes wait. A pure value.
struct ConnectionTable: Sendable {
  /// Names a connection.
  typealias ID = Int

  private struct Entry {
    /// Since when it waits for a whole request, or is answered. Numbers of events, not times: their order is what counts.
    var since: Int
    /// Whether a whole request is being answered.
    var isAnswered = false
    /// Whether a request of its was let in.
    var isLetIn = false
    /// How many bytes it has not taken yet, and when it took some last.
    var unsent = 0
    var tookLast: Int
  }

  private let connections: Int
  private let unsentBytes: Int
  private var entries: [ID: Entry] = [:]
  private var streams: [String: Int] = [:]
  private var lastID = 0
  private var events = 0

  /// How many bytes wait for all of them.
  private(set) var unsent = 0
  /// The most bytes that have waited at a time.
  private(set) var mostUnsent = 0

  /// - Parameters:
  ///   - connections: How many connections there may be; when it is reached, one has to go, so that another can come.
  ///   - unsentBytes: How many bytes may wait.
  init(connections: Int, unsentBytes: Int) {
    self.connections = connections
    self.unsentBytes = unsentBytes
  }

  /// How many connections there are.
  var count: Int { entries.count }

  private mutating func now() -> Int {
    events += 1
    return events
  }

  /// Takes a new connection in.
  ///
  /// - Returns: Its name, and the connection that has to go for it.
  mutating func open() -> (id: ID, closing: ID?) {
    lastID += 1
    let (id, now) = (lastID, now())
    let closing = entries.count + 1 >= connections ? expendable : nil
    if let closing { close(closing) }
    entries[id] = Entry(since: now, tookLast: now)
    return (id, closing)
  }

  /// The connection that has to go first: of those that were never let in one that waits for a request, then of the others one that waits, then one that was never let
  /// in and is answered; each time the oldest. One that was let in and is answered stays.
  private var expendable: ID? {
    func rank(_ entry: Entry) -> Int? {
      switch (entry.isAnswered, entry.isLetIn) {
      case (false, false): 0
      case (false, true): 1
      case (true, false): 2
      case (true, true): nil
      }
    }
    return entries.compactMap { id, entry in rank(entry).map { (id: id, order: ($0, entry.since)) } }.min { $0.order < $1.order }?.id
  }

  /// A request of a connection was let in: its client knows the token, if there is one.
  mutating func letIn(_ id: ID) { entries[id]?.isLetIn = true }

  /// Forgets a connection.
  mutating func close(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    unsent -= entry.unsent
  }

  /// A whole request has come.
  mutating func beginAnswer(_ id: ID) { wait(id, isAnswered: true) }

  /// The answer is written.
  mutating func endAnswer(_ id: ID) { wait(id, isAnswered: false) }

  private mutating func wait(_ id: ID, isAnswered: Bool) {
    guard entries[id]?.isAnswered == !isAnswered else { return }
    entries[id]!.isAnswered = isAnswered
    entries[id]!.since = now()
  }

  /// Bytes wait for a client.
  ///
  /// - Returns: The connections that have to go, because they have taken nothing for longest.
  mutating func wait(_ count: Int, for id: ID) -> [ID] {
    guard entries[id] != nil else { return [] }
    let now = now()
    if entries[id]!.unsent == 0 { entries[id]!.tookLast = now }
    entries[id]!.unsent += count
    unsent += count
    var closing: [ID] = []
    while unsent > unsentBytes, let slowest = slowestReader {
      // A single answer may be larger than all that may wait: it gets its turn when nobody else waits.
      if slowest == id, entries[id]!.unsent == unsent { break }
      close(slowest)
      closing.append(slowest)
    }
    mostUnsent = max(mostUnsent, unsent)
    return closing
  }

  /// The connection that has taken nothing of what waits for it for longest.
  private var slowestReader: ID? {
    entries.filter { $0.value.unsent > 0 }.min { $0.value.tookLast < $1.value.tookLast }?.key
  }

  /// A client has taken bytes.
  mutating func took(_ count: Int, by id: ID) {
    guard let waiting = entries[id]?.unsent else { return }
    let now = now()
    entries[id]!.tookLast = now
    entries[id]!.unsent -= min(count, waiting)
    unsent -= min(count, waiting)
  }

  // MARK: Streams

  /// Takes a place for a stream of a client, if it has one left.
  mutating func openStream(of client: String, atMost limit: Int) -> Bool {
    guard streams[client, default: 0] < limit else { return false }
    streams[client, default: 0] += 1
    return true
  }

  /// Gives it back.
  mutating func closeStream(of client: String) {
    guard let count = streams[client] else { return }
    streams[client] = count > 1 ? count - 1 : nil
  }
}
