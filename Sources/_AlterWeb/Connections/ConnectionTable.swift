/// The bookkeeping of a server's connections. It chooses the connection to close when there are too many connections or too many unsent
/// bytes. A pure value.
struct ConnectionTable: Sendable {
  /// The number of a connection, unique within the table.
  typealias ID = Int

  private struct Entry {
    /// The event since which the connection waits for a whole request, or is answered. Events are numbered, because only their order
    /// matters.
    var since: Int
    /// Whether a complete request is being answered.
    var isAnswered = false
    /// Whether a request of the connection was admitted.
    var isLetIn = false
    /// The number of bytes that the client has not taken yet; `tookLast` is the event at which it last took some.
    var unsent = 0
    var tookLast: Int
  }

  private let connections: Int
  private let unsentBytes: Int
  private var entries: [ID: Entry] = [:]
  private var streams: [String: Int] = [:]
  private var lastID = 0
  private var events = 0

  /// The number of unsent bytes of all connections together.
  private(set) var unsent = 0
  /// The highest value of `unsent` so far.
  private(set) var mostUnsent = 0

  /// - Parameters:
  ///   - connections: The maximum number of connections. When a new connection reaches it, another one is closed, so that the next can be
  ///     accepted.
  ///   - unsentBytes: The maximum number of unsent bytes of all connections together.
  init(connections: Int, unsentBytes: Int) {
    self.connections = connections
    self.unsentBytes = unsentBytes
  }

  /// The number of connections.
  var count: Int { entries.count }

  private mutating func now() -> Int {
    events += 1
    return events
  }

  /// Adds a new connection.
  ///
  /// - Returns: Its id, and the id of the connection to close for it, if there is one.
  mutating func open() -> (id: ID, closing: ID?) {
    lastID += 1
    let (id, now) = (lastID, now())
    let closing = entries.count + 1 >= connections ? expendable : nil
    if let closing { close(closing) }
    entries[id] = Entry(since: now, tookLast: now)
    return (id, closing)
  }

  /// The connection to close first. Connections without an admitted request that wait for a request come first, then other connections that
  /// wait, then connections without an admitted request that are being answered. Within a group, the oldest is chosen. Nil if all
  /// connections have an admitted request and are being answered.
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

  /// Marks a connection whose request was admitted: its client knows the token, if there is one.
  mutating func letIn(_ id: ID) { entries[id]?.isLetIn = true }

  /// Removes a connection and its unsent bytes.
  mutating func close(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    unsent -= entry.unsent
  }

  /// Records that a complete request has arrived.
  mutating func beginAnswer(_ id: ID) { wait(id, isAnswered: true) }

  /// Records that the answer is written.
  mutating func endAnswer(_ id: ID) { wait(id, isAnswered: false) }

  private mutating func wait(_ id: ID, isAnswered: Bool) {
    guard entries[id]?.isAnswered == !isAnswered else { return }
    entries[id]!.isAnswered = isAnswered
    entries[id]!.since = now()
  }

  /// Adds unsent bytes for a client.
  ///
  /// - Returns: The connections to close, those that have taken nothing for the longest time first. They are removed already.
  mutating func wait(_ count: Int, for id: ID) -> [ID] {
    guard entries[id] != nil else { return [] }
    let now = now()
    if entries[id]!.unsent == 0 { entries[id]!.tookLast = now }
    entries[id]!.unsent += count
    unsent += count
    var closing: [ID] = []
    while unsent > unsentBytes, let slowest = slowestReader {
      // A single answer may exceed the maximum if no other bytes are unsent.
      if slowest == id, entries[id]!.unsent == unsent { break }
      close(slowest)
      closing.append(slowest)
    }
    mostUnsent = max(mostUnsent, unsent)
    return closing
  }

  /// The connection with unsent bytes whose client has taken nothing for the longest time.
  private var slowestReader: ID? {
    entries.filter { $0.value.unsent > 0 }.min { $0.value.tookLast < $1.value.tookLast }?.key
  }

  /// Records that a client has taken bytes.
  mutating func took(_ count: Int, by id: ID) {
    guard let waiting = entries[id]?.unsent else { return }
    let now = now()
    entries[id]!.tookLast = now
    entries[id]!.unsent -= min(count, waiting)
    unsent -= min(count, waiting)
  }

  // MARK: Streams

  /// Reserves a stream for a client. Returns false if the client has reached the limit.
  mutating func openStream(of client: String, atMost limit: Int) -> Bool {
    guard streams[client, default: 0] < limit else { return false }
    streams[client, default: 0] += 1
    return true
  }

  /// Releases a stream of a client.
  mutating func closeStream(of client: String) {
    guard let count = streams[client] else { return }
    streams[client] = count > 1 ? count - 1 : nil
  }
}
