import Alter
import AlterSQLite
import AlterSync
import Foundation

/// Makes the file of a device with drafts, without a server: `sync-load drafts --file F --key K --drafts N`.
func makeDrafts(_ arguments: Arguments) async throws {
  // Port 1 has no server.
  let device = try await DeviceStore(at: try arguments.text("file"), try arguments.text("key"), principal: "device", port: 1)
  var last: Commit<Document>?
  for number in 0..<arguments.number("drafts", default: 10_000) {
    last = try device.store.change(.line(number &* 7_919 % LoadServer.lines, .text("A line of some words, changed offline \(number)")))
    if number % 1_000 == 999 { try await last?.durable() }
  }
  try await last?.durable()
  await device.store.close()
}

/// Opens the file of a device in a new process: `sync-load view --file F --key K`. It tells `view`: the nanoseconds from the start of this
/// process's work until the store has its state.
func view(_ arguments: Arguments) async throws {
  let start = nanoseconds
  let device = try await DeviceStore(at: try arguments.text("file"), try arguments.text("key"), principal: "device", port: 1)
  guard device.store.state.lines.first?.text.isEmpty == false else { throw Failure("the view is empty") }
  tell("view", Double(nanoseconds - start))
  tell("drafts", Double(device.store.unconfirmed.count))
  await device.store.close()
}

/// Opens the file of a device, whose drafts are then sent: `sync-load drain --file F --key K --port P --server PID`. It tells `drained`: the
/// nanoseconds until the server has decided all of them and the file has the verdicts.
func drain(_ arguments: Arguments) async throws {
  let shares = Shares(server: Int32(arguments.number("server", default: 0)))
  let start = nanoseconds
  let device = try await DeviceStore(
    at: try arguments.text("file"), try arguments.text("key"), principal: "device", port: arguments.number("port", default: 0))
  await device.drained()
  tell("drained", Double(nanoseconds - start))
  shares.report()
  guard device.store.refusals.isEmpty else { throw Failure("\(device.store.refusals.count) drafts were refused") }
  await device.store.close()
}

/// A new device on a journal that has entries: `sync-load join --key K --port P --server PID --lines N`. It tells `joined`: the nanoseconds
/// until the store shows the server's state, and `caughtUp`: until the mirror is at the server's head.
func join(_ arguments: Arguments) async throws {
  let folder = try WorkFolder()
  let lines = arguments.number("lines", default: 10_000)
  let shares = Shares(server: Int32(arguments.number("server", default: 0)))
  let start = nanoseconds
  let device = try await DeviceStore(folder, "new", try arguments.text("key"), arguments)
  for await count in device.store.values(of: { $0.lines.count }) where count == lines { break }
  tell("joined", Double(nanoseconds - start))
  let head = arguments.number("head", default: 0)
  for await revision in device.store.revisions where revision.number >= Int64(head) { break }
  tell("caughtUp", Double(nanoseconds - start))
  shares.report()
  await device.store.close()
}
