// A process for a test. It performs a durable feedback on a journal that other processes have open, too.
//
//   feedback-worker PATH LEASE-MILLISECONDS
//   feedback-worker sweep FOLDER BOOKS KEY...
//
// It prints one line for each event: `ready`, `performing KEY EPOCH`, `answered RESULT`. Its input has one command in each line: `begin`
// requests the effect, `answer TEXT` lets the running effect answer, `close` ends the process in order.
//
// The second form makes the payments of all tills of a folder, prints a line before and after each charge, and `done` at the end.

#if SQLite
  import Alter
  import AlterCore
  import AlterSQLite
  import StoreTesting
  import TillModel

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #else
    @preconcurrency import Darwin
  #endif

  @main struct FeedbackWorker {
    static func main() async throws {
      let arguments = CommandLine.arguments
      if arguments.count > 4, arguments[1] == "sweep" {
        return try await sweep(arguments[2], Books(arguments[3]), Array(arguments.dropFirst(4)))
      }
      guard arguments.count == 3, let lease = Int(arguments[2]) else { return print("usage: feedback-worker PATH LEASE-MILLISECONDS") }
      setvbuf(stdout, nil, _IOLBF, 0)
      let store = try await Store.open(Job(), in: SQLiteJournal(at: arguments[1]))
      let answers = Lock<[CheckedContinuation<String, Never>]>([])
      let feedback = Feedback<Job, Void>("work", request: \.wanted) { wanted, _, effect in
        let text = await withCheckedContinuation { continuation in
          answers.withLock { $0.append(continuation) }
          print("performing \(wanted.id.key("work")) \(effect.epoch ?? 0)")
        }
        return .done(text)
      }
      var options = FeedbackOptions()
      options.lease = .milliseconds(lease)
      let token = store.observe { record, state in
        if case .changes(let changes) = record?.kind, case .done(let text)? = changes.first { print("answered \(text)") }
      }
      let run = try store.run([feedback], options: options)
      print("ready")
      while let line = await Task.detached(operation: { readLine() }).value {
        if line == "begin" { try store.change(.begin) }
        if line.hasPrefix("answer ") {
          let waiting = answers.withLock { answers in
            defer { answers = [] }
            return answers
          }
          for continuation in waiting { continuation.resume(returning: String(line.dropFirst(7))) }
        }
        if line == "close" { break }
      }
      await run.stop()
      await store.close()
      withExtendedLifetime(token) {}
    }

    private static func sweep(_ folder: String, _ books: Books, _ keys: [String]) async throws {
      setvbuf(stdout, nil, _IOLBF, 0)
      let stores = Stores(in: .folder(folder), budget: StoresBudget(stores: 16)) { _ in Till() }
      let run = try stores.run(
        [
          .charge { (_: Void, amount, key) in
            print("charging \(key)")
            try books.charge(amount, key: key)
            print("charged \(key)")
          }
        ], in: ())
      for (key, error) in await run.sweep(keys) { print("failed \(key): \(error)") }
      // Nothing else opens a store.
      while stores.open.contains(where: { !$0.effects.isEmpty }) { await Task.yield() }
      print("done")
      await stores.close()
    }
  }
#else
  @main struct FeedbackWorker {
    static func main() { print("Built without the trait SQLite.") }
  }
#endif
