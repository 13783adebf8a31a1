import Alter
import AlterCore
import AlterJournal
import AlterSQLite
import AlterStore
import AlterSync
import AlterSyncCore
import Foundation
import StockModel

/// A device: a store over its file, a driver, and a user who makes changes all the time.
final class DeviceProgram: Sendable {
  private let storage: DeviceStorage
  private let transport: PeerTransport
  private let driver: SyncDriver
  private let store: Store<Stock>
  private let log: Int32
  private let isFinishing = Lock(false)
  /// The waits for verdicts.
  private let verdicts = Lock<[Task<Void, Never>]>([])

  init(file: String, socket: String, log: String, principal: String, window: Int) async throws {
    storage = try await DeviceStorage(SQLiteJournal(at: file), principal: Principal(principal))
    var storeOptions = StoreOptions()
    (storeOptions.keepsJournalOpen, storeOptions.undoWindow) = (true, window)
    store = try await Store.open(
      Stock(), in: SyncedFile(storage, initial: Stock(), window: storeOptions.undoWindow), options: storeOptions)
    var options = SyncDriver.Options()
    (options.times.longest, options.times.poll, options.times.timeout) = (0.5, 1, 10)
    options.heartbeat = .seconds(1)
    transport = PeerTransport(path: socket)
    driver = SyncDriver(storage, over: transport, options: options)
    self.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard self.log >= 0 else { throw PeerError("no log") }
  }

  func run(isQuiet: Bool) async throws {
    await driver.start()
    Thread.detachNewThread { [isFinishing] in
      while let line = readLine() { if line == "finish" { isFinishing.withLock { $0 = true } } }
      // The test has ended without a word.
      if !isFinishing.withLock({ $0 }) { exit(3) }
    }
    var random = SystemRandomNumberGenerator()
    // However early it is killed or finished, it has something for the checks: a change that is accepted, and one that is refused.
    if !isQuiet { for change in [Stock.Change.add, .claim(9)] { if let commit = try? store.change(change) { try await follow(commit) } } }
    while !isQuiet, !isFinishing.withLock({ $0 }) {
      try await act(&random)
      // The pace of a user, who waits for nothing. Faster ones make a journal so long that each start of a device takes most of a round.
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
    }
    try await settle(isQuiet)
    // The mirror has every verdict, so each change must end.
    for task in verdicts.withLock({ $0 }) { await task.value }
    await driver.close()
    await store.close()
    await storage.close()
    say("done")
  }

  private func act(_ random: inout SystemRandomNumberGenerator) async throws {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: Task { [store] in _ = try? await store.undo() }
    case 1: Task { [store] in _ = try? await store.redo() }
    case 2:
      let refusals = store.refusals
      if refusals.count > 20 { try? await store.dismiss(refusals) }
      // The log has the order of the outbox.
      let commits = store.retry(refusals.prefix(3)).values.compactMap { try? $0.get() }
      for commit in commits.sorted(by: { $0.id.sequence < $1.id.sequence }) { try await follow(commit) }
    default:
      // A change that the visible state refuses is no change.
      if let commit = try? store.change(change(&random)) { try await follow(commit) }
    }
  }

  private func change(_ random: inout SystemRandomNumberGenerator) -> Stock.Change {
    let items = store.state.items.keys
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: return .claim(Int.random(in: 0..<100_000, using: &random) % (1 + store.state.slots.count + 10))
    case 3...5: return items.randomElement(using: &random).map { .mark($0) } ?? .add
    case 6...7 where items.count > 50: return items.randomElement(using: &random).map { .remove($0) } ?? .add
    default: return .add
    }
  }

  /// Waits until a change is durable, and writes that down. The verdict is written down when it comes.
  private func follow(_ commit: Commit<Stock>) async throws {
    let id = commit.id
    try await commit.durable()
    note("durable", id)
    let verdict = Task {
      do throws(CommitError<Refusal>) {
        note("accepted", id, "\(try await commit.confirmed().number)")
      } catch {
        if case .refused(let code) = error { note("refused", id, code) }
      }
    }
    verdicts.withLock { $0.append(verdict) }
  }

  /// One write for each line, which a killed process has done or not.
  private func note(_ word: String, _ id: EntryID, _ rest: String = "") {
    let origin = withUnsafeBytes(of: id.origin.uuid.uuid) { $0.map { String(format: "%02X", $0) }.joined() }
    let line = Array("\(word)|\(origin)|\(id.sequence)|\(rest)\n".utf8)
    guard write(log, line, line.count) == line.count else { exit(2) }
  }

  /// Waits until the server has decided everything, and the mirror has it.
  private func settle(_ isQuiet: Bool) async throws {
    while true {
      let standing = try await storage.standing()
      if !standing.hasUndecided, !standing.awaitsEntries, let head = standing.head {
        guard isQuiet else { return }
        // Asks the server itself, because a driver that has not heard of an entry does not wait for it.
        let pull = Request(.pull, position: head, principal: standing.principal, generation: standing.generation)
        // A failed question says nothing, nor does a cut answer, and no transaction follows it. So it is asked again at once.
        guard case .page(let page)? = try? await transport.exchange(pull), let last = page.head else { continue }
        if last == head { return }
        driver.nudge()
      }
      try await storage.journal.waitForTransaction(after: standing.transactions)
    }
  }
}
