#if SQLite
  import AlterCore

  /// The reading connections that the journals of this process keep open beside their writing connections.
  ///
  /// A process may have thousands of journals open, and most of them read only at their opening. So only a limited number of reading
  /// connections stay open: the one that was used longest ago is closed, and is opened again at the journal's next read.
  final class ReadingPool: Sendable {
    static let shared = ReadingPool(limit: 32)

    private struct Member: Sendable {
      let id: ObjectIdentifier
      let close: @Sendable () -> Void
    }

    private let limit: Int
    /// From the least to the most recently used one.
    private let members = Lock<[Member]>([])

    /// Creates an empty pool.
    init(limit: Int) { self.limit = limit }

    /// Notes that a connection is used now, and closes another one if there are too many.
    ///
    /// - Parameters:
    ///   - id: The identity of its reader.
    ///   - close: Closes the connection later, on its own queue.
    /// - Complexity: O(limit).
    func use(_ id: ObjectIdentifier, close: @escaping @Sendable () -> Void) {
      let oldest = members.withLock { members -> Member? in
        if members.last?.id == id { return nil }
        if let place = members.firstIndex(where: { $0.id == id }) {
          members.append(members.remove(at: place))
          return nil
        }
        members.append(Member(id: id, close: close))
        return members.count > limit ? members.removeFirst() : nil
      }
      oldest?.close()
    }

    /// Forgets a connection that is closed.
    func remove(_ id: ObjectIdentifier) { members.withLock { $0.removeAll { $0.id == id } } }

    /// The number of open connections.
    var count: Int { members.withLock { $0.count } }
  }
#endif
