import Alter
import AlterSync
import CMemory
import Foundation

/// Users with devices, each of which makes a change about every 100 ms, and waits for none. A *failed action* is a change that was refused at once, or
/// by the server, or that could not be written, or that has no verdict a minute after the end.
actor Users {
  private let devices: [(key: String, device: DeviceStore)]
  private(set) var actions = 0
  private(set) var confirmed = 0
  private(set) var failures: [String] = []
  private var longest = 0.0
  private var isEnding = false

  /// - Parameters:
  ///   - count: The number of devices.
  ///   - keys: The number of journals that they share.
  init(_ count: Int, keys: Int, in folder: WorkFolder, port: Int) async throws {
    var devices: [(String, DeviceStore)] = []
    for number in 0..<count {
      let key = "users/\(number % keys)"
      devices.append((key, try await DeviceStore(at: folder.path + "/\(number).alter", key, principal: "user\(number)", port: port)))
    }
    self.devices = devices
  }

  /// Waits until all devices are live, and begins.
  func start() async {
    for device in devices { await device.device.live() }
    for (number, device) in devices.enumerated() { Task { await act(device.device, number) } }
  }

  private func act(_ device: DeviceStore, _ number: Int) async {
    var sequence = 0
    while !isEnding {
      sequence += 1
      do {
        let commit = try device.store.change(.line(.random(in: 0..<LoadServer.lines), .text("by \(number), change \(sequence)")))
        actions += 1
        let start = nanoseconds
        // No one keeps the task: its memory would count as that of a device.
        Task { await follow(commit, start) }
      } catch {
        actions += 1
        failures.append("not taken: \(error)")
      }
      try? await Task.sleep(for: .milliseconds(.random(in: 50...150)))
    }
  }

  private func follow(_ commit: Commit<Document>, _ start: Int64) async {
    do {
      try await commit.durable()
      _ = try await commit.confirmed()
      confirmed += 1
      longest = max(longest, Double(nanoseconds - start))
    } catch { failures.append("\(error)") }
  }

  /// The age of the oldest change that the server has not decided, in seconds.
  func oldestOutbox() -> Double {
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
    return devices.compactMap { $0.device.store.unconfirmed.first.map { Double(now - $0.record.time) / 1e6 } }.max() ?? 0
  }

  /// Ends the users, and waits for their verdicts, for a minute at most. Then all devices of a journal must have the same state.
  ///
  /// - Returns: The nanoseconds from a change to its verdict, at most.
  func end() async -> Double {
    isEnding = true
    let end = nanoseconds + 60_000_000_000
    while confirmed + failures.count < actions, nanoseconds < end { try? await Task.sleep(for: .milliseconds(100)) }
    if confirmed + failures.count < actions { failures.append("\(actions - confirmed - failures.count) changes have no verdict") }
    for (key, group) in Dictionary(grouping: devices, by: \.key) {
      while nanoseconds < end, Set(group.map { $0.device.store.state }).count > 1 { try? await Task.sleep(for: .milliseconds(100)) }
      if Set(group.map { $0.device.store.state }).count > 1 { failures.append("the devices of \(key) differ") }
    }
    return longest
  }

  func close() async { for device in devices { await device.device.store.close() } }
}

/// The arguments that name the place of a server's journals: a PostgreSQL database, or a folder.
private func place(_ arguments: Arguments, _ folder: WorkFolder) throws -> [String] {
  if let address = arguments["postgres"] { return ["--postgres", address] }
  try FileManager.default.createDirectory(atPath: folder.path + "/server", withIntermediateDirectories: true)
  return ["--folder", folder.path + "/server"]
}

/// Two server processes over one database are restarted in turn, while users make changes:
/// `sync-load roll --seconds 30 --devices 20 --keys 5 [--postgres ADDRESS]`.
///
/// It tells `actions`, `failures`, `restarts`, and `longest`: the nanoseconds from a change to its verdict, at most.
func roll(_ arguments: Arguments) async throws {
  raiseDescriptorLimit()
  let folder = try WorkFolder()
  let place = try place(arguments, folder)
  var servers = [try ServerProcess(place), try ServerProcess(place)]
  let balancer = try Balancer(servers.map(\.port))
  let users = try await Users(
    arguments.number("devices", default: 20), keys: arguments.number("keys", default: 5), in: folder, port: balancer.port)
  await users.start()
  let end = nanoseconds + Int64(arguments.number("seconds", default: 30)) * 1_000_000_000
  var (restarts, failures, longestEnd) = (0, [String](), 0.0)
  repeat {
    try await Task.sleep(for: .seconds(1))
    let turn = restarts % 2
    let start = nanoseconds
    let status = servers[turn].end()
    longestEnd = max(longestEnd, Double(nanoseconds - start))
    if status != 0 { failures.append("a server has ended with status \(status.map { "\($0)" } ?? "none")") }
    servers[turn] = try ServerProcess(place)
    balancer.set(servers[turn].port, at: turn)
    restarts += 1
  } while nanoseconds < end || restarts < 2
  let longest = await users.end()
  failures += await users.failures
  for failure in failures.prefix(10) { say("note: \(failure)") }
  tell("actions", Double(await users.actions))
  tell("failures", Double(failures.count))
  tell("restarts", Double(restarts))
  tell("longest", longest)
  tell("longestEnd", longestEnd)
  await users.close()
  for server in servers { _ = server.end() }
}

/// Requests a number from a server, which blocks.
private func request(_ path: String, of port: Int) throws -> Int {
  let connection = try Connection(port: port)
  try connection.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
  while true {
    if let answer = try connection.takeAnswer() { return Int(String(decoding: answer.body, as: UTF8.self)) ?? 0 }
    var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&descriptor, 1, 30_000)
    guard try connection.receive() else { throw Failure("the server has closed a connection") }
  }
}

/// A flag that a thread reads. `@unchecked Sendable`: the lock guards the variable.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }

  func set() { lock.withLock { value = true } }
}

/// A soak: users make changes, devices open and close streams, and each minute a line tells what the processes use:
/// `sync-load soak --minutes 20 --devices 20 --keys 5 --streams 500 [--postgres ADDRESS]`.
func soak(_ arguments: Arguments) async throws {
  raiseDescriptorLimit()
  let folder = try WorkFolder()
  let server = try ServerProcess(try place(arguments, folder))
  let users = try await Users(
    arguments.number("devices", default: 20), keys: arguments.number("keys", default: 5), in: folder, port: server.port)
  await users.start()
  let streams = arguments.number("streams", default: 500)
  let isOver = Flag()
  let (port, keys) = (server.port, arguments.number("keys", default: 5))
  // Each second a fiftieth of the streams is closed and opened again.
  Thread.detachNewThread {
    do {
      var connections: [Connection] = []
      var place = 0
      while !isOver.isSet {
        for _ in 0..<max(1, streams / 50) {
          let connection = try Connection(port: port)
          try connection.send(
            Array(
              "GET /sync/live?journal=users%2F\(place % keys) HTTP/1.1\r\nHost: localhost\r\nAlter-Sync: 1\r\nAuthorization: Bearer stream\(place)\r\n\r\n"
                .utf8))
          if connections.count < streams { connections.append(connection) } else { connections[place % streams] = connection }
          place += 1
        }
        for connection in connections {
          guard try connection.receive() else { throw Failure("the server has ended a stream") }
          connection.clear()
        }
        usleep(1_000_000)
      }
    } catch {
      guard !isOver.isSet else { return }
      say("failed: \(error)")
      exit(1)
    }
  }
  let (process, own) = (OtherProcess(id: server.id), OtherProcess(id: getpid()))
  var shares = Shares(server: server.id)
  for minute in 0...arguments.number("minutes", default: 20) {
    // The first line is of the time at which everything is open.
    try await Task.sleep(for: .seconds(60))
    let failures = await users.failures
    let live = try request("/memory", of: server.port)
    say(
      "minute \(minute + 1): server \(process.memory >> 10) KiB, of which \(live >> 10) KiB are allocated, \(process.descriptors) descriptors; devices \(own.memory >> 10) KiB, of which \(allocatedBytes() >> 10) KiB are allocated, \(own.descriptors) descriptors; oldest outbox \(await users.oldestOutbox()) s; \(await users.actions) changes, \(await users.confirmed) confirmed, \(failures.count) failures"
    )
    shares.report()
    shares = Shares(server: server.id)
  }
  let longest = await users.end()
  isOver.set()
  for failure in await users.failures.prefix(10) { say("note: \(failure)") }
  tell("actions", Double(await users.actions))
  tell("failures", Double(await users.failures.count))
  tell("longest", longest)
  // The resident memory without what the allocator keeps for later.
  _ = try request("/memory?trim=1", of: server.port)
  returnFreeMemory()
  say("trimmed: server \(process.memory >> 10) KiB; devices \(own.memory >> 10) KiB")
  await users.close()
  tell("status", Double(server.end() ?? -1))
}
