import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program `sync-load`, which lies beside this one: each of its runs is a process of its own. Nil if it is not built.
let syncLoad: String? = {
  let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
  let path = own.deletingLastPathComponent().appendingPathComponent("sync-load").path
  return FileManager.default.isExecutableFile(atPath: path) ? path : nil
}()

/// Runs `sync-load`, and returns the figures that it tells.
func runSyncLoad(_ arguments: [String]) -> [String: Double] {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: syncLoad ?? "")
  process.arguments = arguments
  process.standardOutput = output
  do { try process.run() } catch { fatalError("'sync-load' can't be started: \(error)") }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  var figures: [String: Double] = [:]
  for line in text.split(separator: "\n") {
    let parts = line.split(separator: "=")
    if parts.count == 2, let value = Double(parts[1]) { figures[String(parts[0])] = value } else { note(String(line)) }
  }
  guard process.terminationStatus == 0 else { fatalError("'sync-load \(arguments.joined(separator: " "))' has failed: \(text)") }
  return figures
}

/// A server of the sync works in a process of its own, with a folder or a database of its own.
final class SyncServerProcess {
  let folder: String
  private let process = Process()
  private let input = Pipe()
  private let port: Int

  /// - Parameters:
  ///   - command: `serve`, or `hand` for the server written by hand.
  ///   - database: The address of a PostgreSQL database; nil for a folder with SQLite files.
  ///   - stores: The most stores that are open at once; nil for the program's default.
  init(_ command: String = "serve", database: String? = nil, stores: Int? = nil) {
    folder = runFolder.appendingPathComponent("sync-\(UUID().uuidString)").path
    process.executableURL = URL(fileURLWithPath: syncLoad ?? "")
    process.arguments =
      [command] + (database.map { ["--postgres", $0] } ?? ["--folder", folder]) + (stores.map { ["--stores", "\($0)"] } ?? [])
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    var text = Data()
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try process.run()
    } catch { fatalError("The server of the sync works can't be started: \(error)") }
    while !text.contains(10) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { fatalError("The server of the sync works has ended.") }
      text += more
    }
    port = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
  }

  /// Runs a command against the server.
  func run(_ command: String, _ arguments: [String: String] = [:]) -> [String: Double] {
    runSyncLoad(
      [command, "--port", "\(port)", "--server", "\(process.processIdentifier)"]
        + arguments.sorted { $0.key < $1.key }.flatMap {
          ["--" + $0.key, $0.value]
        })
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// The result of a measurement that several works show.
final class Once<Value> {
  private var value: Value?
  private let measure: () -> Value

  init(_ measure: @escaping () -> Value) { self.measure = measure }

  var result: Value {
    if let value { return value }
    let new = measure()
    value = new
    return new
  }
}
