#if SQLite
  import AlterCore
  import AlterSyncCore
  import Foundation

  /// The streams of hints of a process: its journals share as few as the server permits.
  ///
  /// A stream names its journals when it is opened, so another journal ends it, and a stream with one journal more begins. Journals that are
  /// opened at the same time join the same stream.
  actor SharedStreams {
    private struct Listener {
      let key: String
      let continuation: AsyncThrowingStream<Announcement, any Error>.Continuation
      /// Finished when the stream is open.
      let opening = Waiter<Result<Void, any Error>>()
    }

    /// The listeners of one stream, and the task that reads it.
    private struct Group {
      var listeners: [Int: Listener] = [:]
      var task: Task<Void, Never>?
      /// The number of the present request.
      var request = 0
    }

    private var groups: [Group] = []
    private var lastID = 0

    /// The time in which journals that are opened one after the other join the same stream.
    private static let joining = Duration.milliseconds(20)

    /// Follows the hints of a journal. The stream is open when this method returns.
    ///
    /// - Throws: The error of the connection.
    func listen(to key: String, of server: SyncServer) async throws -> AsyncThrowingStream<Announcement, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Announcement.self, bufferingPolicy: .bufferingNewest(8))
      let listener = Listener(key: key, continuation: continuation)
      lastID += 1
      let id = lastID
      let limit = max(1, server.limits.journalsPerStream)
      let place = groups.firstIndex { $0.listeners.count < limit } ?? groups.endIndex
      if place == groups.endIndex { groups.append(Group()) }
      groups[place].listeners[id] = listener
      continuation.onTermination = { [weak self] _ in Task { await self?.remove(id, place) } }
      restart(place, of: server)
      guard let result = await listener.opening.value() else {
        continuation.finish()
        throw CancellationError()
      }
      try result.get()
      return stream
    }

    private func remove(_ id: Int, _ place: Int) {
      groups[place].listeners[id] = nil
      // The stream of the others goes on. It may still name this journal, whose hints then have no listener.
      guard groups[place].listeners.isEmpty else { return }
      groups[place].task?.cancel()
      groups[place].task = nil
    }

    /// Opens a stream for all listeners of a group, and ends the present one.
    private func restart(_ place: Int, of server: SyncServer) {
      groups[place].task?.cancel()
      groups[place].request += 1
      let request = groups[place].request
      groups[place].task = Task {
        do {
          try await Task.sleep(for: Self.joining)
          let keys = keys(of: place, request)
          guard !keys.isEmpty else { return }
          guard let token = try await server.tokens.present() else { throw SyncConnectionError.noToken }
          let response = try await server.send(SyncHTTP.live(keys), token, isStream: true)
          guard response.status == 200, response.headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true else {
            throw SyncConnectionError.answer(status: response.status, words: nil)
          }
          opened(place, request)
          var lines = EventLines()
          for try await part in response.body { tell(lines.take(part), place, request) }
          throw SyncConnectionError.streamEnded
        } catch {
          end(place, request, error)
        }
      }
    }

    private func keys(of place: Int, _ request: Int) -> [String] {
      groups[place].request == request ? Set(groups[place].listeners.values.map(\.key)).sorted() : []
    }

    private func opened(_ place: Int, _ request: Int) {
      guard groups[place].request == request else { return }
      for listener in groups[place].listeners.values { listener.opening.finish(.success(())) }
    }

    /// Passes a part of a stream on. Every part shows that the server is there; of several hints about a journal, the newest counts.
    private func tell(_ events: [[Data]], _ place: Int, _ request: Int) {
      guard groups[place].request == request else { return }
      let news = events.compactMap { lines in
        lines.first.flatMap(SyncMessage.decodeHint).map { (key: $0.key, hint: $0.hint, entries: lines.dropFirst()) }
      }
      for listener in groups[place].listeners.values {
        // Keys are compared by their bytes, as journals compare them.
        let own = news.filter { $0.key.utf8.elementsEqual(listener.key.utf8) }
        let entries = SyncMessage.decodeEntries(own.lazy.flatMap(\.entries))
        listener.continuation.yield(own.last.map { .hint($0.hint, entries: entries) } ?? .heartbeat)
      }
    }

    /// Ends all streams of a group. Each journal opens its own again, when its engine decides.
    private func end(_ place: Int, _ request: Int, _ error: any Error) {
      guard groups[place].request == request else { return }
      let listeners = groups[place].listeners.values
      groups[place].listeners = [:]
      groups[place].task = nil
      for listener in listeners {
        listener.opening.finish(.failure(error))
        listener.continuation.finish(throwing: error)
      }
    }
  }
#endif
