import AlterCore
import Foundation

/// A PostgreSQL server for the tests, in a temporary folder. It listens on a socket in that folder and uses no port.
///
/// A watchdog stops the server and removes the folder when this process ends, however it ends.
public final class TestServer: Sendable {
  /// The folder of the server's programs: Debian's, Homebrew's, or one in `PATH`.
  public static let programs: String? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let debian = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "/usr/lib/postgresql/\($0)/bin" }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (debian + ["/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"] + path).first {
      FileManager.default.isExecutableFile(atPath: $0 + "/initdb") && FileManager.default.isExecutableFile(atPath: $0 + "/pg_ctl")
    }
  }()

  /// Whether these tests run. Without a server they are skipped with a message. With `CI=true` they fail instead.
  public static let isExpected: Bool = {
    if programs != nil || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    print("SKIPPED: the tests of AlterPostgres need a PostgreSQL server's programs (initdb, pg_ctl); script/test says what to install.")
    return false
  }()

  /// The error of a missing server.
  public struct Missing: Error, CustomStringConvertible {
    /// The message.
    public let description = "initdb and pg_ctl are not installed, and CI=true: script/test installs them"
  }

  private static let sharedResult = Result { try TestServer() }

  /// The server shared by all tests that don't stop it.
  public static func shared() throws -> TestServer { try sharedResult.get() }

  /// The folder of the data and the socket.
  public let folder: String
  private let programs: String
  private let asUser: [String]

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - primary: The server to follow, if this one is a standby.
  ///   - more: Further lines of its configuration.
  public init(standbyOf primary: TestServer? = nil, settings more: String...) throws {
    guard let programs = Self.programs else { throw Missing() }
    self.programs = programs
    // The path of a socket may have only about a hundred characters.
    folder = "/tmp/alter-postgres-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    asUser = geteuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] : []
    if geteuid() == 0 { try Child.run(["/bin/chown", "postgres", folder]) }
    try Self.watch(folder, stopping: asUser + ["\(programs)/pg_ctl", "-D", "\(folder)/data", "-s", "-m", "immediate", "stop"])
    if let primary {
      try run("pg_basebackup", "-D", "\(folder)/data", "-R", "-X", "stream", "-c", "fast", "-h", primary.folder, "-U", "alter")
    } else {
      try run("initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "alter", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
    }
    try Child.run(["/bin/chmod", "711", folder])
    let settings = ["listen_addresses=''", "unix_socket_directories='\(folder)'", "fsync=off", "max_connections=1500"] + more
    try Child.run(asUser + ["/bin/sh", "-c", "printf '%s\\n' \"$@\" >>\(folder)/data/postgresql.conf", "sh"] + settings)
    try Child.run(control("start"))
  }

  /// Stops the server when this process has ended. The pipe then has no writer any more, because no child inherits it.
  private static func watch(_ folder: String, stopping command: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    let script = "trap '' INT TERM HUP; read -r _; cd /; \"$@\"; rm -rf \(folder)"
    let watchdog = try Child(["/bin/sh", "-c", script, "sh"] + command, input: ends[0])
    watchdogs.withLock { $0.append(watchdog) }
    close(ends[0])
  }

  /// The watchdogs live as long as this process.
  private static let watchdogs = Lock<[Child]>([])

  /// Runs one of the server's programs.
  @discardableResult
  public func run(_ program: String, _ arguments: String...) throws -> String {
    try Child.run(asUser + ["\(programs)/\(program)"] + arguments)
  }

  /// Starts the server after a stop.
  public func start() async throws { try await Child(control("start")).end() }

  /// Stops the server as a power loss would, except that the system's disk cache survives.
  public func stop(_ mode: String = "immediate") async throws { try await Child(control("stop", "-m", mode)).end() }

  private func control(_ words: String...) -> [String] {
    asUser + ["\(programs)/pg_ctl", "-D", "\(folder)/data", "-w", "-s", "-l", "\(folder)/data/log"] + words
  }

  /// Runs SQL as the server's superuser, with `psql`.
  @discardableResult
  public func sql(_ text: String, database: String = "postgres", user: String = "alter") async throws -> String {
    try await Child(psql(database: database, user: user) + ["-c", text]).end()
  }

  /// The command that runs SQL from its input.
  public func psql(database: String = "postgres", user: String = "alter") -> [String] {
    ["\(programs)/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", user, "-d", database]
  }

  /// The server's log so far.
  public func log() throws -> String { try Child.run(["/bin/cat", "\(folder)/data/log"]) }

  /// Creates a database for one test.
  ///
  /// - Parameter options: Further clauses of `CREATE DATABASE`.
  public func database(_ options: String = "") async throws -> String {
    let name = "test_\(UUID().uuidString.prefix(8).lowercased())"
    try await sql("CREATE DATABASE \(name) \(options)")
    return name
  }
}
