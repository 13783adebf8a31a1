// A process for a test. It writes to stores to which other processes write at the same time.
//
//   ledger-writer write ADDRESS KEY NAME COUNT     makes COUNT changes under NAME, each durable before the next
//   ledger-writer die ADDRESS KEY NAME             makes a change under NAME, and kills itself as soon as it is durable
//   ledger-writer hold ADDRESS KEY                 takes a turn, prints a line, and keeps the turn until it is killed
//   ledger-writer spread ADDRESS NAME KEYS         makes one change under NAME in each of KEYS stores, of which 50 are open at once
//   ledger-writer make ADDRESS SCHEMA              opens a journal in tables that may not exist yet

#if Postgres
  import Alter
  import AlterPostgres
  import Foundation

  /// The numbers of each writer: 1, 2, 3 … without a gap.
  struct Ledger: Journaled, Hashable {
    enum Change: Hashable, Codable { case count(String, Int) }

    private(set) var counts: [String: Int] = [:]

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .count(let writer, let number):
        guard number == counts[writer, default: 0] + 1 else { throw .custom("\(writer) counted \(number) after \(counts[writer] ?? 0)") }
        counts[writer] = number
      }
    }
  }

  @main struct LedgerWriter {
    static func main() async throws {
      let arguments = CommandLine.arguments
      switch (arguments.dropFirst().first, arguments.count) {
      case ("write", 6):
        var options = StoreOptions()
        // Many processes on a busy machine may keep one waiting for long.
        options.outageTimeout = .seconds(600)
        let journal = try await PostgresJournal(at: PostgresServer(arguments[2]), key: arguments[3], lockTimeout: .seconds(600))
        let store = try await Store.open(Ledger(), in: journal, options: options)
        for number in 1...(Int(arguments[5]) ?? 0) { try await store.change(.count(arguments[4], number)).durable() }
        let unwritten = await store.close()
        precondition(unwritten.isEmpty, "Not everything was written.")
      case ("die", 5):
        let store = try await Store.open(Ledger(), in: PostgresJournal(at: PostgresServer(arguments[2]), key: arguments[3]))
        try await store.change(.count(arguments[4], 1)).durable()
        kill(getpid(), SIGKILL)
      case ("hold", 4):
        let journal = try await PostgresJournal(
          at: PostgresServer(arguments[2]), key: arguments[3], lockTimeout: .seconds(600), turnTimeout: .seconds(600))
        let held = try await journal.takeTurn(limit: 10, attempt: 2) { _ in nil }
        print("held")
        fflush(nil)
        while true { _ = withExtendedLifetime(held) { pause() } }
      case ("spread", 5): try await spread(to: arguments[2], as: arguments[3], keys: Int(arguments[4]) ?? 0)
      case ("make", 4):
        let journal = try await PostgresJournal(at: PostgresServer(arguments[2]), schema: arguments[3])
        print(try await journal.head().journal)
        await journal.close()
      default:
        print(
          "usage: ledger-writer write ADDRESS KEY NAME COUNT | die ADDRESS KEY NAME | hold ADDRESS KEY | make ADDRESS SCHEMA | spread ADDRESS NAME KEYS"
        )
      }
    }

    /// Callers that try again after each transient error, as a service's clients do.
    private static func spread(to address: String, as name: String, keys: Int) async throws {
      let places = JournalPlaces.postgres(PostgresServer(address, maximumConnections: 5))
      let stores = Stores(in: places, budget: StoresBudget(stores: 50)) { _ in Ledger() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<40 {
          group.addTask {
            for key in stride(from: caller, to: keys, by: 40) {
              while true {
                do {
                  let store = try await stores["key \(key)"]
                  if store.state.counts[name] == 1 { break }
                  try await store.change(.count(name, 1)).durable()
                  break
                } catch let error as JournalError where error.isTransient {
                } catch CommitError<Refusal>.notYet {
                }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let unwritten = await stores.close()
      precondition(unwritten.isEmpty, "Not everything was written.")
      print("written")
    }
  }
#else
  @main struct LedgerWriter {
    static func main() { print("Built without the trait Postgres.") }
  }
#endif
