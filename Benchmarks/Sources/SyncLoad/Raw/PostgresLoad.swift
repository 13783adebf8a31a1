#if Postgres
  import Dispatch
  import Foundation

  /// A bare `INSERT` with `NOTIFY`, one durable transaction for each change, until another connection has received the notification. It tells `p50` and `p95` in
  /// nanoseconds.
  ///
  /// ```
  /// sync-load notify --postgres ADDRESS --count 300
  /// ```
  struct NotifyLoad {
    private let address: String
    private let count: Int

    init(_ arguments: Arguments) throws { (address, count) = (try arguments.text("postgres"), arguments.number("count", default: 300)) }

    func run() throws {
      let (sender, listener) = (try BareLine(address), try BareLine(address))
      try sender.run("CREATE TABLE IF NOT EXISTS bare (number bigserial PRIMARY KEY, payload text)")
      try sender.prepare(
        "WITH new AS (INSERT INTO bare (payload) VALUES ($1) RETURNING payload) SELECT pg_notify('bare', payload) FROM new")
      try listener.run("LISTEN bare")
      var times: [Double] = []
      for number in 0..<count {
        let payload = EchoLoad.body(number)
        let start = nanoseconds
        try sender.send([payload])
        while listener.notification() != payload { listener.wait() }
        times.append(Double(nanoseconds - start))
        try sender.finish()
        usleep(5_000)
      }
      tell("p50", quantile(0.5, of: times))
      tell("p95", quantile(0.95, of: times))
    }
  }

  /// Bare inserts with libpq: each thread has a connection, and inserts groups of rows, one durable transaction for each. It tells `changes`, the
  /// rows per second.
  ///
  /// ```
  /// sync-load inserts --postgres ADDRESS --drafts 10 --threads 8 --milliseconds 3000
  /// ```
  struct InsertLoad {
    private let address: String
    private let (drafts, threads, milliseconds): (Int, Int, Int)

    init(_ arguments: Arguments) throws {
      address = try arguments.text("postgres")
      drafts = arguments.number("drafts", default: 10)
      threads = arguments.number("threads", default: 8)
      milliseconds = arguments.number("milliseconds", default: 3_000)
    }

    func run() throws {
      let lines = try (0..<threads).map { _ in try BareLine(address) }
      try lines[0].run("CREATE TABLE IF NOT EXISTS bare (number bigserial PRIMARY KEY, payload text)")
      for line in lines { try line.prepare("INSERT INTO bare (payload) SELECT unnest($1::text[])") }
      let payload = "[{\\\"line\\\":{\\\"change\\\":{\\\"text\\\":\\\"A line of some words, changed 123456\\\"},\\\"id\\\":17}}]"
      let group = "{" + repeatElement("\"\(payload)\"", count: drafts).joined(separator: ",") + "}"
      let total = DispatchQueue(label: "total")
      nonisolated(unsafe) var rows = 0
      let (start, end) = (nanoseconds, nanoseconds + Int64(milliseconds) * 1_000_000)
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        var own = 0
        while nanoseconds < end {
          do { try lines[thread].execute([group]) } catch { fatalError("\(error)") }
          own += drafts
        }
        total.sync { rows += own }
      }
      tell("changes", Double(rows) / (Double(nanoseconds - start) / 1e9))
    }
  }
#endif
