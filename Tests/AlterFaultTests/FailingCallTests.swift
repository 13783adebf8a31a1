#if SQLite
  import Foundation
  import ProcessTesting
  import Testing

  extension Faults {
    /// Makes the first call of a kind fail, then the second, and so on, until the scenario ends before the n-th call. The short run tries
    /// the first ten calls and then every 64th. `Tests/FaultWriter` plays the scenarios. Afterwards no call fails any more, and it
    /// checks the journal: the journal opens and verifies, contains every acknowledged batch, contains other batches only as a whole, and
    /// can be written and backed up.
    @Suite(
      "A failing system call", .timeLimit(.minutes(60)),
      .enabled(if: Faults.canInterpose, "SKIPPED: calls can be interposed on Linux alone, and not under a sanitizer"))
    struct FailingCallTests {
      /// The way in which a call fails.
      enum Failure: String, CaseIterable, Sendable {
        case io = "EIO once"
        case ioOnward = "EIO onward"
        case full = "ENOSPC once"
        case fullOnward = "ENOSPC onward"
        case half = "EIO short"
        case halfThenFull = "ENOSPC short"
        case interrupted = "EINTR once"
      }

      static let kinds = ["open", "read", "write", "sync", "truncate", "rename", "unlink", "look", "lock", "map"]

      @Test(
        "is an error of the journal or goes unnoticed; it is never a trap or a hang, and takes nothing that was acknowledged",
        arguments: ["new", "old", "store", "device"], kinds)
      func each(_ scenario: String, _ kind: String) throws {
        var summary: [String] = []
        for failure in Failure.allCases {
          // A partial write is possible only for writes. The consequences of a full disk and of an interruption are tested for all calls.
          if failure.rawValue.hasSuffix("short"), kind != "write" { continue }
          // SQLite treats a failing lock as one that another process holds, and waits for it. The test would take hours.
          if failure.rawValue.hasSuffix("onward"), kind == "lock" { continue }
          // Combinations that only the full run includes.
          if !Effort.isFull, !short(scenario).contains(failure) { continue }
          // A full disk fails the calls that need space.
          if !Effort.isFull, failure.rawValue.hasPrefix("ENOSPC"), ["read", "look", "lock", "unlink"].contains(kind) { continue }
          let folder = try Folder(inMemory: true)
          let words = failure.rawValue.split(separator: " ").map(String.init)
          let writer = try faultWriter("fail", scenario, kind, words[0], words[1], "\(Effort.count(short: 64, full: 1))", folder.path)
          let lines = writer.readLines()
          let status = writer.child.wait()
          #expect(status == 0, "\(failure.rawValue): the process ended with \(status) in call \(folder.contents)")
          for line in lines where line.hasPrefix("violation") { Issue.record("\(scenario), \(kind), \(failure.rawValue): \(line)") }
          summary.append("\(failure.rawValue): \(lines.last ?? "")")
        }
        print(summary.map { "failing \(kind), \(scenario), \($0)" }.joined(separator: "\n"))
      }

      private func short(_ scenario: String) -> [Failure] {
        switch scenario {
        case "new": [.io, .full, .fullOnward, .half]
        case "old": [.io]
        case "device": [.io, .full]
        default: [.io, .fullOnward]
        }
      }
    }
  }
#endif
