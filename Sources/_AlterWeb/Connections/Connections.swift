#if InspectorServer || SyncServer
  import AlterCore
  import NIOCore

  /// The connections of a server. It applies the decisions of ``ConnectionTable`` to the channels.
  package final class Connections: Sendable {
    private struct State {
      var table: ConnectionTable
      var channels: [ConnectionTable.ID: any Channel] = [:]
      var ids: [ObjectIdentifier: ConnectionTable.ID] = [:]

      mutating func remove(_ id: ConnectionTable.ID) -> (any Channel)? {
        guard let channel = channels.removeValue(forKey: id) else { return nil }
        ids[ObjectIdentifier(channel)] = nil
        return channel
      }
    }

    package let limits: WebLimits
    /// The maximum number of connections.
    package let most: Int
    private let state: Lock<State>

    package init(_ limits: WebLimits) {
      self.limits = limits
      most = limits.possibleConnections
      state = Lock(State(table: ConnectionTable(connections: most, unsentBytes: limits.unsentBytes)))
    }

    /// The number of connections.
    package var count: Int { state.withLock { $0.table.count } }

    /// The highest number of unsent bytes so far, of all connections together.
    package var mostUnsent: Int { state.withLock { $0.table.mostUnsent } }

    func open(_ channel: any Channel) -> ConnectionTable.ID {
      let (id, closing) = state.withLock { state in
        let (id, closing) = state.table.open()
        state.channels[id] = channel
        state.ids[ObjectIdentifier(channel)] = id
        return (id, closing.flatMap { state.remove($0) })
      }
      closing?.close(mode: .all, promise: nil)
      return id
    }

    func close(_ id: ConnectionTable.ID) {
      // The channel is released outside of the lock, because its release may end a stream, which takes the lock.
      _ = state.withLock { state in
        state.table.close(id)
        return state.remove(id)
      }
    }

    /// Marks the connection of a channel whose request was admitted.
    func letIn(_ channel: ObjectIdentifier) { state.withLock { state in state.ids[channel].map { state.table.letIn($0) } } }

    func beginAnswer(_ id: ConnectionTable.ID) { state.withLock { $0.table.beginAnswer(id) } }

    func endAnswer(_ id: ConnectionTable.ID) { state.withLock { $0.table.endAnswer(id) } }

    func wait(_ count: Int, for id: ConnectionTable.ID) {
      let closing = state.withLock { state in
        state.table.wait(count, for: id).compactMap { state.remove($0) }
      }
      for channel in closing { channel.close(mode: .all, promise: nil) }
    }

    func took(_ count: Int, by id: ConnectionTable.ID) { state.withLock { $0.table.took(count, by: id) } }

    // MARK: Streams

    /// A reservation of a stream. It is released when its last reference is released.
    final class StreamPlace: Sendable {
      private let connections: Connections
      private let client: String

      fileprivate init(_ connections: Connections, _ client: String) { (self.connections, self.client) = (connections, client) }

      deinit { connections.state.withLock { $0.table.closeStream(of: client) } }
    }

    /// Reserves a stream for a client; nil if the client has reached the limit.
    func stream(of client: String) -> StreamPlace? {
      let isOpen = state.withLock { $0.table.openStream(of: client, atMost: limits.streams) }
      return isOpen ? StreamPlace(self, client) : nil
    }
  }
#endif
