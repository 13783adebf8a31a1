import Alter
import AlterSync
import Foundation
import SyncGuideModel

@main struct ShoppingApp {
  static func main() async {
    do { try await run() } catch {
      print(error)
      exit(1)
    }
  }

  static func run() async throws {
    let arguments = CommandLine.arguments  // the file, the address, the user, her token, and items to add
    let (file, name, token) = (arguments[1], arguments[3], arguments[4])
    guard let url = URL(string: arguments[2]) else { return print("not an address: \(arguments[2])") }

    let server = SyncServer(url, principal: name) { token }
    let journal = try await SyncedJournal(at: file, key: "lists/home", on: server)
    let store = try await Store.open(ShoppingList(), in: journal)
    for item in arguments.dropFirst(5) {
      try await store.change(.add(item)).durable()  // in the file; the link sends it
    }
    for await link in journal.links where link != .connecting {
      guard link == .live else {  // offline, for example: the changes stay in the file
        print(journal.problem.map { "\($0)" } ?? "\(link)")
        break
      }
      for await outbox in store.outbox where outbox.unconfirmed.isEmpty { break }
      break
    }
    print("open: \(store.state.open), not confirmed: \(store.unconfirmed.count), refused: \(store.refusals.map(\.code))")
    await store.close()
  }
}
