import Foundation
import NIOConcurrencyHelpers
import ProcessTesting

/// Ten device processes and two server processes over one PostgreSQL database, and the network between them.
final class FaultFleet {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// A device process, its file, its log and its line.
  final class Device {
    let number: Int
    var token: String { "token\(number)" }
    let principal: String
    let line: FaultLine
    var checked: FaultFiles.Device
    private(set) var process: LineProcess
    var file: String { checked.file }

    init(_ number: Int, of principal: String, in folder: String, network: FaultNetwork) throws {
      self.number = number
      self.principal = principal
      checked = FaultFiles.Device(file: "\(folder)/device\(number).db", log: "\(folder)/device\(number).log")
      line = try FaultLine(number, of: network)
      _ = FileManager.default.createFile(atPath: checked.log, contents: nil)
      process = try Self.start(checked, line.port, principal, "token\(number)")
    }

    private static func start(_ checked: FaultFiles.Device, _ port: Int, _ principal: String, _ token: String) throws -> LineProcess {
      try LineProcess(
        [try Product.path("sync-fault-peer"), "device", checked.file, "http://127.0.0.1:\(port)/sync", checked.log, principal, token],
        mergesErrors: true)
    }

    func restart() throws { process = try Self.start(checked, line.port, principal, token) }

    /// Waits for a line that begins with a word.
    @discardableResult
    func says(_ word: String) async throws -> String {
      let line = await process.line { $0.hasPrefix(word) || $0.hasPrefix("failed") }
      guard let line, line.hasPrefix(word) else {
        throw Failure(description: "device \(number) did not say '\(word)': \(process.lines.prefix(60).joined(separator: "\n"))")
      }
      return line
    }
  }

  static let principals = ["ann", "ann", "ann", "ann", "bob", "bob", "bob", "cay", "cay", "cay"]

  let folder: String
  let postgres: TestServer
  let files: FaultFiles
  let network = FaultNetwork()
  let databaseLine: DatabaseLine
  private(set) var devices: [Device] = []
  /// The devices that have ended, and the copies among them.
  private(set) var ended: [FaultFiles.Device] = []
  private let servers = NIOLockedValueBox<[LineProcess?]>([nil, nil])
  private var tokens: [String: String] = [:]
  private var count = 0

  /// - Parameters:
  ///   - folder: An empty folder.
  ///   - postgres: A PostgreSQL server that this fleet may stop.
  init(in folder: String, over postgres: TestServer) async throws {
    (self.folder, self.postgres) = (folder, postgres)
    files = FaultFiles(server: postgres, database: try await postgres.database(), folder: folder)
    try FileManager.default.createDirectory(atPath: folder + "/db", withIntermediateDirectories: true)
    let socket = "/.s.PGSQL.5432"
    databaseLine = try DatabaseLine(at: folder + "/db" + socket, to: postgres.folder + socket)
    try writeTokens()
    for index in 0..<2 { try await startServer(index) }
    for principal in Self.principals { try addDevice(of: principal) }
    for device in devices { try await device.says("ready") }
  }

  // MARK: Devices

  @discardableResult
  func addDevice(of principal: String, copying original: Device? = nil) throws -> Device {
    let number = count
    count += 1
    tokens["token\(number)"] = principal
    try writeTokens()
    if let original {
      for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: original.file + suffix) {
        try FileManager.default.copyItem(atPath: original.file + suffix, toPath: "\(folder)/device\(number).db\(suffix)")
      }
      original.checked.isCopied = true
    }
    let device = try Device(number, of: principal, in: folder, network: network)
    device.checked.isCopied = original != nil
    devices.append(device)
    return device
  }

  /// Ends a device in order.
  func end(_ device: Device) async throws {
    device.process.say("finish")
    try await device.says("done")
    device.process.child.wait()
    devices.removeAll { $0 === device }
    device.checked.hasEnded = true
    ended.append(device.checked)
  }

  /// Says a command to all devices.
  func tell(_ command: String) { for device in devices { device.process.say(command) } }

  /// Says a command to all devices, and waits for their answers.
  @discardableResult
  func ask(_ command: String, until word: String) async throws -> [String] {
    tell(command)
    var answers: [String] = []
    for device in devices { answers.append(try await device.says(word)) }
    return answers
  }

  // MARK: Tokens

  /// Revokes the token of a device, or gives it again.
  func setValid(_ device: Device, _ isValid: Bool) throws {
    tokens[device.token] = isValid ? device.principal : nil
    try writeTokens()
  }

  /// Returns a closure that revokes the token of a device, for a thread of the network.
  func revocation(of device: Device) -> @Sendable () -> Void {
    let rest = Self.text(tokens.filter { $0.key != device.token })
    let path = folder + "/tokens"
    tokens[device.token] = nil
    return { try? rest.write(toFile: path, atomically: true, encoding: .utf8) }
  }

  private func writeTokens() throws { try Self.text(tokens).write(toFile: folder + "/tokens", atomically: true, encoding: .utf8) }

  private static func text(_ tokens: [String: String]) -> String { tokens.map { "\($0.key) \($0.value)\n" }.joined() }

  // MARK: Servers

  func startServer(_ index: Int) async throws {
    let database = "host=\(folder)/db user=alter dbname=\(files.database)"
    let server = try LineProcess([try Product.path("sync-fault-peer"), "server", database, folder + "/tokens"], mergesErrors: true)
    let line = await server.line { $0.hasPrefix("ready") || $0.hasPrefix("failed") }
    guard let port = line?.split(separator: " ").last.flatMap({ Int($0) }) else { throw Failure(description: "\(server.lines)") }
    servers.withLockedValue { $0[index] = server }
    network.setServer(index, port: port)
  }

  /// Returns a closure that kills some servers, for a thread of the network.
  func killing() -> @Sendable (_ indices: [Int]) -> Void {
    { [servers, network] indices in
      for index in indices {
        network.setServer(index, port: nil)
        servers.withLockedValue { $0[index] }?.child.end(SIGKILL)
      }
    }
  }

  // MARK: The operator

  /// A copy of the database.
  func dump() async throws {
    let text = try await Child([
      "\(TestServer.programs ?? "")/pg_dump", "-h", postgres.folder, "-U", "alter", "-d", files.database,
    ]).end()
    try (text + "\n").write(toFile: folder + "/dump.sql", atomically: true, encoding: .utf8)
  }

  /// Ends all connections of servers to the database, and waits for their end.
  func endConnections() async throws {
    try await postgres.sql(
      "SELECT count(pg_terminate_backend(pid, 600000)) FROM pg_stat_activity WHERE datname = '\(files.database)'")
  }

  /// Replaces the database by its copy.
  func restore() async throws {
    try await postgres.sql("DROP DATABASE \(files.database) WITH (FORCE)")
    try await postgres.sql("CREATE DATABASE \(files.database)")
    try await Child(postgres.psql(database: files.database) + ["-o", "/dev/null", "-f", folder + "/dump.sql"]).end()
  }

  /// Runs an operator's command on the database.
  func run(_ command: String, _ arguments: String...) async throws -> String {
    let database = "host=\(postgres.folder) user=alter dbname=\(files.database)"
    return try await Child([try Product.path("sync-fault-peer"), command, database] + arguments).end()
  }
}
