#if SyncServer
  import Alter
  import AlterStore
  import AlterSync
  import Foundation
  import StockModel

  /// A device of the tests: a synced journal with its store.
  struct Device {
    let journal: SyncedJournal
    let store: Store<Stock>

    init(
      _ path: String, key: String = "lists/42", on url: URL, as principal: String = "ann",
      scope: UndoScope? = nil, window: Int? = nil, silence: Duration? = nil, client: any SyncHTTPClient = SyncServer.defaultClient(),
      options: SyncDriver.Options = Device.impatient, token: (@Sendable () async throws -> String?)? = nil
    ) async throws {
      let server = SyncServer(url, principal: principal, client: client, token: token ?? { "\(principal)'s token" })
      var options = options
      if let silence { options.silence = silence }
      journal = try await SyncedJournal(at: path, key: key, on: server, options: options)
      var storeOptions = StoreOptions()
      storeOptions.scope = scope
      if let window { storeOptions.undoWindow = window }
      store = try await Store.open(Stock(), in: journal, options: storeOptions)
    }

    /// Failed attempts of a test are soon repeated.
    static var impatient: SyncDriver.Options {
      var options = SyncDriver.Options()
      (options.times.longest, options.times.poll) = (0.5, 0.5)
      return options
    }

    /// Waits for a status. The test's time limit ends a wait for one that never comes.
    func reaches(_ isReached: (SyncLink) -> Bool) async {
      for await link in journal.links where isReached(link) { return }
    }

    /// Waits for a state.
    func shows(_ isShown: @escaping @Sendable (Stock) -> Bool) async {
      for await state in store.values(of: { $0 }) where isShown(state) { return }
    }

    func close() async { await store.close() }
  }
#endif
