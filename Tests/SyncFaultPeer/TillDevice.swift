#if SyncServer && Postgres && SQLite
  import Alter
  import AlterSync
  import Foundation
  import TillModel

  /// A device that asks for a payment (`pay`), takes it back when the server has it (`take-back`), makes it again (`redo`), or waits for its end.
  enum TillDevice {
    static func run(_ file: String, _ url: String, _ principal: String, _ verb: String) async throws {
      guard let url = URL(string: url) else { throw PeerError("not an address: \(url)") }
      let journal = try await SyncedJournal(at: file, key: "till", on: SyncServer(url, principal: principal) { "\(principal)-1" })
      var options = StoreOptions()
      options.scope = UndoScope(rawValue: principal)
      let store = try await Store.open(Till(), in: journal, options: options)
      let payment = ["pay", "take-back"].contains(verb) ? try store.change(.pay(500)) : nil
      try await payment?.durable()
      say("asked")
      if verb == "take-back" {
        _ = try? await payment?.confirmed()
        // It may come too late.
        _ = try? await store.undo()
      } else if verb == "redo" {
        _ = try? await store.redo()
      }
      say("done")
      // Through every outage of the server. The verdict on a change is no change of the state, and an answer none of the outbox.
      repeat {
        for await isOpen in store.values(of: { $0.payment != nil }) where !isOpen { break }
        for await outbox in store.outbox where outbox.unconfirmed.isEmpty { break }
      } while store.state.payment != nil
      say("paid: \(store.state.paid.count)")
      await store.close()
    }
  }
#endif
