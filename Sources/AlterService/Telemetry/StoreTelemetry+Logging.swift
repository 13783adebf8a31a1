#if Service
  import AlterJournal
  internal import AlterStore
  import Logging

  // The messages. The table in `docs/service.md` has their levels.
  extension StoreTelemetry {
    func log(_ event: StoreEvent, of journal: String) {
      switch event {
      case .opening(let duration, nil): message(.debug, "The store was opened.", journal, ["alter.seconds": .seconds(duration)])
      // The caller receives the error.
      case .opening(_, let error?): failure(.debug, "The store could not be opened.", journal, error)
      // The store reports its opening and its end.
      case .status(nil, _): break
      case .status(_, .closed): message(.debug, "The store was closed.", journal)
      case .status(_, .open): message(.notice, "The journal can be reached again.", journal)
      case .status(_, .waiting(let wait)):
        failure(.warning, "The journal is out of reach. The store keeps trying.", journal, wait.reason)
      case .status(_, .failed(let error)): failure(.error, "The journal has failed permanently.", journal, error)
      // The status has been logged.
      case .problem(.failed): break
      case .problem(let problem): message(problem.level, "\(problem)", journal)
      case .commits(.failed, let count): message(.error, "Changes were not written.", journal, ["alter.changes": "\(count)"])
      case .commits(.unknown, let count):
        message(.error, "The outcome of changes is unknown.", journal, ["alter.changes": "\(count)"])
      case .conflict: message(.trace, "Another writer was first.", journal)
      case .flight(let changes, let duration):
        message(.trace, "Changes were written.", journal, ["alter.changes": "\(changes)", "alter.seconds": .seconds(duration)])
      case .snapshot(let bytes, let duration):
        message(.debug, "A snapshot was made.", journal, ["alter.bytes": "\(bytes)", "alter.seconds": .seconds(duration)])
      case .snapshotFailed(let reason): message(.notice, "A snapshot could not be made.", journal, ["alter.error": "\(reason)"])
      case .lease(let feedback, .lost): message(.notice, "A feedback's lease was lost.", journal, ["alter.feedback": "\(feedback)"])
      case .lease(let feedback, let step):
        message(.debug, "A feedback's lease was \(step.rawValue).", journal, ["alter.feedback": "\(feedback)"])
      case .effectThrew(let feedback, let error):
        message(.notice, "An effect has thrown an error.", journal, ["alter.feedback": "\(feedback)", "alter.error": "\(error)"])
      case .rowsMoved(let duration): message(.trace, "Rows were written.", journal, ["alter.seconds": .seconds(duration)])
      case .rowsFailed(let error): message(.warning, "Rows can't be written. They are tried again.", journal, ["alter.error": "\(error)"])
      case .rowsRecovered: message(.notice, "Rows can be written again.", journal)
      case .keyedOpening(_, let error?): failure(.warning, "The store of a key could not be opened.", journal, error)
      case .keyedOpening(_, nil), .commits, .pending, .rowsLag, .stores: break
      }
    }

    private func message(_ level: Logger.Level, _ text: Logger.Message, _ journal: String, _ metadata: Logger.Metadata = [:]) {
      guard level >= logger.logLevel else { return }
      logger.log(level: level, text, metadata: metadata.merging(["alter.journal": "\(journal)"]) { $1 })
    }

    private func failure(_ level: Logger.Level, _ text: Logger.Message, _ journal: String, _ error: JournalError) {
      message(level, text, journal, ["alter.code": "\(error.code.rawValue)", "alter.error": "\(error)"])
    }
  }

  extension StoreProblem {
    fileprivate var level: Logger.Level {
      switch self {
      case .lost, .refusedAtReplay, .nondeterministic, .failed, .blockedByObserver: .error
      case .feedback: .warning
      case .snapshotIgnored: .notice
      }
    }
  }

  extension Logger.MetadataValue {
    fileprivate static func seconds(_ duration: Duration) -> Logger.MetadataValue { "\(Double(duration.nanoseconds) / 1e9)" }
  }
#endif
