#if SyncServer
  import AlterCore
  import AlterStore

  /// The open streams of a process, by principal.
  final class LiveStreams: Sendable {
    private struct Contents {
      var lastID = 0
      var ends: [Int: @Sendable () -> Void] = [:]
      var counts: [String: Int] = [:]
      /// The journals that streams follow, each with the number of its streams.
      var keys: [StoreKey: Int] = [:]
      /// The same of each principal.
      var followed: [String: [StoreKey: Int]] = [:]
      var isEnded = false
    }

    private let contents = Lock(Contents())

    /// The number of open streams.
    var count: Int { contents.withLock { $0.ends.count } }

    /// The reason for which there is no place for a stream.
    enum Full: Error {
      /// The principal has too many streams.
      case principal
      /// The streams of the process follow too many journals, each of which they keep open.
      case journals
      /// The principal follows its share of them.
      case share
    }

    /// Adds a stream.
    ///
    /// - Parameters:
    ///   - keys: The journals that it follows.
    ///   - principal: The principal of its token.
    ///   - limit: The number of streams of one principal.
    ///   - journals: The number of journals that all streams together may follow. A principal may follow a quarter of them, and more while as
    ///     many places stay free for others.
    ///   - end: Ends the stream. It may be called at any time.
    /// - Returns: The number of the stream, for ``remove(_:to:of:)``.
    func add(
      to keys: [String], of principal: String, limit: Int, journals: Int, end: @escaping @Sendable () -> Void
    ) throws(Full) -> Int {
      let keys = Set(keys.map { StoreKey($0) })
      let (id, isEnded) = try contents.withLock { contents throws(Full) -> (Int, Bool) in
        guard contents.counts[principal, default: 0] < limit else { throw .principal }
        let new = keys.count { contents.keys[$0] == nil }
        guard new == 0 || contents.keys.count + new <= journals else { throw .journals }
        let own = contents.followed[principal, default: [:]]
        let owns = own.count + keys.count { own[$0] == nil }
        guard new == 0 || owns <= max(1, journals / 4, journals - contents.keys.count - new) else { throw .share }
        contents.lastID += 1
        contents.counts[principal, default: 0] += 1
        for key in keys {
          contents.keys[key, default: 0] += 1
          contents.followed[principal, default: [:]][key, default: 0] += 1
        }
        contents.ends[contents.lastID] = end
        return (contents.lastID, contents.isEnded)
      }
      if isEnded { end() }
      return id
    }

    /// Removes a stream.
    func remove(_ id: Int, to keys: [String], of principal: String) {
      contents.withLock { contents in
        guard contents.ends.removeValue(forKey: id) != nil else { return }
        contents.counts[principal, default: 1] -= 1
        defer { if contents.counts[principal] == 0 { (contents.counts[principal], contents.followed[principal]) = (nil, nil) } }
        for key in Set(keys.map { StoreKey($0) }) {
          contents.keys[key, default: 1] -= 1
          if contents.keys[key] == 0 { contents.keys[key] = nil }
          contents.followed[principal]?[key, default: 1] -= 1
          if contents.followed[principal]?[key] == 0 { contents.followed[principal]?[key] = nil }
        }
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
