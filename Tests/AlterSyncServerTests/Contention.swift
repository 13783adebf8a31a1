import Alter
import AlterJournal
import AlterSyncCore
import AlterSyncServer
import StockModel
import Testing

/// Several servers of one journal, and devices that push to all of them at the same time.
enum Contention {
  /// Lets a server for each handle on a journal, which was just begun, answer six devices at the same time. Each push is repeated until it is
  /// decided, as after a lost answer.
  static func run(_ journals: [some ServerJournal], trouble: (@Sendable (Int) async throws -> Void)? = nil) async throws {
    let servers = journals.map { ServedStock.server($0) }
    let verdicts = try await withThrowingTaskGroup(of: [VerdictLine].self) { group in
      for device in 0..<6 as Range<UInt8> {
        group.addTask {
          var asker = Asker(device % 2 == 0 ? .ann : .bob)
          var lines: [VerdictLine] = []
          for push in 0..<8 as Range<Int64> {
            if device == 0 { try await trouble?(Int(push)) }
            let drafts = (1...3 as ClosedRange<Int64>).map { SyncDraft(device + 1, push * 3 + $0, .claim(Int(push * 3 + $0) + 10)) }
            let server = servers[(Int(device) + Int(push)) % servers.count]
            // After a conflict a server decides a part of the push.
            var rest = drafts[...]
            while !rest.isEmpty {
              let told = try await Self.patiently(trouble != nil) { try await asker.push(Array(rest), to: server).lines }
              lines += told
              rest = rest.dropFirst(told.count)
            }
            // A repeated push, to another server: its answer was lost.
            let again = try await Self.patiently(trouble != nil) {
              try await asker.push(drafts, to: servers[Int(device) % servers.count]).lines
            }
            guard again == Array(lines.suffix(3)) else { throw Unexpected(answer: "another verdict") }
          }
          return lines
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(verdicts.count == 6 * 24)
    // Each slot is claimed once, by whichever device was first.
    #expect(verdicts.count { if case .accepted = $0.verdict { true } else { false } } == 24)
    #expect(Set(verdicts.compactMap(\.verdict.revision)).count == 6 * 24)
    #expect(try await journals[0].verify().revision.number == 6 * 24 + 1)
    for server in servers { await server.close() }
  }

  /// Repeats a call after errors, if there is trouble.
  private static func patiently<Result>(_ isTroubled: Bool, _ body: () async throws -> Result) async throws -> Result {
    while true {
      do { return try await body() } catch  where isTroubled && !Task.isCancelled { await Task.yield() }
    }
  }
}
