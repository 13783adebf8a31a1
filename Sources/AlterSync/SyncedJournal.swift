#if SQLite
  import AlterCore
  public import AlterJournal
  import AlterSQLite
  public import AlterStore
  public import AlterSyncCore

  /// A server's journal on a device: a file that has the server's entries and the changes that the server has not decided, and the link that
  /// exchanges them.
  ///
  /// ```swift
  /// let server = SyncServer(URL(string: "https://lists.example/sync")!, principal: "ann") { try await session.token() }
  /// let journal = try await SyncedJournal(at: file, key: "lists/42", on: server)
  /// let store = try await Store.open(TodoList(), in: journal)
  ///
  /// let commit = try store.change(.add(.item(milk)))   // visible at once, also offline
  /// try await commit.durable()                         // in the file
  /// try await commit.confirmed()                       // the server has accepted it
  ///
  /// for await link in journal.links { … }              // live, offline, …
  /// store.unconfirmed                                  // not decided yet
  /// store.refusals                                     // refused, until they are retried or dismissed
  /// ```
  ///
  /// ## Offline
  ///
  /// The store takes changes at any time, and keeps them in the file. The link sends them when it can, in their order; the server decides
  /// each of them once, with the app's own `apply` and its policy. A change that the server refuses disappears from the state, and is listed in
  /// ``/AlterStore/Store/refusals``.
  ///
  /// Until the first contact with the server, the state begins with the one that is passed to `Store.open`; then with the server's.
  ///
  /// ## Users
  ///
  /// The file belongs to the principal of the server that it was created with. For another principal the file is locked: the device sends
  /// and shows no change of it, the link is ``/AlterSyncCore/SyncLink/locked``, and `Store.open` throws `readOnly`.
  ///
  /// ## Processes
  ///
  /// Several processes of a device may open one file, for example an app and its extension. One of them talks to the server, for all; the
  /// link of the others has no status, and ``talker`` names that process. A process that is stopped is waited for at most a minute, and one
  /// whose token the server rejects makes room for the others.
  public final class SyncedJournal: Sendable {
    /// The key of the journal on the server.
    package let key: String
    /// The name of the file, for errors.
    package var name: String { storage.journal.name }
    let storage: DeviceStorage
    fileprivate let server: SyncServer
    private let settings: SyncDriver.Options
    private let life = Lock(Life())
    /// The streams of statuses that were made before the first store was opened.
    private let status = LinkStatus()

    private struct Life {
      var driver: SyncDriver?
      var isSuspended = false
      var isClosed = false
      /// The schemas of a store that was opened while the app was suspended.
      var waiting: ClosedRange<Int>?
    }

    /// The open stores: each waits until it has taken in a transaction of the file, or has ended.
    private let stores = Lock<(lastID: Int, taken: [Int: @Sendable (Int64) async -> Void])>((0, [:]))

    private var driver: SyncDriver? { life.withLock { $0.driver } }

    /// Opens the device's file of a journal, or creates it. Nothing is sent before a store is opened.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist. One file may have the journals of several keys.
    ///   - key: The key of the journal on the server, which must not be empty, '.' or '..'.
    ///   - server: The server.
    ///   - durability: The failures that a durable change survives.
    ///   - grace: The longest time for which ``close()`` waits for the verdicts of changes that are being sent.
    /// - Throws: ``/AlterJournal/JournalError``, if the file cannot be opened; `conflict` if it has a journal of another kind under this key.
    public convenience init(
      at path: String, key: String, on server: SyncServer, durability: Durability = .full, grace: Duration = .milliseconds(300)
    ) async throws(JournalError) {
      var options = SyncDriver.Options()
      options.grace = grace
      try await self.init(at: path, key: key, on: server, durability: durability, options: options)
    }

    package init(
      at path: String, key: String, on server: SyncServer, durability: Durability = .full, options: SyncDriver.Options
    ) async throws(JournalError) {
      guard !["", ".", ".."].contains(key) else {
        throw JournalError(
          .failed, journal: path, message: "can't be synced under the key '\(key)', which can't be part of a URL. Choose another key.")
      }
      self.key = key
      self.server = server
      settings = options
      let journal = try await SQLiteJournal(at: path, key: key, durability: durability)
      do throws(JournalError) {
        storage = try await DeviceStorage(journal, principal: Principal(server.principal))
      } catch {
        await journal.close()
        throw error
      }
    }

    // MARK: - The link

    /// The status of the link to the server; nil while no store is open, and while another process of the device talks.
    public var link: SyncLink? { driver?.link }

    /// The statuses of the link: the present one, and each later one. A slow reader receives the newest alone. The stream ends with
    /// ``close()``.
    public var links: AsyncStream<SyncLink> { status.stream() }

    /// The last failure of the device's file or of the connection, with its reason; nil after a successful exchange.
    ///
    /// The reason is, for example, a host that was not found, a certificate that is not valid, the status of an answer, or the server's own words.
    /// Its ``/AlterJournal/JournalError/code`` is `unavailable` without an answer, and `failed` if the server denies what was asked.
    public var problem: JournalError? { driver?.problem }

    /// The other process of this device that talks to the server, as in `4711 todo talk 2026-11-21T09:30:00Z`; nil if this process talks, or if
    /// none does.
    public var talker: String? { driver?.otherTalker }

    /// Asks for an exchange now: the user has pulled to refresh, or a push notification has arrived.
    public func nudge() { driver?.nudge() }

    /// Ends all exchanges with the server, because the system suspends the app. When this method returns, nothing uses the network or a lock.
    public func suspend() async {
      let driver = life.withLock { life in
        life.isSuspended = true
        return life.driver
      }
      await driver?.suspend()
    }

    /// Begins the exchange with the server again after ``suspend()``: sends the outbox and reads the news.
    public func resume() async {
      let (driver, waiting) = life.withLock { life in
        life.isSuspended = false
        return (life.driver, life.waiting)
      }
      if let waiting { await start(schemas: waiting) } else { await driver?.resume() }
    }

    /// Starts the link, for an app that reads states of some schemas, and changes up to the newest of them.
    func start(schemas: ClosedRange<Int>) async {
      let new: SyncDriver? = life.withLock { life in
        guard life.driver == nil, !life.isClosed else { return nil }
        guard !life.isSuspended else {
          life.waiting = schemas
          return nil
        }
        var options = settings
        (options.schema, options.snapshotsFrom) = (schemas.upperBound, schemas.lowerBound)
        options.taken = { [stores] transaction in
          for taken in stores.withLock({ Array($0.taken.values) }) { await taken(transaction) }
        }
        life.waiting = nil
        life.driver = SyncDriver(storage, over: HTTPTransport(server, key: key), options: options, status: status)
        return life.driver
      }
      await new?.start()
    }

    /// Lets the link wait for a store from now on, until that store has ended: also one that leaves the journal open.
    func attend<State>(to store: Store<State>, on file: SyncedFile<State>) {
      let id = stores.withLock { stores in
        stores.lastID += 1
        stores.taken[stores.lastID] = { [weak file] in await file?.waitUntilAbsorbed($0) }
        return stores.lastID
      }
      Task.detached { [stores, watch = store.watch, weak file] in
        _ = await watch.end()
        file?.endAbsorbing()
        stores.withLock { $0.taken[id] = nil }
      }
    }

    /// Ends the link and releases the file. Changes that are being sent have a moment: the grace of the initialiser. The rest is sent by the next
    /// process that opens the file.
    ///
    /// Closing the store does this, unless ``/AlterStore/StoreOptions/keepsJournalOpen`` is set.
    public func close() async {
      let driver = life.withLock { life in
        life.isClosed = true
        return life.driver
      }
      if let driver { await driver.close() } else { status.finish() }
      await storage.close()
    }

    deinit {
      // Otherwise the driver of a journal that was never closed talks for as long as the process runs.
      if let driver = life.withLock({ $0.driver }) { Task { await driver.close() } }
    }
  }

  extension Store where State: Journaled {
    /// Opens a store on a synced journal, and starts its link.
    ///
    /// - Parameters:
    ///   - initial: The state until the first contact with the server. It is never sent. Let it have nothing that a user can change, unless the
    ///     server's initial state has the same ids: a change of it would be refused.
    ///   - journal: The journal. The store closes it, unless ``/AlterStore/StoreOptions/keepsJournalOpen`` is set.
    ///   - options: The options of the store. The undo window must be that of the server's stores. The undo scope is that of the server's principal,
    ///     unless it is set.
    /// - Throws: ``/AlterJournal/JournalError``, if the file cannot be read; `readOnly` if it belongs to another user.
    /// - Complexity: O(entries of the file): the whole mirror is folded.
    public static func open(
      _ initial: State, in journal: SyncedJournal, options: StoreOptions = StoreOptions()
    ) async throws(JournalError) -> Store {
      var options = options
      if options.scope == nil { options.scope = UndoScope(rawValue: journal.server.principal) }
      let file = SyncedFile(journal.storage, initial: initial, window: options.undoWindow) { await journal.close() }
      let store = try await open(initial, in: file, options: options)
      journal.attend(to: store, on: file)
      await journal.start(schemas: State.schema.snapshotsFrom...State.schema.version)
      return store
    }
  }
#endif
