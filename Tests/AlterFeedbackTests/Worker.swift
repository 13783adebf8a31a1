#if SQLite
  import Foundation
  import ProcessTesting

  /// A `feedback-worker` process, whose output is read line by line.
  final class Worker: Sendable {
    private let process: LineProcess

    init(_ path: String, lease: Int = 1_000) throws { process = try LineProcess([Product.path("feedback-worker"), path, "\(lease)"]) }

    /// Waits for the n-th line with this prefix. Nil if the process ends first.
    func line(_ prefix: String, _ number: Int = 1) async -> String? {
      let known = process.lines.filter { $0.hasPrefix(prefix) }
      var last = known.prefix(number).last
      for _ in 0..<max(number - known.count, 0) { last = await process.line { $0.hasPrefix(prefix) } }
      return last
    }

    /// The number of lines with this prefix so far.
    func count(_ prefix: String) -> Int { process.lines.count { $0.hasPrefix(prefix) } }

    func say(_ line: String) { process.say(line) }

    func signal(_ number: Int32) { process.child.signal(number) }

    /// Kills the process and waits for its end.
    func end() { process.child.end() }

    /// Asks the process to end in order, and reads its remaining output.
    func close() {
      say("close")
      process.readLines()
      process.child.wait()
    }
  }
#endif
