#if Service
  package import AlterStore
  import AlterJournal
  import Logging
  import Tracing

  extension StoreTelemetry: StoreMonitor {
    package func record(_ event: StoreEvent, of journal: String) {
      measure(event)
      trace(event, of: journal)
      log(event, of: journal)
    }

    // MARK: Metrics

    private func measure(_ event: StoreEvent) {
      switch event {
      case .opening(let duration, let error): instruments.record(duration, in: .openings, Self.outcome(error))
      case .status(let old, let new):
        if let old { instruments.add(-1, to: .stores, old.name) }
        if new.name != StoreStatus.closed.name { instruments.add(to: .stores, new.name) }
      case .problem(let problem): instruments.add(to: .problems, problem.kind)
      case .commits(let outcome, let count): instruments.add(count, to: .commits, outcome.rawValue)
      case .pending(let difference): instruments.add(difference, to: .pending)
      case .conflict: instruments.add(to: .conflicts)
      case .flight(let changes, let duration):
        instruments.record(duration, in: .flights)
        instruments.record(changes, in: .flightSizes)
      case .snapshot(let bytes, let duration):
        instruments.record(duration, in: .snapshots)
        instruments.record(bytes, in: .snapshotSizes)
      case .snapshotFailed: instruments.add(to: .snapshotFailures)
      case .lease(let feedback, let step):
        instruments.add(step == .taken ? 1 : -1, to: .leases, feedback)
        instruments.add(to: .leaseSteps, feedback, step.rawValue)
      // The end of the effect is measured, and logged.
      case .effectThrew: break
      case .rowsMoved(let duration): instruments.record(duration, in: .rowsMoves)
      case .rowsLag(let difference): instruments.add(difference, to: .rowsLag)
      // They are logged, and the lag remains.
      case .rowsFailed, .rowsRecovered: break
      case .keyedOpening(let duration, let error): instruments.record(duration, in: .keyedOpenings, Self.outcome(error))
      case .stores(let old, let new):
        instruments.add(new.waiting - old.waiting, to: .keys, "waiting")
        instruments.add(new.opening - old.opening, to: .keys, "opening")
        instruments.add(new.open - old.open, to: .keys, "open")
        instruments.add(new.closing - old.closing, to: .keys, "closing")
        instruments.add(new.evicted - old.evicted, to: .closings, "idle")
        instruments.add(new.replaced - old.replaced, to: .closings, "failed")
        instruments.add((new.bytes ?? 0) - (old.bytes ?? 0), to: .bytes)
        instruments.add(new.descriptors - old.descriptors, to: .descriptors)
        instruments.add(new.unwritten - old.unwritten, to: .unwritten)
      }
    }

    private static func outcome(_ error: JournalError?) -> String { error == nil ? "opened" : "failed" }

    // MARK: Traces

    private func trace(_ event: StoreEvent, of journal: String) {
      switch event {
      // Events of a caller's own task: the span is part of that caller's.
      case .opening(let duration, let error): span("alter.store.open", duration, journal, error: error)
      case .keyedOpening(let duration, let error): span("alter.stores.open", duration, journal, error: error)
      case .flight(let changes, let duration): span("alter.store.flight", duration, journal, ["alter.changes": changes])
      case .snapshot(let bytes, let duration): span("alter.store.snapshot", duration, journal, ["alter.bytes": bytes])
      default: break
      }
    }

    /// Reports a span that has just ended.
    private func span(
      _ name: String, _ duration: Duration, _ journal: String, _ numbers: [String: Int] = [:], error: JournalError? = nil
    ) {
      let end = DefaultTracerClock.now.nanosecondsSinceEpoch
      let length = UInt64(clamping: duration.nanoseconds)
      let start = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end > length ? end - length : 0)
      let span = tracer.startSpan(name, ofKind: .internal, at: start)
      span.updateAttributes { attributes in
        attributes["alter.journal"] = journal
        for (name, number) in numbers { attributes[name] = number }
      }
      if let error {
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error, message: error.code.rawValue))
      }
      span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end))
    }

    package func perform<Result: Sendable>(_ effect: MonitoredEffect, of journal: String, _ body: () async -> Result) async -> Result {
      instruments.add(to: .runningEffects, effect.feedback)
      let start = ContinuousClock.now
      let span = tracer.startSpan("alter.feedback.effect", ofKind: .internal)
      span.updateAttributes { attributes in
        attributes["alter.journal"] = journal
        attributes["alter.feedback"] = effect.feedback
        attributes["alter.effect.key"] = effect.key
      }
      defer {
        span.end()
        instruments.record(ContinuousClock.now - start, in: .effects, effect.feedback)
        instruments.add(-1, to: .runningEffects, effect.feedback)
      }
      return await ServiceContext.withValue(span.context) { await body() }
    }
  }

  extension StoreProblem {
    /// The case, for a label.
    fileprivate var kind: String {
      switch self {
      case .lost: "lost"
      case .refusedAtReplay: "refused_at_replay"
      case .nondeterministic: "nondeterministic"
      case .failed: "failed"
      case .blockedByObserver: "blocked_by_observer"
      case .feedback: "feedback"
      case .snapshotIgnored: "snapshot_ignored"
      }
    }
  }
#endif
