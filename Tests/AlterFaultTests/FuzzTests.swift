#if SQLite
  import Foundation
  import FuzzTargets
  import ProcessTesting
  import Testing

  extension Accidents {
    /// Feeds slightly damaged bytes to every parser, in a separate process whose exit status reveals a trap, a hang or excessive memory.
    /// `script/fuzz` runs longer and is guided by coverage.
    @Suite("Bytes that are a little wrong", .timeLimit(.minutes(60))) struct FuzzTests {
      static let count = Effort.count(short: 300, full: 20_000)
      static let seed = ProcessInfo.processInfo.environment["ALTER_SEED"].flatMap { UInt64($0) } ?? 0x5EED_F022

      @Test("are refused or read, without a trap, a hang or memory without bound", arguments: FuzzTarget.all.map(\.name))
      func bytes(_ target: String) throws {
        let writer = try faultWriter("fuzz", target, "\(Self.seed)", "0", "\(Self.count)")
        var last = ""
        while let line = writer.readLine() {
          if line.hasPrefix("surprise") { Issue.record("input \(last), seed \(Self.seed): \(line)") }
          last = line
        }
        let status = writer.child.wait()
        #expect(
          status == 0 && last == "done",
          "input \(last) ended the process with \(status): fault-writer fuzz '\(target)' \(Self.seed) \(last) 1")
      }
    }
  }
#endif
