#if SyncServer && Postgres && SQLite
  import Alter
  import AlterSync
  import Foundation
  import TillModel

  /// A device that asks for a payment, or waits for the end of one.
  enum TillDevice {
    static func run(_ file: String, _ url: String, _ principal: String, pays: Bool) async throws {
      guard let url = URL(string: url) else { throw PeerError("not an address: \(url)") }
      let journal = try await SyncedJournal(at: file, key: "till", on: SyncServer(url, principal: principal) { "\(principal)-1" })
      let store = try await Store.open(Till(), in: journal)
      if pays { try await store.change(.pay(500)).durable() }
      say("asked")
      // Through every outage of the server.
      for await state in store.values(of: { $0 }) where state.payment == nil && store.unconfirmed.isEmpty { break }
      say("paid: \(store.state.paid.count)")
      await store.close()
    }
  }
#endif
