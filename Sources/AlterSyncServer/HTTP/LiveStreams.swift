#if SyncServer
  import AlterCore

  /// The open streams of a process, by principal.
  final class LiveStreams: Sendable {
    private struct Contents {
      var lastID = 0
      var ends: [Int: @Sendable () -> Void] = [:]
      var counts: [String: Int] = [:]
      var isEnded = false
    }

    private let contents = Lock(Contents())

    /// The number of open streams.
    var count: Int { contents.withLock { $0.ends.count } }

    /// Adds a stream.
    ///
    /// - Parameters:
    ///   - principal: The principal of its token.
    ///   - limit: The number of streams of one principal.
    ///   - end: Ends the stream. It may be called at any time.
    /// - Returns: The number of the stream, for ``remove(_:of:)``; nil if the principal has too many.
    func add(of principal: String, limit: Int, end: @escaping @Sendable () -> Void) -> Int? {
      let (id, isEnded) = contents.withLock { contents -> (Int?, Bool) in
        guard contents.counts[principal, default: 0] < limit else { return (nil, false) }
        contents.lastID += 1
        contents.counts[principal, default: 0] += 1
        contents.ends[contents.lastID] = end
        return (contents.lastID, contents.isEnded)
      }
      if isEnded { end() }
      return id
    }

    /// Removes a stream.
    func remove(_ id: Int, of principal: String) {
      contents.withLock { contents in
        guard contents.ends.removeValue(forKey: id) != nil else { return }
        contents.counts[principal, default: 1] -= 1
        if contents.counts[principal] == 0 { contents.counts[principal] = nil }
      }
    }

    /// Ends all streams, and each later one at once.
    func endAll() {
      let ends = contents.withLock { contents in
        contents.isEnded = true
        return Array(contents.ends.values)
      }
      for end in ends { end() }
    }
  }
#endif
