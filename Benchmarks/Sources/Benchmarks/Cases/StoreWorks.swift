import Alter
import AlterSQLite
import AlterTesting
import Dispatch
import Foundation
import GRDBSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The store and its journal: changes in memory, on disk, in conflict, and across processes.

/// The simplest hand-written alternative: a lock around a struct.
final class LockedState: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var state = TenFields()

  init() { pthread_mutex_init(mutex, nil) }

  @inline(never)
  func change(_ change: TenFields.Change) -> Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    state.apply(change, at: .none)
    return state.count
  }
}

func storeWorks(_ options: Options) -> [Work] {
  [0, 1, 10].map(memory) + [100, 1_000, 10_000].map(durable) + [500, 5_000, 50_000].map(saturated)
    + [rebase(), readDuringRebase(options), notice(options)]
}

private struct Counted<Value> {
  var value: Value
  var count = 0
  var tokens: [ObservationToken] = []
}

private func memory(observers: Int) -> Work {
  let goals: [Int: [String: Goal]] = [0: ["a bare lock": .ratio(atMost: 3)], 1: ["no observer": .above(atMost: 250)]]
  return Work("change in memory, observers", observers, goals: goals[observers] ?? [:]) {
    func contender(_ name: String, observers: Int) -> Contender {
      let store = Store(TenFields())
      let tokens = (0..<observers).map { _ in store.observe { _, state in consume(state.count) } }
      return Contender(name, state: Counted(value: store, tokens: tokens)) { counted in
        counted.count &+= 1
        _ = try? counted.value.change(.count(counted.count))
        return counted.count
      }
    }
    let bare = Contender("a bare lock", state: Counted(value: LockedState())) { counted in
      counted.count &+= 1
      return counted.value.change(.count(counted.count))
    }
    return [contender("Alter", observers: observers), bare] + (observers == 0 ? [] : [contender("no observer", observers: 0)])
  }
}

// MARK: - On the disk

private func openStore(_ name: String) -> Store<TenFields> {
  let path = runFolder.appendingPathComponent(name).path
  return waiting { try await Store.open(TenFields(), in: SQLiteJournal(at: path)) }
}

/// Waits for asynchronous work. An error ends the run, because there is nothing to measure then.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Value {
  let box = Answer<Value>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do { box.value = try await work() } catch { fatalError("A benchmark failed: \(error)") }
    done.signal()
  }
  done.wait()
  guard let value = box.value else { fatalError("A benchmark gave no answer.") }
  return value
}

/// `@unchecked Sendable`: the value is written before the semaphore is signalled, and read after the wait.
private final class Answer<Value>: @unchecked Sendable { var value: Value? }

/// A stored change of about 100 bytes.
private func title(_ number: Int) -> TenFields.Change {
  .title("A title that is about as long as titles are in an app, so that the change has a hundred bytes: \(number)")
}

/// A stored change of about this many bytes.
private func title(_ number: Int, bytes: Int) -> TenFields.Change {
  bytes <= 100 ? title(number) : .title(String(repeating: "x", count: bytes - 20) + String(number))
}

/// `write` and `fdatasync` of the same number of bytes: the minimum cost of any durable log.
private final class PlainFile: @unchecked Sendable {
  private let descriptor: Int32

  init(_ name: String) { descriptor = open(runFolder.appendingPathComponent(name).path, O_CREAT | O_WRONLY | O_APPEND, 0o600) }

  func append(_ bytes: Data) -> Int {
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    return Int(fdatasync(descriptor))
  }
}

/// SQLite's own interface: one prepared statement, one row for each commit, WAL and FULL.
private final class PlainSQLite: @unchecked Sendable {
  private var database: OpaquePointer?
  private var insertion: OpaquePointer?

  init(_ name: String) {
    sqlite3_open(runFolder.appendingPathComponent(name).path, &database)
    for sql in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE log (id INTEGER PRIMARY KEY, payload TEXT)"] {
      sqlite3_exec(database, sql, nil, nil, nil)
    }
    sqlite3_prepare_v2(database, "INSERT INTO log (payload) VALUES (?)", -1, &insertion, nil)
  }

  func append(_ bytes: Data) -> Int {
    bytes.withUnsafeBytes { _ = sqlite3_bind_text(insertion, 1, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), nil) }
    sqlite3_step(insertion)
    return Int(sqlite3_reset(insertion))
  }
}

private func durable(bytes: Int) -> Work {
  Work("durable change of n bytes, one at a time", bytes, goals: ["SQLite, prepared": .ratio(atMost: 1.4)]) {
    let store = openStore("single-\(bytes).alter")
    // Each change is durable before the next is made. One task makes several, as in an app, so that the benchmark's own wait is not
    // counted.
    let turns = 20
    return [
      Contender("Alter", operations: turns, state: Counted(value: store)) { counted in
        counted.count &+= turns
        let (store, start) = (counted.value, counted.count)
        return waiting {
          var last = Revision.zero
          for number in 0..<turns { last = try await store.change(title(start + number, bytes: bytes)).confirmed() }
          return Int(last.number)
        }
      },
      Contender("write + fdatasync", state: Counted(value: PlainFile("plain-\(bytes).log"))) { counted in
        counted.count &+= 1
        return counted.value.append((try? JournalCoding.encode([title(counted.count, bytes: bytes)])) ?? Data())
      },
      Contender("SQLite, prepared", state: Counted(value: PlainSQLite("plain-\(bytes).db"))) { counted in
        counted.count &+= 1
        return counted.value.append((try? JournalCoding.encode([title(counted.count, bytes: bytes)])) ?? Data())
      },
    ]
  }
}

private func saturated(batch: Int) -> Work {
  // At least 200,000 changes a second, if the disk allows it.
  Work("durable changes, saturated", batch, goals: ["their bytes, one sync": .figure(atMost: 5_000)]) {
    let store = openStore("saturated-\(batch).alter")
    return [
      Contender("Alter", operations: batch, state: Counted(value: store)) { counted in
        counted.count &+= batch
        let (store, start) = (counted.value, counted.count)
        return waiting {
          var last: Commit<TenFields>?
          for number in 0..<batch {
            // A store accepts a limited number of pending changes.
            if number % 4_096 == 4_095 { try await store.ready() }
            last = try store.change(title(start + number))
          }
          return Int(try await last?.confirmed().number ?? 0)
        }
      },
      Contender("encoding them alone", operations: batch, state: 0) { start in
        start &+= batch
        return (0..<batch).reduce(0) { $0 &+ ((try? JournalCoding.encode([title(start + $1)]))?.count ?? 0) }
      },
      Contender("their bytes, one sync", operations: batch, state: PlainFile("saturated-\(batch).log")) { file in
        file.append(Data(count: batch * 125))
      },
    ]
  }
}

// MARK: - Several stores

/// A thousand pending changes are replayed on top of a thousand that another store has written. Measured from the conflict to the last
/// commit.
private func rebase() -> Work {
  let count = 1_000
  return Work("rebase of n over n", count, goals: ["the same, one after the other": .ratio(atMost: 2)]) {
    [
      Contender("Alter", state: ()) { _ in
        waiting {
          let journal = MemoryJournal()
          let simulated = SimulatedJournal(journal)
          var options = StoreOptions()
          options.followsOthers = false
          options.keepsJournalOpen = true
          let store = try await Store.open(TenFields(), in: simulated, options: options)
          let other = try await Store.open(TenFields(), in: journal, options: options)
          simulated.nextAppends(.hold)
          var last = try store.change(title(0))
          await simulated.waitUntilHeld()
          for number in 1..<count { last = try store.change(title(number)) }
          var theirs = try other.change(title(0))
          for number in 1..<count { theirs = try other.change(title(number)) }
          try await theirs.durable()
          simulated.release()
          return Int(try await last.confirmed().number)
        }
      },
      Contender("the same, one after the other", state: ()) { _ in
        waiting {
          let store = try await Store.open(TenFields(), in: MemoryJournal())
          var last = try store.change(title(0))
          for number in 1..<2 * count { last = try store.change(title(number)) }
          return Int(try await last.confirmed().number)
        }
      },
    ]
  }
}

/// The time during which the state can't be read while 100,000 pending changes are replayed on top of 10,000 of another store.
private func readDuringRebase(_ options: Options) -> Work {
  let (mine, theirs) = options.isQuick ? (20_000, 2_000) : (100_000, 10_000)
  let goals: [String: Goal] = ["an uncontended lock, longest": .above(atMost: 2e6)]
  return Work("longest reading of the state during a rebase", mine, unit: .nanoseconds, goals: goals) {
    let (store, simulated, last) = waiting {
      let journal = MemoryJournal()
      let simulated = SimulatedJournal(journal)
      var options = StoreOptions()
      options.followsOthers = false
      options.keepsJournalOpen = true
      options.pendingLimit = mine + 1
      let store = try await Store.open(TenFields(), in: simulated, options: options)
      let other = try await Store.open(TenFields(), in: journal, options: options)
      simulated.nextAppends(.hold)
      var last = try store.change(title(0))
      await simulated.waitUntilHeld()
      for number in 1..<mine { last = try store.change(title(number)) }
      var commit = try other.change(title(0))
      for number in 1..<theirs { commit = try other.change(title(number)) }
      try await commit.durable()
      return (store, simulated, last)
    }
    simulated.release()
    // The rebase is over when the first of the pending changes is in the journal.
    let longest = longestTurn { store.confirmed.revision.number > Int64(theirs + 1) ? nil : store.state.count }
    let lock = NSLock()
    let end = monotonicNanoseconds() + longest.duration
    let uncontended = longestTurn { lock.withLock { monotonicNanoseconds() > end ? nil : 1 } }
    _ = waiting { try await last.confirmed() }
    return [("Alter", longest.turn), ("an uncontended lock, longest", uncontended.turn)]
  }
}

/// Calls a closure until it returns nil.
///
/// - Returns: The duration of the longest call, and of all calls, in nanoseconds.
private func longestTurn(_ body: () -> Int?) -> (turn: Double, duration: Int64) {
  let start = monotonicNanoseconds()
  var (longest, before): (Int64, Int64) = (0, start)
  while body() != nil {
    let now = monotonicNanoseconds()
    longest = max(longest, now - before)
    before = now
  }
  return (Double(longest), before - start)
}

// MARK: - Between processes

/// The child process of ``notice(_:)``. It makes durable changes and prints the time of each.
func runWriter(_ path: String, _ count: Int) {
  let store = waiting { try await Store.open(TenFields(), in: SQLiteJournal(at: path)) }
  for number in 1...count {
    waiting { try await store.change(.count(number)).durable() }
    print("\(number) \(monotonicNanoseconds())")
    fflush(nil)
    usleep(3_000)
  }
  waiting { _ = await store.close() }
}

private func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The times at which this process received the writer's changes.
private final class Arrivals: @unchecked Sendable {
  private let lock = NSLock()
  private var times: [Int: Int64] = [:]
  func note(_ number: Int) {
    let now = monotonicNanoseconds()
    lock.withLock { times[number] = times[number] ?? now }
  }
  subscript(number: Int) -> Int64? { lock.withLock { times[number] } }
}

private func notice(_ options: Options) -> Work {
  let count = options.isQuick ? 50 : 300
  return Work("another process's commit", count, unit: .nanoseconds) {
    let path = runFolder.appendingPathComponent("notice.alter").path
    let store = openStore("notice.alter")
    let arrivals = Arrivals()
    let token = store.observe { _, state in arrivals.note(state.count) }
    let child = Process()
    child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    child.arguments = ["--writer", path, String(count)]
    let pipe = Pipe()
    child.standardOutput = pipe
    do { try child.run() } catch { fatalError("Can't start the writer: \(error)") }
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    waiting { for await seen in store.values(of: \.count) where seen == count { break } }
    var delays: [Double] = []
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: " ").compactMap { Int64($0) }
      guard parts.count == 2, let arrival = arrivals[Int(parts[0])] else { continue }
      delays.append(Double(max(0, arrival - parts[1])))
    }
    withExtendedLifetime(token) {}
    delays.sort()
    guard delays.count == count else { fatalError("\(count - delays.count) commits were never noticed.") }
    return [("Alter, median", delays[count / 2]), ("Alter, 95th percentile", delays[count * 95 / 100]), ("a poll of 100 ms, median", 5e7)]
  }
}
