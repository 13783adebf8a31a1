import AlterCore
import AlterSQLite
import Foundation
import ProcessTesting
import Testing

@Suite("Kill -9 of devices and their server", .timeLimit(.minutes(30)))
struct KilledProcessTests {
  /// A device process, its file, its log and its line.
  private final class Device {
    let file: String
    let log: String
    let principal: String
    let proxy: SyncProxy
    private let socket: String
    private let window: Int
    var process: LineProcess

    init(_ name: String, of principal: String, in folder: String, server: String, window: Int) throws {
      (file, log, socket) = ("\(folder)/\(name).db", "\(folder)/\(name).log", "\(folder)/\(name).sock")
      (self.principal, self.window) = (principal, window)
      proxy = try SyncProxy(at: socket, to: server)
      if !FileManager.default.fileExists(atPath: log) { _ = FileManager.default.createFile(atPath: log, contents: nil) }
      process = try Self.start(file, socket, log, principal, "\(window)")
    }

    private static func start(
      _ file: String, _ socket: String, _ log: String, _ principal: String, _ more: String...
    ) throws -> LineProcess {
      try LineProcess([try Product.path("sync-peer"), "device", file, socket, log, principal] + more, mergesErrors: true)
    }

    func restart() throws { process = try Self.start(file, socket, log, principal, "\(window)") }

    /// Starts it again without a user, and waits until it has all entries.
    func follow() async throws {
      process = try Self.start(file, socket, log, principal, "\(window)", "quiet")
      try await finish()
    }

    /// Ends the user's changes, and waits until everything is decided.
    func finish() async throws {
      process.say("finish")
      let last = await process.line { $0 == "done" || $0.hasPrefix("failed") }
      guard last == "done" else { throw Failure(description: "\(file): \(process.lines)") }
      process.child.wait()
    }
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static func startServer(_ file: String, _ socket: String, window: Int) async throws -> LineProcess {
    try await start("server", file, socket, "\(window)")
  }

  private static func start(_ arguments: String...) async throws -> LineProcess {
    let server = try LineProcess([try Product.path("sync-peer")] + arguments, mergesErrors: true)
    guard await server.line(where: { $0 == "ready" }) != nil else { throw Failure(description: "\(server.lines)") }
    return server
  }

  /// Copies the files of a device that does not run: the database, its log and its shared memory, as a backup of the folder does.
  private static func copy(_ file: String, to other: String) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file + suffix) {
      try FileManager.default.copyItem(atPath: file + suffix, toPath: other + suffix)
    }
  }

  @Test("lose, double and reorder nothing, with copies of files in parallel: checked by SQL and the devices' logs")
  func rounds() async throws { try await run(window: 1_000, compacts: false) }

  @Test("lose, double and reorder nothing while another process compacts the server's file, and is killed, too")
  func compacted() async throws { try await run(window: 20, compacts: true) }

  /// - Parameters:
  ///   - window: The undo window.
  ///   - compacts: Whether a process compacts the server's file all the time.
  private func run(window: Int, compacts: Bool) async throws {
    let rounds = Effort.count(short: 10, full: 200)
    let folder = try Folder()
    let (serverFile, serverSocket) = (folder.path("server.db"), folder.path("server.sock"))
    let files = SyncFiles(server: serverFile)
    var server = try await Self.startServer(serverFile, serverSocket, window: window)
    var command = compacts ? try await Self.start("compact", serverFile) : nil
    var devices = try ["ann", "ann", "bob"].enumerated().map { number, principal in
      try Device("device\(number)", of: principal, in: folder.path, server: serverSocket, window: window)
    }
    var copies = 0
    var kills: [String: Int] = [:]
    for round in 0..<rounds {
      let victim = Int.random(in: 0...(compacts ? 4 : 3))
      let moment = SyncProxy.Moment.allCases[Int.random(in: 0..<4)]
      // Any device's message may be in flight when the server is killed.
      let device = victim >= 3 ? devices[Int.random(in: 0..<devices.count)] : devices[victim]
      let child = victim == 4 ? command?.child ?? server.child : victim == 3 ? server.child : device.process.child
      await device.proxy.interrupt(at: moment) { child.end(SIGKILL) }
      kills["\(victim == 4 ? "command" : victim == 3 ? "server" : "device") \(moment)", default: 0] += 1
      if victim == 3 {
        server = try await Self.startServer(serverFile, serverSocket, window: window)
        continue
      }
      if victim == 4 {
        command = try await Self.start("compact", serverFile)
        #expect(try files.serverProblems() == [])
        continue
      }
      // With SQL, a look at the file as the kill has left it. The command recovers it as any process does.
      let copy = folder.path("copy\(copies)")
      let isCopied = round % 4 == 1
      if isCopied { try Self.copy(device.file, to: copy + ".db") }
      let problems = try files.problems(of: device.file, log: device.log)
      #expect(problems.isEmpty, "round \(round), \(device.file)")
      try device.restart()
      guard isCopied else { continue }
      // The former copy ends, so that at most one runs beside the three devices.
      if devices.count > 3 { try await devices[devices.count - 1].finish() }
      let extra = try Device("copy\(copies)", of: device.principal, in: folder.path, server: serverSocket, window: window)
      if devices.count > 3 { devices[3] = extra } else { devices.append(extra) }
      copies += 1
    }
    for device in devices { device.process.say("finish") }
    for device in devices { try await device.finish() }
    // No one makes changes any more.
    for device in devices { try await device.follow() }
    command?.closeInput()
    if let command { #expect(command.child.wait() == 0, "\(command.lines.suffix(3))") }
    server.closeInput()
    #expect(server.child.wait() == 0)
    #expect(try files.serverProblems() == [])
    var (acknowledged, refused) = (0, 0)
    for device in devices {
      let problems = try files.finalProblems(of: device.file, log: device.log)
      #expect(problems.isEmpty, "\(device.file)")
      let counts = try files.counts(log: device.log)
      (acknowledged, refused) = (acknowledged + counts.acknowledged, refused + counts.refused)
    }
    // No kill leaves a file that a verification calls damaged.
    for file in [serverFile] + devices.map(\.file) {
      let journal = try await SQLiteJournal(at: file, isReadOnly: true)
      await #expect(throws: Never.self, "\(file)") { _ = try await journal.verify() }
      await journal.close()
    }
    guard !compacts else {
      let floors = try (files.floors(of: serverFile), devices.map { try files.floors(of: $0.file).floor })
      #expect(floors.0.floor > 0 && floors.0.runs > 0)
      #expect(acknowledged > rounds && refused > 0)
      print("\(rounds) kills \(kills), compacted up to \(floors.0), mirrors begin at \(floors.1), \(acknowledged) changes")
      return
    }
    // The checks find what they are for.
    let device = devices[0]
    for (damage, isOfServer, law) in [
      ("DELETE FROM entries WHERE revision = 3", false, "gaps"),
      ("UPDATE entries SET payload = payload || ' ' WHERE revision = 3", false, "does not have"),
      ("DELETE FROM entries WHERE revision = (SELECT max(revision) FROM entries)", false, "its head"),
      ("UPDATE entries SET sequence = sequence + 1000000 WHERE kind <> 'initial'", true, "exactly one verdict"),
      (
        "UPDATE entries SET kind = CASE kind WHEN 'refused' THEN 'changes' ELSE 'refused' END, payload = '{\"code\":\"x\"}'", true,
        "told verdicts"
      ),
      ("UPDATE entries SET revision = -revision", true, "another order"),
    ] {
      let found = try files.problems(of: device.file, log: device.log, after: damage, isOfServer: isOfServer)
      #expect(found.contains { $0.contains(law) }, "\(damage): \(found)")
    }
    // Law 6 at the end: every mirror is the server's journal. A run without changes or refusals would show nothing.
    #expect(acknowledged > rounds && refused > 0)
    print("\(rounds) kills \(kills), \(copies) copies, \(acknowledged) acknowledged changes, \(refused) told refusals")
  }
}
