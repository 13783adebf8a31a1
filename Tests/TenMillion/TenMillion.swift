// A program that makes a journal of realistic entries and measures it, for `script/benchmark --ten-million` and docs/ten-million.md.
//
//   ten-million make JOURNAL COUNT    makes a journal of COUNT entries
//   ten-million STEP JOURNAL          measures one step (see `Steps`): its name, the time, the processor time and the largest memory of this
//                                     process
//
// JOURNAL is the path of a SQLite file, or the address of a PostgreSQL database with a `=`: "host=… user=…".

#if Postgres && SQLite
  import Alter
  import AlterJournal
  import AlterPostgres
  import AlterSQLite

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @main struct TenMillion {
    static func main() async throws {
      let arguments = CommandLine.arguments
      if arguments.count == 4, arguments[1] == "make", let count = Int64(arguments[3]) {
        let journal = try await Target(address: arguments[2]).journal(.relaxed)
        var making = try await Making(journal)
        try await making.make(count)
        await journal.close()
        return print("made\t\(count) entries\t\(Usage.now.memory >> 20) MiB")
      }
      guard arguments.count == 3, let step = Steps.all.first(where: { $0.name == arguments[1] }) else {
        print("usage: ten-million make JOURNAL COUNT | \(Steps.all.map(\.name).joined(separator: " | ")) JOURNAL")
        exit(64)
      }
      for result in try await step.run(Target(address: arguments[2])) {
        print("\(result.name)\t\(milliseconds(result.time)) ms\t\(milliseconds(result.processor)) ms\t\(Usage.now.memory >> 20) MiB")
      }
    }

    /// A duration in milliseconds, with three significant digits.
    private static func milliseconds(_ duration: Duration) -> String {
      let milliseconds = duration / .milliseconds(1)
      if milliseconds >= 100 { return "\(Int(milliseconds.rounded()))" }
      let scale = milliseconds >= 10 ? 10.0 : 100
      return "\((milliseconds * scale).rounded() / scale)"
    }
  }

  /// The resources that this process has used so far.
  struct Usage {
    /// The largest resident memory in bytes.
    let memory: Int
    /// The processor time.
    let processor: Duration

    static var now: Usage {
      var usage = rusage()
      #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      #else
        getrusage(RUSAGE_SELF, &usage)
      #endif
      let times = [usage.ru_utime, usage.ru_stime].map { Duration.seconds($0.tv_sec) + .microseconds($0.tv_usec) }
      #if canImport(Darwin)
        let memory = usage.ru_maxrss
      #else
        let memory = usage.ru_maxrss << 10
      #endif
      return Usage(memory: memory, processor: times[0] + times[1])
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The journal to measure.
  struct Target {
    let address: String

    var isFile: Bool { !address.contains("=") }

    func journal(_ durability: Durability = .full) async throws -> any Journal {
      guard isFile else { return try await PostgresJournal(at: PostgresServer(address), key: "ten million", durability: durability) }
      return try await SQLiteJournal(at: address, durability: durability)
    }
  }
#else
  @main struct TenMillion {
    static func main() { print("Built without the traits SQLite and Postgres.") }
  }
#endif
