#if SQLite
  import AlterJournal
  import FaultModel
  import InterposedCalls

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif
  #if canImport(Glibc)
    import Glibc
  #endif

  private let kinds: [String: interposed_kind] = [
    "open": INTERPOSED_OPEN, "read": INTERPOSED_READ, "write": INTERPOSED_WRITE, "sync": INTERPOSED_SYNC, "truncate": INTERPOSED_TRUNCATE,
    "rename": INTERPOSED_RENAME, "unlink": INTERPOSED_UNLINK, "look": INTERPOSED_LOOK, "lock": INTERPOSED_LOCK, "map": INTERPOSED_MAP,
  ]
  private let modes: [String: interposed_mode] = ["once": INTERPOSED_ONCE, "onward": INTERPOSED_ONWARD, "short": INTERPOSED_SHORT]
  private let codes: [String: Int32] = ["EIO": EIO, "ENOSPC": ENOSPC, "EINTR": EINTR]

  /// Plays a scenario repeatedly. The first call of a kind fails, then the second, and so on, until the scenario ends before the n-th call.
  /// After the first ten calls, only each call at the given distance from the one before fails.
  func failEachCall(_ arguments: [String]) async {
    guard let scenario = scenario(arguments[0]), let kind = kinds[arguments[1]], let code = codes[arguments[2]],
      let mode = modes[arguments[3]], let distance = Int64(arguments[4]), distance > 0
    else { return say("usage: see FaultWriter.swift") }
    interposed_skip_syncs()
    var (n, tried): (Int64, Int64) = (0, 0)
    var (errors, silent) = (0, 0)
    var seen: Set<String> = []
    while true {
      n += n < 10 ? 1 : distance
      // Ends the process if a round hangs.
      alarm(300)
      let folder = arguments[5] + "/\(n)"
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var played = try await scenario.init(folder: folder)
        interposed_watch(folder)
        interposed_fail(Int32(kind.rawValue), n, code, Int32(mode.rawValue))
        await played.play()
        let failures = interposed_failures()
        interposed_heal()
        try await played.check()
        try FileManager.default.removeItem(atPath: folder)
        guard failures > 0 else { break }
        tried += 1
        if played.errors.isEmpty { silent += 1 } else { errors += 1 }
        let misnamed = played.errors.filter { isMisnamed($0, kind: arguments[1], mode: mode) }
        seen.formUnion(played.errors.map(\.code.rawValue))
        if !misnamed.isEmpty {
          say("violation: call \(n) failed, and the error was: \(misnamed.map(\.description).joined(separator: "; "))")
        }
      } catch {
        interposed_heal()
        say("violation: call \(n) failed, and then: \(error)")
        if interposed_failures() == 0 { break }
      }
    }
    say("calls \(tried) errors \(errors) silent \(silent) codes \(seen.sorted().joined(separator: ","))")
  }

  /// Whether the error names a cause other than the failing call, such as a damaged file or another writer.
  private func isMisnamed(_ error: JournalError, kind: String, mode: interposed_mode) -> Bool {
    switch error.code {
    // SQLite reports unreadable data as damage. The two can't be distinguished.
    case .damaged: kind != "read"
    // If no file can be removed any more, the file of a failed backup prevents the next backup.
    case .conflict: !(mode == INTERPOSED_ONWARD && error.message.hasPrefix("was not backed up"))
    // Nothing is read-only. SQLite opens a file for reading if it could not be opened for writing.
    case .readOnly: true
    case .notAJournal, .newerFormat, .newerSchema, .diverged, .originCollision, .undecodable: true
    default: false
    }
  }
#endif
