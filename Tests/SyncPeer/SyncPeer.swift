import Foundation

/// The processes of the rounds of kill -9: a server, and devices whose user makes changes all the time.
///
/// ```
/// sync-peer server FILE SOCKET WINDOW
/// sync-peer device FILE SOCKET LOG PRINCIPAL WINDOW [quiet]
/// sync-peer compact FILE
/// ```
///
/// `WINDOW` is the undo window. The third one compacts the server's file again and again, until its input ends.
///
/// A device writes a line into its log as soon as a change is durable, and another one when it learns the verdict. On the line `finish` in its
/// input it makes no more changes, waits until its outbox is empty, and prints `done`. A quiet device makes no changes, and waits until it has
/// all of the server's entries.
@main
struct SyncPeer {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("server", 4): try await ServerProgram.run(file: arguments[1], socket: arguments[2], window: Int(arguments[3]) ?? 0)
      case ("device", 6), ("device", 7):
        let program = try await DeviceProgram(
          file: arguments[1], socket: arguments[2], log: arguments[3], principal: arguments[4], window: Int(arguments[5]) ?? 0)
        try await program.run(isQuiet: arguments.count == 7)
      case ("compact", 2): try await CompactProgram.run(file: arguments[1])
      default: throw PeerError("usage: see the source")
      }
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
