#if SQLite
  import Foundation
  import ProcessTesting
  import Testing

  extension Faults {
    /// The first call of a kind fails, then the second, and so on, until everything is done before the n-th call is made. `Tests/FaultWriter` plays
    /// the scenarios, and looks afterwards, when nothing fails any more: the journal opens, verifies, holds every acknowledged batch, whole
    /// batches besides at most, and can be written and backed up.
    @Suite(
      "A failing system call", .timeLimit(.minutes(60)),
      .enabled(if: Faults.canInterpose, "SKIPPED: calls can be interposed on Linux alone, and not under a sanitizer"))
    struct FailingCallTests {
      /// How a call fails.
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
        arguments: ["new", "old", "store"], kinds)
      func each(_ scenario: String, _ kind: String) throws {
        var summary: [String] = []
        for failure in Failure.allCases {
          // Writing half is for writes; what follows a full disk or an interruption is of interest everywhere.
          if failure.rawValue.hasSuffix("short"), kind != "write" { continue }
          // SQLite takes each lock that fails for one that somebody else has, and waits for it: that would take hours.
          if failure.rawValue.hasSuffix("onward"), kind == "lock" { continue }
          // What the short form leaves out.
          if !Faults.isFull, !short(scenario).contains(failure) { continue }
          let folder = try Folder()
          let words = failure.rawValue.split(separator: " ").map(String.init)
          let writer = try faultWriter("fail", scenario, kind, words[0], words[1], folder.path)
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
        default: [.io, .fullOnward]
        }
      }
    }
  }
#endif
