import Alter
import AlterSync
import Foundation

/// Two devices with the whole library, each with a file and a link of its own: one makes changes, the other shows them.
///
/// It tells `p50` and `p95`, the nanoseconds from `change` on one device until the other's store has the change, and the shares.
struct LatencyLoad {
  private let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  func run() async throws {
    let folder = try WorkFolder()
    let key = "latency/\(UUID().uuidString)"
    let writer = try await DeviceStore(folder, "writer", key, arguments)
    let reader = try await DeviceStore(folder, "reader", key, arguments)
    await writer.live()
    await reader.live()
    var values = reader.store.values(of: { $0.count }).makeAsyncIterator()
    let count = arguments.number("count", default: 300)
    var times: [Double] = []
    let shares = Shares(server: Int32(arguments.number("server", default: 0)))
    for number in 1...count {
      let start = nanoseconds
      try writer.store.change(.count(number))
      while let value = await values.next(), value < number {}
      times.append(Double(nanoseconds - start))
      try await Task.sleep(for: .milliseconds(10))
    }
    tell("p50", quantile(0.5, of: times))
    tell("p95", quantile(0.95, of: times))
    shares.report()
    await writer.store.close()
    await reader.store.close()
  }
}

/// A device.
struct DeviceStore: Sendable {
  let journal: SyncedJournal
  let store: Store<Document>

  /// Opens the file of a device.
  init(_ folder: WorkFolder, _ name: String, _ key: String, _ arguments: Arguments) async throws {
    try await self.init(at: folder.path + "/\(name).alter", key, principal: name, port: arguments.number("port", default: 0))
  }

  init(at path: String, _ key: String, principal: String, port: Int) async throws {
    guard let url = URL(string: "http://127.0.0.1:\(port)/sync") else { throw Failure("no address") }
    journal = try await SyncedJournal(at: path, key: key, on: SyncServer(url, principal: principal) { principal })
    store = try await Store.open(Document(lineCount: LoadServer.lines), in: journal)
  }

  /// Waits until the link is live.
  func live() async { for await link in journal.links where link == .live { return } }

  /// Waits until the server has decided everything.
  func drained() async { for await outbox in store.outbox where outbox.unconfirmed.isEmpty { return } }
}

/// A temporary folder, which is deleted with this object.
final class WorkFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/sync-load-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
