import Alter
import AlterSQLite
import Foundation
import NIOConcurrencyHelpers
import ProcessTesting
import Testing

/// The number of rounds.
private let chosenRounds =
  ProcessInfo.processInfo.environment["ALTER_FAULT_ROUNDS"].flatMap { Int($0) } ?? (Effort.isFull ? 200 : 5)

@Suite(
  "Faults of sync over HTTP and PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20 + 2 * chosenRounds)))
struct FaultRoundsTests {
  /// The fault of a round, beside the bad weather of the network.
  enum Victim: String, CaseIterable {
    /// `kill -9` of a device, which starts again.
    case device
    /// `kill -9` of a device; its file is copied, and both copies go on.
    case copied
    /// `kill -9` of the server process that has the request.
    case server
    /// PostgreSQL ends at once, and starts again.
    case postgres
    /// All connections of the servers to PostgreSQL break.
    case databaseLine
    /// A device's token is revoked, and is valid again later.
    case token
    /// The database is restored from a copy, and the operator recovers from a device.
    case recovered
    /// The database is restored from a copy, and the operator gives the lost entries up.
    case discarded
  }

  private static let short: [[Victim]] = [
    [.copied], [.server, .token], [.postgres, .databaseLine], [.recovered], [.discarded, .device],
  ]

  /// The rounds of one fleet: a long journal makes each start of a device slow.
  private static let spell = 20

  @Test("lose, double and reorder nothing, whatever happens to devices, servers and their database: checked by SQL and the devices' logs")
  func rounds() async throws {
    let count = chosenRounds
    var schedule = Self.short
    while schedule.count < count {
      let first = Victim.allCases[Int.random(in: 0..<Victim.allCases.count)]
      let others = Victim.allCases.filter { $0 != .recovered && $0 != .discarded && $0 != first }
      schedule.append(Bool.random() ? [first] : [first, others[Int.random(in: 0..<others.count)]])
    }
    let postgres = try TestServer()
    var total = Totals()
    for start in stride(from: 0, to: count, by: Self.spell) {
      try await run(Array(schedule[start..<min(start + Self.spell, count)]), from: start, over: postgres, &total)
    }
    try await postgres.stop()
    print("\(count) rounds of faults: \(total)")
  }

  private struct Totals: CustomStringConvertible {
    var victims: [Victim: Int] = [:]
    var faults: [FaultNetwork.Fault: Int] = [:]
    var inFlight = 0
    var acknowledged = 0
    var refused = 0
    var entries: Int64 = 0
    var (recovered, discarded) = (0, 0)

    var description: String {
      let victims = victims.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", ")
      let faults = faults.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", ")
      return """
        \(victims); network: \(faults); \(inFlight) requests in flight at the faults; \(acknowledged) acknowledged changes, \(refused) told \
        refusals, \(entries) entries, \(recovered) of them recovered, \(discarded) given up
        """
    }
  }

  private func run(_ schedule: [[Victim]], from start: Int, over postgres: TestServer, _ total: inout Totals) async throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let fleet = try await FaultFleet(in: folder.path, over: postgres)
    // The first request migrates the tables, which `pg_dump` can't copy meanwhile.
    await fleet.network.wait { answers in answers.contains { $0.status == 200 } }
    for (index, victims) in schedule.enumerated() {
      fleet.network.setRough(true)
      for victim in victims {
        let inFlight = try await strike(victim, fleet, &total)
        // The action is performed while the network holds the message.
        #expect(inFlight > 0, "round \(start + index)")
        total.victims[victim, default: 0] += 1
        total.inFlight += inFlight
      }
      let problems = try await settle(fleet)
      #expect(problems.isEmpty, "round \(start + index), \(victims): \(problems)")
      guard problems.isEmpty else { throw FaultFleet.Failure(description: "round \(start + index), \(victims): \(problems)") }
      FileHandle.standardError.write(Data("round \(start + index) \(victims.map(\.rawValue)) \(Date())\n".utf8))
      for copy in fleet.devices.dropFirst(FaultFleet.principals.count) { try await fleet.end(copy) }
      fleet.tell("go")
    }
    try await finish(fleet, &total)
  }

  /// Ends the bad weather, waits until everything is decided, and checks the laws.
  private func settle(_ fleet: FaultFleet) async throws -> [String] {
    fleet.network.setRough(false)
    fleet.tell("nudge")
    try await fleet.ask("pause", until: "paused")
    try await fleet.ask("drain", until: "drained")
    let head = try await fleet.files.head()
    for device in fleet.devices {
      while try FaultFiles.head(of: device.file) < head {
        device.process.say("nudge")
        _ = await fleet.network.interrupt(line: device.number, at: .halfAnswered)
      }
    }
    let digests = Set(try await fleet.ask("reach \(head)", until: "reached"))
    var problems = try await fleet.files.load()
    if digests.count != 1 { problems.append("law 6: different states \(digests)") }
    for device in fleet.devices.map(\.checked) + fleet.ended {
      problems += try fleet.files.problems(of: device).map { "\(device.file): \($0)" }
    }
    return problems
  }

  /// Checks that the checks find what they are for, and counts.
  private func finish(_ fleet: FaultFleet, _ total: inout Totals) async throws {
    let problems = try await settle(fleet)
    #expect(problems.isEmpty)
    let device = fleet.devices[0].checked
    for (damage, isOfServer, law) in [
      ("DELETE FROM entries WHERE revision = (SELECT max(revision) FROM entries)", false, "mirror does not have"),
      ("UPDATE entries SET payload = payload || ' ' WHERE revision = 3", false, "server does not have"),
      ("UPDATE entries SET sequence = sequence + 1000000; UPDATE removed SET sequence = -1", true, "exactly one verdict"),
      ("UPDATE entries SET kind = CASE kind WHEN 'refused' THEN 'changes' ELSE 'refused' END, code = 'x'", true, "told verdicts"),
      ("UPDATE entries SET revision = -revision, code = ''", true, "another order"),
    ] {
      let found = try fleet.files.problems(of: device, after: damage, isOfServer: isOfServer)
      #expect(found.contains { $0.contains(law) }, "\(damage): \(found)")
    }
    for device in fleet.devices.map(\.checked) + fleet.ended {
      let lines = try String(contentsOfFile: device.log, encoding: .utf8).split(separator: "\n")
      total.acknowledged += lines.count { $0.hasPrefix("durable|") }
      total.refused += lines.count { $0.hasPrefix("refused|") }
    }
    for (fault, count) in fleet.network.faults { total.faults[fault, default: 0] += count }
    total.entries += try await fleet.files.head()
    #expect(total.acknowledged > 0 && total.refused > 0)
    while let device = fleet.devices.last { try await fleet.end(device) }
    for device in fleet.ended {
      let journal = try await SQLiteJournal(at: device.file, key: "stock", isReadOnly: true)
      await #expect(throws: Never.self, "\(device.file)") { _ = try await journal.verify() }
      await journal.close()
    }
    fleet.killing()([0, 1])
  }

  // MARK: - Faults

  /// Makes a fault happen while a request is in flight.
  ///
  /// - Returns: The number of requests in flight at that moment.
  private func strike(_ victim: Victim, _ fleet: FaultFleet, _ total: inout Totals) async throws -> Int {
    let network = fleet.network
    let moment = FaultNetwork.Moment.allCases[Int.random(in: 0..<4)]
    let device = fleet.devices[Int.random(in: 0..<FaultFleet.principals.count)]
    switch victim {
    case .device, .copied:
      let child = device.process.child
      let inFlight = await network.interrupt(line: device.number, at: moment) { _ in child.end(SIGKILL) }
      let copy = victim == .copied ? try fleet.addDevice(of: device.principal, copying: device) : nil
      try device.restart()
      try await device.says("ready")
      try await copy?.says("ready")
      return inFlight
    case .server:
      let killed = NIOLockedValueBox(0)
      let kill = fleet.killing()
      let inFlight = await network.interrupt(at: moment) { server in
        killed.withLockedValue { $0 = server }
        kill([server])
      }
      try await fleet.startServer(killed.withLockedValue { $0 })
      return inFlight
    case .postgres:
      let result = NIOLockedValueBox<Result<String, any Error>?>(nil)
      let postgres = fleet.postgres
      let inFlight = await network.interrupt(at: Bool.random() ? .forwarded : .halfRequested) { _ in
        let stopped = Result { try postgres.run("pg_ctl", "-D", "\(postgres.folder)/data", "-w", "-s", "-m", "immediate", "stop") }
        result.withLockedValue { $0 = stopped }
      }
      _ = try result.withLockedValue { $0 }?.get()
      try await postgres.start()
      return inFlight
    case .databaseLine:
      let line = fleet.databaseLine
      return await network.interrupt(at: .forwarded) { _ in line.cut() }
    case .token: return try await revoke(device, fleet)
    case .recovered, .discarded: return try await restore(fleet, recovers: victim == .recovered, &total)
    }
  }

  /// Revokes a device's token, and gives it again. Meanwhile it reads and writes nothing: law 9.
  private func revoke(_ device: FaultFleet.Device, _ fleet: FaultFleet) async throws -> Int {
    let (network, number) = (fleet.network, device.number)
    let revoke = fleet.revocation(of: device)
    let mark = NIOLockedValueBox(Int.max)
    let inFlight = await network.interrupt(line: number, at: .halfAnswered) { _ in
      revoke()
      mark.withLockedValue { $0 = network.last }
    }
    let last = mark.withLockedValue { $0 }
    // Twice: after the first rejection the device asks for another token.
    await network.wait { answers in answers.count { $0.line == number && $0.number > last && $0.status == 401 } >= 2 }
    let before = try FaultFiles.head(of: device.file)
    let first = network.last
    // Others go on.
    await network.wait { answers in answers.count { $0.line != number && $0.number > first && $0.status == 200 } >= 10 }
    device.process.say("nudge")
    await network.wait { answers in answers.contains { $0.line == number && $0.number > first && $0.status == 401 } }
    #expect(try FaultFiles.head(of: device.file) == before, "law 9: a revoked token has read entries")
    let statuses = network.answers(after: last).filter { $0.line == number }.map(\.status)
    #expect(statuses.allSatisfy { $0 == 401 || $0 >= 500 }, "law 9: \(statuses)")
    try fleet.setValid(device, true)
    device.process.say("nudge")
    return inFlight
  }

  /// Restores the database from a copy while requests are in flight, and decides as the operator.
  private func restore(_ fleet: FaultFleet, recovers: Bool, _ total: inout Totals) async throws -> Int {
    let network = fleet.network
    try await fleet.dump()
    let dumped = try await fleet.files.head()
    // A device must know entries that the copy lacks.
    while try fleet.devices.allSatisfy({ try FaultFiles.head(of: $0.file) <= dumped }) { _ = await network.interrupt(at: .halfAnswered) }
    let kill = fleet.killing()
    let inFlight = await network.interrupt(at: FaultNetwork.Moment.allCases[Int.random(in: 0..<4)]) { _ in kill([0, 1]) }
    for device in fleet.devices { device.line.setOpen(false) }
    try await fleet.ask("suspend", until: "suspended")
    // A commit of a killed server may be on its way.
    fleet.databaseLine.cut()
    try await fleet.endConnections()
    let before = try await fleet.files.export()
    try await fleet.restore()
    let restored = try await fleet.files.head()
    // The server comes back without a decision. The device with the newest entries is told, and nothing changes.
    var (newest, head) = (fleet.devices[0], Int64(-1))
    for device in fleet.devices {
      let other = try FaultFiles.head(of: device.file)
      if other > head { (newest, head) = (device, other) }
    }
    network.setRough(false)
    try await fleet.startServer(0)
    let (number, last) = (newest.number, network.last)
    newest.line.setOpen(true)
    newest.process.say("resume")
    await network.wait { answers in answers.contains { $0.line == number && $0.number > last && $0.status == 409 } }
    kill([0])
    newest.line.setOpen(false)
    newest.process.say("suspend")
    try await newest.says("suspended")
    #expect(try await fleet.files.head() == restored)
    #expect(network.answers(after: last).allSatisfy { $0.status == 409 || $0.status >= 500 })
    let report = recovers ? try await fleet.run("recover", newest.file) : try await fleet.run("discard")
    #expect(report == (recovers ? "recovered \(head - restored)" : "discarded"))
    let lost = try fleet.files.remember(before, without: try await fleet.files.export(), areDiscarded: !recovers)
    if recovers { total.recovered += Int(head - restored) } else { total.discarded += lost }
    network.setRough(true)
    for index in 0..<2 { try await fleet.startServer(index) }
    for device in fleet.devices { device.line.setOpen(true) }
    fleet.tell("resume")
    return inFlight
  }
}
