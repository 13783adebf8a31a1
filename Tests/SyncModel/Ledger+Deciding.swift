import AlterCore
import AlterJournal
import AlterSyncCore

extension Ledger {
  /// Decides a draft at the head, as the server does, and asks the policy if it is needed.
  ///
  /// - Parameter rules: The rules to follow. Without one, the outcome of its step is replaced by that of a simpler design.
  package func outcome(
    of submission: Submission, by principal: Principal, arrival: Int64, policy: any LedgerPolicy<State>, limits: SyncLimits,
    rules: ModelRules = .all
  ) -> Outcome {
    var decision = Decision(
      submission, by: principal, arrival: arrival, on: self,
      isScopeGranted: submission.draft.map { policy.grants($0.scope, to: principal) } ?? true, limits: limits)
    if decision.needsPermission || rules != .all, let draft = submission.draft {
      decision.permission = policy.permit(principal, draft, in: timeline.state, arrival: arrival)
    }
    guard rules != .all else { return decision.outcome() }
    for step in DecisionRule.allCases {
      if let outcome = outcome(of: step, decision, rules) { return outcome }
    }
    guard case .draft(let draft) = submission.body else { return .refused(.malformed, reason: "there is no draft") }
    return .accepted(draft)
  }

  /// The outcome of one step of a decision, under some of the rules.
  private func outcome(of step: DecisionRule, _ decision: Decision<Self>, _ rules: ModelRules) -> Outcome? {
    let (submission, outcome) = (decision.submission, decision.outcome(of: step))
    let last = standing(of: submission.id.origin)?.last ?? 0
    switch (step, outcome) {
    case (.origin, _) where !rules.contains(.bindsOrigins): return nil
    case (.lookUp, _) where !rules.contains(.looksUp): return nil
    case (.lookUp, .unrecorded(.clone, _)) where !rules.contains(.comparesHashes):
      return standing(of: submission.id).map { .repeated($0.verdict) }
    case (.order, _) where !rules.contains(.keepsOrder): return nil
    case (.sequence, .refused(.late, _)) where !rules.contains(.refusesLate): return nil
    case (.sequence, nil) where !rules.contains(.permitsGaps) && submission.id.sequence != last + 1: return .hold(.order)
    case (.form, .refused(.malformed, _)) where !rules.contains(.refusesMalformed): return .hold(.order)
    case (.scope, _) where !rules.contains(.checksScopes): return nil
    case (.schema, .hold) where !rules.contains(.holdsNewerSchema): return .refused(.malformed, reason: "the schema is unknown")
    case (.requirement, _) where !rules.contains(.checksRequirements): return nil
    case (.attempt, .refused(.retried, _)) where !rules.contains(.acceptsOneAttempt): return nil
    case (.permission, _) where !rules.contains(.asksPolicy): return nil
    case (.permission, .hold) where !rules.contains(.holdsFailingPolicy): return .refused(.denied, reason: "the policy failed")
    case (.undo, .refused(.superseded, _)) where !rules.contains(.supersedes): return nil
    default: return outcome
    }
  }
}
