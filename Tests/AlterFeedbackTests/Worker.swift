#if SQLite
  import Foundation
  import ProcessTesting

  /// A `feedback-worker` process, line by line.
  final class Worker: Sendable {
    private let process: LineProcess

    init(_ path: String, lease: Int = 1_000) throws { process = try LineProcess([Product.path("feedback-worker"), path, "\(lease)"]) }

    /// Waits for the n-th line that starts so. Nil when the process ends without.
    func line(_ prefix: String, _ number: Int = 1) async -> String? {
      let known = process.lines.filter { $0.hasPrefix(prefix) }
      var last = known.prefix(number).last
      for _ in 0..<max(number - known.count, 0) { last = await process.line { $0.hasPrefix(prefix) } }
      return last
    }

    /// How many lines have come that start so.
    func count(_ prefix: String) -> Int { process.lines.count { $0.hasPrefix(prefix) } }

    func say(_ line: String) { process.say(line) }

    func signal(_ number: Int32) { process.child.signal(number) }

    /// Kills it, and waits until it is gone.
    func end() { process.child.end() }

    /// Asks it to end in good order, and reads what it still says.
    func close() {
      say("close")
      process.readLines()
      process.child.wait()
    }
  }
#endif
