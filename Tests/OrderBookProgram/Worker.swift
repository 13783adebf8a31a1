#if SQLite && Macros
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterTesting
  import Foundation

  @testable import OrderBook

  /// The end of this process's input, at which it ends, too.
  final class InputEnd: Sendable {
    private let isReached = Lock(false)
    var hasCome: Bool { isReached.withLock { $0 } }

    init() {
      Thread.detachNewThread { [isReached] in
        while readLine() != nil {}
        isReached.withLock { $0 = true }
      }
    }
  }

  /// A process that works on the file of an order book beside others, until its input ends or it is killed.
  enum Worker {
    static func work<B: Build>(_ type: B.Type, in folder: String, seed: UInt64) async throws {
      let input = InputEnd()
      var random = SeededGenerator(seed: seed)
      var lastOrder = Int(seed) * 10_000
      do {
        let scope: UndoScope = random.pick(["ann", "bob", .never])
        let process = try await ProcessOf<B>.opened(in: folder, scope: scope, inStores: random.oneIn(3), seed: seed)
        if !random.oneIn(3) { try process.startEffects() }
        if random.oneIn(2) { process.observe() }
        while !input.hasCome {
          if random.oneIn(20) { process.bank.set(isHealthy: random.oneIn(2)) }
          do { try await step(process, in: folder, &lastOrder, using: &random) } catch {
            guard error is CommitError<Refusal>, process.failure == nil else { throw error }
            say("dropped")
          }
          guard !process.observed.isBroken else { fail("failed an observer missed an entry, or saw one twice") }
        }
        await process.close()
        await process.journal.close()
      } catch {
        // A newer build writes, too, entries or rows: this one ends.
        let text = "\(error)"
        guard text.contains("schema") || text.contains("a newer build has written them") else { fail("failed \(error)") }
        say("newer")
      }
    }

    private static func step<B: Build>(
      _ process: ProcessOf<B>, in folder: String, _ lastOrder: inout Int, using random: inout SeededGenerator
    ) async throws {
      let contents = process.contents.visible
      switch random.below(100) {
      case 0..<50: report(try await process.change([contents.randomChange(&lastOrder, using: &random)], scope: nil, under: nil))
      case 50..<58:
        let changes = (0..<2 + random.below(2)).map { _ in contents.randomChange(&lastOrder, using: &random) }
        report(try await process.change(changes, scope: random.pick([nil, nil, "ann", .never]), under: nil))
      case 58..<62:
        let first = contents.randomChange(&lastOrder, using: &random)
        for made in try await process.require(first, contents.randomChange(&lastOrder, using: &random)) { report(made) }
      case 62..<66:
        // Another process may hold it.
        guard let lease = try? await process.journal.lease("desk", for: process.origin, lasting: .milliseconds(200)) else { return }
        report(try await process.change([contents.randomChange(&lastOrder, using: &random)], scope: nil, under: lease))
        try await process.journal.release(lease)
      case 66..<78: say("undo \(try await process.undo(redo: false))")
      case 78..<86: say("redo \(try await process.undo(redo: true))")
      case 86: report(try await process.reset(to: nil))
      case 87..<90: process.observe()
      case 90..<92:
        try await process.startRows(at: "\(folder)/rows.db")
        _ = try await process.readRows(verifying: random.oneIn(2))
      case 92..<94: try await process.verify()
      case 94..<96: try await process.copy(to: MemoryJournal(), squashing: random.oneIn(2))
      case 96: _ = try await process.inspected()
      case 97:
        guard let journal = process.journal.base as? SQLiteJournal else { return }
        try await journal.backup(to: "\(folder)/backup-\(lastOrder)-\(random.below(1_000_000)).db")
      default: _ = try await process.contents(at: process.revision)
      }
    }

    private static func report(_ made: Made) {
      if case .made(let id, let revision) = made { say(id.line(at: revision)) } else { print("refused") }
    }
  }
#else
  enum Worker {}
#endif
