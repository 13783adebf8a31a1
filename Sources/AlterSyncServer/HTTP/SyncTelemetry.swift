#if SyncServer
  import AlterJournal
  import AlterSyncCore
  import Logging
  import Metrics

  /// The logs and metrics of a service. `docs/sync-server.md` lists the metrics, and a test compares the two.
  ///
  /// Neither has a token, a key, the name of a principal or the content of a change in a label.
  struct SyncTelemetry: Sendable {
    let logger: Logger
    let factory: any MetricsFactory

    private func count(_ name: String, _ labels: (String, String)..., adding number: Int = 1) {
      Counter(label: name, dimensions: labels, factory: factory).increment(by: number)
    }

    private func record(_ number: Double, _ name: String) { Recorder(label: name, factory: factory).record(number) }

    /// A key in a log: quoted if it has control characters, which would forge a line.
    private static func text(_ key: String) -> String {
      key.unicodeScalars.contains { $0.properties.generalCategory == .control } ? String(reflecting: key) : key
    }

    // MARK: Requests

    /// A request was answered.
    func answered(_ request: String, _ status: Int, in duration: Duration) {
      count("alter_sync_requests_total", ("request", request), ("status", "\(status)"))
      if request != "live" {
        Metrics.Timer(
          label: "alter_sync_request_duration_seconds", dimensions: [("request", request)], preferredDisplayUnit: .seconds, factory: factory
        ).recordNanoseconds(Int64(duration / .nanoseconds(1)))
      }
    }

    /// A device is behind by a number of entries.
    func lag(_ entries: Int64) { record(Double(max(0, entries)), "alter_sync_lag_entries") }

    /// A device has reported its outbox.
    func outbox(_ report: SyncHTTP.OutboxReport, at now: Int64) {
      record(Double(report.count), "alter_sync_outbox_changes")
      let age = report.oldest.map { Double(max(0, now.subtractingReportingOverflow($0).partialValue)) / 1_000_000 } ?? 0
      record(age, "alter_sync_outbox_age_seconds")
    }

    /// A stream was opened (1) or has ended (-1).
    func streams(_ difference: Int) {
      let gauge = Meter(label: "alter_sync_streams", factory: factory)
      if difference > 0 { gauge.increment(by: Double(difference)) } else { gauge.decrement(by: Double(-difference)) }
    }

    // MARK: Decisions

    func record(_ event: JournalServerEvent, of key: String) {
      switch event {
      case .decided(let lines, let hold):
        var counts: [String: Int] = [:]
        for line in lines {
          if case .refused(let code, _) = line.verdict {
            counts[code.rawValue, default: 0] += 1
          } else {
            counts["accepted", default: 0] += 1
          }
        }
        for (verdict, count) in counts {
          self.count("alter_sync_verdicts_total", ("verdict", verdict), adding: count)
        }
        record(Double(lines.count), "alter_sync_push_changes")
        guard let hold else { return }
        count("alter_sync_holds_total", ("reason", hold.code.rawValue))
        if hold.code == .schema {
          logger.notice(
            "Changes of a newer schema than the enabled one wait. Enable it when all processes of the server know it.",
            metadata: ["alter.journal": "\(Self.text(key))"])
        }
      case .again(let error):
        count("alter_sync_conflicts_total")
        logger.debug("A push is decided again: \(error)", metadata: ["alter.journal": "\(Self.text(key))"])
      case .policyFailed(let error):
        count("alter_sync_policy_failures_total")
        logger.error("The policy has failed, so changes wait: \(error)", metadata: ["alter.journal": "\(Self.text(key))"])
      case .snapshotFailed(let error):
        logger.notice("A snapshot could not be made: \(error)", metadata: ["alter.journal": "\(Self.text(key))"])
      case .nondeterministic(let id):
        logger.critical(
          "The state has refused a change that it had taken a moment before, so the change waits. `apply` must depend on the state, the change and the stamp alone.",
          metadata: ["alter.journal": "\(Self.text(key))", "alter.change": "\(id)"])
      }
    }

    // MARK: Failures

    func failed(_ error: JournalError, during request: String) {
      let level: Logger.Level = error.isTransient ? .warning : error.code == .closed ? .debug : .error
      logger.log(level: level, "A journal could not be used: \(error)", metadata: ["alter.request": "\(request)"])
    }

    func failed(_ message: Logger.Message, _ error: any Error) { logger.error("\(message) \(error)") }
  }
#endif
