import Alter
import AlterJournal
import AlterSyncCore
import AlterSyncServer
import AlterTesting
import Foundation
import StockModel
import Testing

@Suite("Pushes that wait for one another", .timeLimit(.minutes(30)))
struct GroupedPushTests {
  /// A served journal whose server is deciding a push while others wait.
  private struct Crowd {
    let journal: FlakyJournal
    let server: JournalServer<Stock>
    private let policy = StockPolicy()

    /// - Parameter count: The number of entries that another server has appended before.
    init(after count: Int64 = 0) async throws {
      let base = MemoryJournal()
      try await ServedStock.begin(base)
      if count > 0 {
        var first = Asker()
        _ = try await first.push((1...count).map { SyncDraft(9, $0, .add) }, to: ServedStock.server(base))
      }
      journal = FlakyJournal(base)
      server = ServedStock.server(journal, policy: policy)
    }

    /// Pushes other drafts while the server decides a first push, of the draft 1 of origin 1.
    ///
    /// - Parameter meanwhile: Runs when all wait, and the first push is not decided yet.
    func push(
      _ others: [(asker: Asker, drafts: [SyncDraft])], meanwhile: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> [Result<Page, any Error>] {
      let (asked, gate) = (Waiter<Void>(), Waiter<Void>())
      policy.pause.withLock { pause in
        pause = { id in
          guard id == EntryID(1, 1) else { return }
          asked.finish(())
          _ = await gate.value()
        }
      }
      return try await withThrowingTaskGroup(of: (Int, Result<Page, any Error>).self) { [server] group in
        group.addTask {
          var ann = Asker()
          return (0, .success(try await ann.push([SyncDraft(1, 1, .claim(1))], to: server)))
        }
        _ = await asked.value()
        for (number, other) in others.enumerated() {
          group.addTask {
            var asker = other.asker
            do {
              return (number + 1, .success(try await asker.push(other.drafts, to: server)))
            } catch {
              return (number + 1, .failure(error))
            }
          }
          // One after the other, so that they wait in this order.
          while await server.waitingPushes < number + 2 { await Task.yield() }
        }
        try await meanwhile()
        gate.finish(())
        var results: [Int: Result<Page, any Error>] = [:]
        for try await (number, result) in group { results[number] = result }
        return results.sorted { $0.key < $1.key }.map(\.value)
      }
    }
  }

  private static func verdicts(_ result: Result<Page, any Error>) throws -> [Verdict] { try result.get().lines.map(\.verdict) }

  @Test("are decided in one transaction, each with its own verdicts and in its own order")
  func together() async throws {
    let crowd = try await Crowd()
    let results = try await crowd.push([
      (Asker(.bob), [SyncDraft(2, 1, .claim(2)), SyncDraft(2, 2, .claim(9))]),
      (Asker(.ann), [SyncDraft(3, 1, .claim(2)), SyncDraft(3, 2, .claim(3))]),
    ])
    #expect(crowd.journal.appends.withLock { $0 } == 2)
    #expect(try Self.verdicts(results[0]) == [.accepted(2)])
    #expect(try Self.verdicts(results[1]) == [.accepted(3), .refused(.denied, at: 4)])
    #expect(try Self.verdicts(results[2]) == [.refused(.refused, at: 5), .accepted(6)])
  }

  @Test("fail alone if what they ask can't be read")
  func problem() async throws {
    let crowd = try await Crowd(after: 4)
    // A device in the middle of the journal, where the server must read an entry.
    var device = Asker(.bob)
    let entries = try await crowd.journal.entries(after: 2, limit: 2)
    device.position = Head(journal: try await crowd.journal.head().journal, revision: 3, checksum: entries[0].checksum)
    crowd.journal.entryFailure.withLock { $0 = JournalError(.failed, journal: "flaky", message: "cannot be read.") }
    let results = try await crowd.push([(device, [SyncDraft(2, 1, .add)]), (Asker(.ann), [SyncDraft(3, 1, .add)])])
    #expect(throws: JournalError.self) { try results[1].get() }
    #expect(try Self.verdicts(results[2]) == [.accepted(7)])
    crowd.journal.entryFailure.withLock { $0 = nil }
    // Nothing of the failed push was written.
    #expect(try await crowd.journal.head().revision == 7)
    let again = try await device.push([SyncDraft(2, 1, .add)], to: crowd.server)
    #expect(again.lines.map(\.verdict) == [.accepted(8)])
  }

  @Test("have a transaction of their own if their drafts are large")
  func large() async throws {
    let crowd = try await Crowd()
    func draft(_ origin: UInt8) -> SyncDraft {
      let spaces = Data(repeating: 0x20, count: 600 << 10)
      return SyncDraft(id: EntryID(origin, 1), time: 0, content: .changes(Stock.bytes([.add]) + spaces))
    }
    let results = try await crowd.push([(Asker(), [draft(2)]), (Asker(), [draft(3)]), (Asker(), [SyncDraft(4, 1, .add)])])
    for (number, result) in results.enumerated() { #expect(try Self.verdicts(result) == [.accepted(Revision(Int64(number) + 2))]) }
    // The first one; the second; the third and the fourth together.
    #expect(crowd.journal.appends.withLock { $0 } == 3)
  }
}
