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

  /// Plays the scenario once and records each change of a file, each sync, and each acknowledgement. The n-th sync fails, unless n is 0.
  func record(_ arguments: [String]) async throws {
    let trace = open(arguments[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard trace >= 0, let durability = Durability(rawValue: arguments[1]) else { return say("usage: see FaultWriter.swift") }
    var scenario = JournalScenario(folder: arguments[2])
    scenario.durability = durability
    scenario.onAcknowledged = { interposed_mark($0) }
    switch arguments[0] {
    case "small": scenario.batches = 9
    case "large":
      // More than the limit of the log, so that it is checkpointed while the journal is in use, and restarted.
      scenario.batches = 36
      scenario.size = { _ in 100_000 }
    default: return say("usage: see FaultWriter.swift")
    }
    interposed_skip_syncs()
    interposed_watch(arguments[2])
    if let n = Int64(arguments[4]), n > 0 { interposed_fail(Int32(INTERPOSED_SYNC.rawValue), n, EIO, Int32(INTERPOSED_ONCE.rawValue)) }
    interposed_record(trace)
    await scenario.play()
    interposed_record(-1)
    if interposed_failures() > 0 { return say("failed") }
    say(scenario.errors.isEmpty ? "recorded" : "errors \(scenario.errors)")
  }
#endif
