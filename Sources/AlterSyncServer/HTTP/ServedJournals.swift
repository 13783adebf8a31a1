import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

/// The journals that a service serves at present, each with the store that keeps it open. The store does not follow the journal unless the app
/// uses it, too: the server of the journal has a fold of its own.
final class ServedJournals<State: Journaled>: Sendable {
  private struct Served {
    weak var store: Store<State>?
    let server: JournalServer<State>
  }

  private struct Contents {
    var served: [StoreKey: Served] = [:]
    /// The number of entries after which those of closed stores are removed.
    var sweep = 64
    /// Keys whose journals exist.
    var known: Set<StoreKey> = []
    /// The waits for the creation of journals.
    var waits: [StoreKey: [Waiter<Void>]] = [:]
    var isClosed = false
  }

  let stores: Stores<State>
  private let schema: Int
  private let makeServer: @Sendable (_ key: String, any ServerJournal) -> JournalServer<State>
  private let contents = Lock(Contents())

  /// - Parameters:
  ///   - stores: The stores. They decide which journals are open.
  ///   - schema: The newest schema of drafts that is decided.
  ///   - makeServer: Creates the server of a journal.
  init(_ stores: Stores<State>, schema: Int, makeServer: @escaping @Sendable (_ key: String, any ServerJournal) -> JournalServer<State>) {
    self.stores = stores
    self.schema = schema
    self.makeServer = makeServer
  }

  /// Whether a key has a journal.
  ///
  /// - Complexity: O(1) for a key that was served before; otherwise the journal is opened.
  func exists(_ key: String) async throws(JournalError) -> Bool {
    if contents.withLock({ $0.known.contains(StoreKey(key)) }) { return true }
    guard try await stores.places.contains(key) else { return false }
    contents.withLock { contents in
      if contents.known.count >= 100_000 { contents.known = [] }
      contents.known.insert(StoreKey(key))
    }
    return true
  }

  /// Waits until a key has a journal, or until a pause has ended. The creation by another process is no reason to return before.
  ///
  /// - Parameter pause: Waits.
  /// - Returns: Whether the journal exists.
  func waitForCreation(of key: String, pause: @escaping @Sendable () async throws -> Void) async throws -> Bool {
    let waiter = Waiter<Void>()
    let key = StoreKey(key)
    contents.withLock { $0.waits[key, default: []].append(waiter) }
    defer {
      contents.withLock { contents in
        contents.waits[key]?.removeAll { $0 === waiter }
        if contents.waits[key]?.isEmpty == true { contents.waits[key] = nil }
      }
    }
    if try await exists(key.text) { return true }
    let pausing = Task {
      try? await pause()
      waiter.finish(())
    }
    _ = await waiter.value()
    pausing.cancel()
    try Task.checkCancellation()
    return try await exists(key.text)
  }

  /// Runs a closure with the server of a key. The journal stays open until it returns.
  ///
  /// - Throws: The error of the opening; `closed` after ``close()``.
  func with<Result: Sendable>(
    _ key: String, _ body: @Sendable (JournalServer<State>) async throws -> Result
  ) async throws -> Result {
    let store = try await stores.unfollowed(key)
    let server = try await server(of: key, store)
    defer { withExtendedLifetime(store) {} }
    do {
      let result = try await body(server)
      if stores.countsBytes, let state = await server.state { stores.resize(key, store, as: state) }
      return result
    } catch let error as JournalError {
      // A journal whose handle has failed stays so. The next request opens it again.
      if error.isPermanent {
        contents.withLock { contents in
          if contents.served[StoreKey(key)]?.store === store { contents.served[StoreKey(key)] = nil }
        }
        store.fail(error)
      }
      throw error
    }
  }

  private func server(of key: String, _ store: Store<State>) async throws(JournalError) -> JournalServer<State> {
    if let server = contents.withLock({ $0.served[StoreKey(key)] }), server.store === store { return server.server }
    guard let journal = store.journal?.capabilities.server else {
      throw JournalError(
        .failed, journal: key,
        message: "can't be served: no server can decide the entries of this kind of journal. Use SQLite or PostgreSQL.")
    }
    try await prepare(journal)
    let created = contents.withLock { $0.waits.removeValue(forKey: StoreKey(key)) }
    created?.finish(())
    return try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(key) }
      if let server = contents.served[StoreKey(key)], server.store === store { return server.server }
      if contents.served.count >= contents.sweep {
        contents.served = contents.served.filter { $0.value.store != nil }
        contents.sweep = max(64, contents.served.count + contents.served.count / 4)
      }
      let server = makeServer(key, journal)
      contents.served[StoreKey(key)] = Served(store: store, server: server)
      contents.known.insert(StoreKey(key))
      return server
    }
  }

  /// Makes the server the only writer of a journal, and enables the schema.
  private func prepare(_ journal: any ServerJournal) async throws(JournalError) {
    while true {
      do throws(JournalError) {
        guard try await journal.role() == .server else {
          return try await journal.serve(Lineage(Generation(.random(in: 1 ... .max))), schema: schema, replacing: nil)
        }
        let position = try await journal.position()
        guard position.schema < schema else { return }
        return try await journal.serve(position.lineage, schema: schema, replacing: position.lineage.generation)
      } catch {
        // Another process was first.
        guard error.code == .conflict else { throw error }
      }
    }
  }

  /// Waits for the pushes that have begun. Later ones throw `closed`. The stores remain open.
  func close() async {
    let servers = contents.withLock { contents in
      contents.isClosed = true
      defer { contents.served = [:] }
      return contents.served.values.map(\.server)
    }
    await withTaskGroup(of: Void.self) { group in
      for server in servers { group.addTask { await server.close() } }
    }
  }
}

extension JournalError {
  /// Whether the handle of the journal is of no further use.
  fileprivate var isPermanent: Bool {
    switch code {
    case .failed, .damaged, .unreachable: true
    default: false
    }
  }
}
