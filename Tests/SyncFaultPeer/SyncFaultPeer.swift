import Foundation
import TillModel

/// The processes of the rounds of faults: servers over one PostgreSQL database, devices over HTTP, and the commands of an operator.
///
/// ```
/// sync-fault-peer server DATABASE TOKENS
/// sync-fault-peer device FILE URL LOG PRINCIPAL TOKEN
/// sync-fault-peer recover DATABASE FILE
/// sync-fault-peer discard DATABASE
/// sync-fault-peer till-server FOLDER PORT BOOKS before|after|answer|never
/// sync-fault-peer till FILE URL PRINCIPAL pay|take-back|redo|wait
/// ```
@main
struct SyncFaultPeer {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      #if SyncServer && Postgres && SQLite
        switch (arguments.first, arguments.count) {
        case ("server", 3): try await ServerProgram.run(database: arguments[1], tokens: arguments[2])
        case ("device", 6): try await DeviceProgram(Array(arguments.dropFirst())).run()
        case ("recover", 3): try await OperatorProgram.recover(arguments[1], from: arguments[2])
        case ("discard", 2): try await OperatorProgram.discard(arguments[1])
        case ("till-server", 5):
          try await TillServer.run(
            in: arguments[1], port: Int(arguments[2]) ?? 0, bank: TillServer.Bank(books: Books(arguments[3]), dies: arguments[4]))
        case ("till", 5): try await TillDevice.run(arguments[1], arguments[2], arguments[3], arguments[4])
        default: throw PeerError("usage: see the source")
        }
      #else
        throw PeerError("built without the traits SyncServer, Postgres and SQLite")
      #endif
    } catch {
      say("failed: \(error)")
      exit(1)
    }
  }
}

struct PeerError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Writes a line to the standard output at once.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}
