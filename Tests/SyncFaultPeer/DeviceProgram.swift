#if SyncServer && Postgres && SQLite
  import Alter
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterStore
  import AlterSync
  import Foundation
  import StockModel

  /// A device: a synced journal with its store, and a user who makes changes until the test says `pause`.
  ///
  /// | command | then |
  /// |---|---|
  /// | `go` | the user makes changes again |
  /// | `pause` | `paused` when the user makes no more changes |
  /// | `drain` | `drained` when the server has decided all of them |
  /// | `reach N` | `reached N DIGEST` when the store is at the revision |
  /// | `suspend` | `suspended` when nothing uses the network any more; the user continues |
  /// | `resume`, `nudge` | talks again, and at once |
  /// | `finish` | closes everything, and ends |
  final class DeviceProgram: Sendable {
    private let journal: SyncedJournal
    private let store: Store<Stock>
    private let log: Int32
    private let isPaused = Lock(false)
    private let wake = Lock<Waiter<Void>?>(nil)
    /// Undos, which end when the server has decided them.
    private let undos = Lock<[Task<Void, Never>]>([])

    /// - Parameter arguments: The file, the address of the service, the log, the principal and its token.
    init(_ arguments: [String]) async throws {
      guard let url = URL(string: arguments[1]) else { throw PeerError("'\(arguments[1])' is no address") }
      let token = arguments[4]
      var options = SyncDriver.Options()
      (options.times.longest, options.times.poll) = (0.5, 1)
      options.heartbeat = .seconds(5)
      let server = SyncServer(url, principal: arguments[3]) { token }
      journal = try await SyncedJournal(at: arguments[0], key: Place.key, on: server, durability: .full, options: options)
      store = try await Store.open(Stock(), in: journal)
      log = open(arguments[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard log >= 0 else { throw PeerError("no log") }
    }

    func run() async throws {
      let (commands, input) = AsyncStream.makeStream(of: String.self)
      Thread.detachNewThread {
        while let line = readLine() { input.yield(line) }
        // The test has ended without a word.
        exit(3)
      }
      let user = Task { try await makeChanges() }
      say("ready")
      for await command in commands {
        let words = command.split(separator: " ")
        switch words.first {
        case "go":
          isPaused.withLock { $0 = false }
          wake.withLock { $0 }?.finish(())
        case "pause":
          isPaused.withLock { $0 = true }
          journal.nudge()
        case "drain": Task { await reportDrained() }
        case "reach": if let revision = words.last.flatMap({ Int64($0) }) { Task { await reportReached(Revision(revision)) } }
        case "suspend":
          await journal.suspend()
          say("suspended")
        case "resume": await journal.resume()
        case "nudge": journal.nudge()
        case "finish":
          user.cancel()
          await store.close()
          say("done")
          exit(0)
        default: throw PeerError("'\(command)' is no command")
        }
      }
    }

    // MARK: The user

    private func makeChanges() async throws {
      do {
        var random = SystemRandomNumberGenerator()
        // However early it is killed, it has something for the checks: a change that is accepted, and one that is refused.
        for change in [Stock.Change.add, .claim(9)] { if let commit = try? store.change(change) { try await follow(commit) } }
        while !Task.isCancelled {
          if isPaused.withLock({ $0 }) {
            let waiter = Waiter<Void>()
            wake.withLock { $0 = waiter }
            for undo in undos.withLock({ $0 }) { await undo.value }
            undos.withLock { $0 = [] }
            // The command may have come meanwhile.
            if isPaused.withLock({ $0 }) {
              say("paused")
              guard await waiter.value() != nil else { return }
            }
          }
          try await act(&random)
          // The pace of a user, who waits for nothing.
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        }
      } catch {
        if Task.isCancelled { return }
        say("failed: \(error)")
        exit(1)
      }
    }

    private func act(_ random: inout SystemRandomNumberGenerator) async throws {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: undos.withLock { $0.append(Task { [store] in _ = try? await store.undo() }) }
      case 1:
        // Lost changes stay in the list, where the checks look for them.
        let refusals = store.refusals.filter { $0.code != "lost" }
        if refusals.count > 20 { try? await store.dismiss(refusals) }
        let commits = store.retry(refusals.prefix(2)).values.compactMap { try? $0.get() }
        // The log has the order of the outbox.
        for commit in commits.sorted(by: { $0.id.sequence < $1.id.sequence }) { try await follow(commit) }
      default: if let commit = try? store.change(change(&random)) { try await follow(commit) }
      }
    }

    private func change(_ random: inout SystemRandomNumberGenerator) -> Stock.Change {
      let items = store.state.items.keys
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: return .claim(Int.random(in: 0..<(store.state.slots.count + 10), using: &random))
      case 3...5: return items.randomElement(using: &random).map { .mark($0) } ?? .add
      case 6...7 where items.count > 30: return items.randomElement(using: &random).map { .remove($0) } ?? .add
      default: return .add
      }
    }

    /// Waits until a change is durable, and writes that down. The verdict is written down when it comes.
    private func follow(_ commit: Commit<Stock>) async throws {
      let id = commit.id
      try await commit.durable()
      note("durable", id)
      Task {
        do throws(CommitError<Refusal>) {
          note("accepted", id, "\(try await commit.confirmed().number)")
        } catch {
          if case .refused(let code) = error { note("refused", id, code) }
        }
      }
    }

    /// One write for each line, which a killed process has done or not, and which is on the disk before the next change.
    private func note(_ word: String, _ id: EntryID, _ rest: String = "") {
      let origin = withUnsafeBytes(of: id.origin.uuid.uuid) { $0.map { String(format: "%02X", $0) }.joined() }
      let line = Array("\(word)|\(origin)|\(id.sequence)|\(rest)\n".utf8)
      guard write(log, line, line.count) == line.count, fsync(log) == 0 else { exit(2) }
    }

    // MARK: Reports

    private func reportDrained() async {
      for await outbox in store.outbox where outbox.unconfirmed.isEmpty { break }
      say("drained")
    }

    private func reportReached(_ revision: Revision) async {
      for await reached in store.revisions where reached >= revision { break }
      say("reached \(revision.number) \(Self.digest(store.confirmed.state))")
    }

    /// A number that depends on the whole state, and not on the order of its tables (FNV-1a, 64 bits).
    private static func digest(_ state: Stock) -> String {
      let items = state.items.map { "\($0.key)=\($0.value)" }.sorted()
      let text = (items + state.slots.sorted().map { "\($0)" }).joined(separator: " ")
      let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      return "\(hash)/\(items.count)/\(state.slots.count)"
    }
  }
#endif
