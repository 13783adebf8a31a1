#if SQLite
  import AlterJournal
  import AlterSQLite
  import FaultModel
  import InterposedCalls

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Plays a scenario once and records each change of a file, each sync, and each acknowledgement. The n-th sync fails, unless n is 0.
  func record(_ arguments: [String]) async throws {
    let trace = open(arguments[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard trace >= 0, let durability = Durability(rawValue: arguments[1]), let sync = Int64(arguments[4]) else {
      return say("usage: see FaultWriter.swift")
    }
    let folder = arguments[2]
    let errors: [JournalError]
    switch arguments[0] {
    case "small", "large":
      var scenario = JournalScenario(folder: folder)
      scenario.durability = durability
      scenario.onAcknowledged = { interposed_mark($0) }
      scenario.batches = 9
      if arguments[0] == "large" {
        // More than the limit of the log, so that it is checkpointed while the journal is in use, and restarted.
        scenario.batches = 36
        scenario.size = { _ in 100_000 }
      }
      begin(in: folder, trace, failing: sync)
      await scenario.play()
      errors = scenario.errors
    case "device", "large-device":
      var scenario = DeviceScenario(folder: folder)
      scenario.durability = durability
      scenario.onAcknowledged = { transactions, fingerprint in
        interposed_mark(transactions)
        say("contents \(transactions) \(fingerprint)")
      }
      if arguments[0] == "large-device" { (scenario.steps, scenario.size) = (40, 50_000) }
      begin(in: folder, trace, failing: sync)
      await scenario.play()
      errors = scenario.errors
    default: return say("usage: see FaultWriter.swift")
    }
    interposed_record(-1)
    if interposed_failures() > 0 { return say("failed") }
    say(errors.isEmpty ? "recorded" : "errors \(errors)")
  }

  /// Begins to record the changes in a folder.
  private func begin(in folder: String, _ trace: Int32, failing sync: Int64) {
    interposed_skip_syncs()
    interposed_watch(folder)
    if sync > 0 { interposed_fail(Int32(INTERPOSED_SYNC.rawValue), sync, EIO, Int32(INTERPOSED_ONCE.rawValue)) }
    interposed_record(trace)
  }
#endif
