import AlterCore
import AlterJournal

/// The result of deciding one draft.
package enum Outcome: Sendable, Hashable {
  /// The draft was decided before.
  case repeated(Verdict)
  /// The draft is accepted: it becomes an entry.
  case accepted(SyncDraft)
  /// The draft is refused, and the refusal becomes an entry.
  case refused(RefusalCode, reason: String)
  /// The draft is refused without an entry, because its id belongs to another draft or another principal.
  case unrecorded(RefusalCode, at: Revision?)
  /// The draft is not decided now, and neither are those after it.
  case hold(SyncHold.Code)
}

/// The rules of a decision in their order. `Design/0018-sync.md` lists them under the same names, with the numbers 1 to 13.
///
/// (An array of a type inside the generic ``Decision`` would look up its types at each decision.)
package enum DecisionRule: Sendable, CaseIterable {
  case origin, lookUp, order, sequence, form, kind, scope, schema, requirement, attempt, undo, permission, state

  package static let allCases: [DecisionRule] = [
    .origin, .lookUp, .order, .sequence, .form, .kind, .scope, .schema, .requirement, .attempt, .undo, .permission, .state,
  ]
  /// The rules before the policy's.
  static let beforePermission = Array(allCases.prefix { $0 != .permission })
}

/// The decision about one draft: a function of the principal, the draft, the time of arrival, the journal at its head and the policy's
/// answers.
///
/// The rules are asked in the order of ``DecisionRule``; the first that has an outcome decides. A draft that no rule stops is accepted.
package struct Decision<Ground: DecisionGround>: Sendable {
  package typealias Rule = DecisionRule

  package let submission: Submission
  package let principal: Principal
  /// Microseconds since 1970 UTC, by the server's clock. The policy has seen it; no other rule uses it.
  package let arrival: Int64
  /// The journal at the head on which the draft is decided.
  package let ground: Ground
  /// Whether the policy grants the draft's scope.
  package let isScopeGranted: Bool
  /// The policy's answer for this draft in the state at that head; nil if it was not asked.
  package var permission: Permission?
  package let limits: SyncLimits

  /// Prepares a decision. If ``needsPermission`` is true, set ``permission`` to the policy's answer, which may take its time.
  package init(
    _ submission: Submission, by principal: Principal, arrival: Int64, on ground: Ground, isScopeGranted: Bool,
    limits: SyncLimits
  ) {
    self.submission = submission
    self.principal = principal
    self.arrival = arrival
    self.ground = ground
    self.isScopeGranted = isScopeGranted
    self.limits = limits
  }

  /// Whether no rule before the policy's has an outcome.
  package var needsPermission: Bool {
    for rule in Rule.beforePermission where outcome(of: rule) != nil { return false }
    return true
  }

  /// Decides.
  ///
  /// - Parameter isReady: Whether ``needsPermission`` was true, so that only the rules from the policy's on have to be asked.
  package func outcome(afterPermission isReady: Bool = false) -> Outcome {
    for rule in Rule.allCases where !isReady || rule == .permission || rule == .state {
      if let outcome = outcome(of: rule) { return outcome }
    }
    guard case .draft(let draft) = submission.body else { return .refused(.malformed, reason: "there is no draft") }
    return .accepted(draft)
  }

  /// Asks one rule. Nil means that it does not stop the draft.
  package func outcome(of rule: Rule) -> Outcome? {
    switch rule {
    case .origin: origin()
    case .lookUp: lookUp()
    case .order: order()
    case .sequence: sequence()
    case .form: form()
    case .kind: draft.flatMap(kind)
    case .scope: draft.flatMap(scope)
    case .schema: draft.flatMap(schema)
    case .requirement: draft.flatMap(requirement)
    case .attempt: draft.flatMap(attempt)
    case .undo: draft.flatMap(undo)
    case .permission: draft.flatMap { _ in permit() }
    case .state: draft.flatMap(apply)
    }
  }

  private var draft: SyncDraft? { submission.draft }
}

// MARK: - The rules, each on its own

extension Decision {
  /// 1. `origin`: An origin is bound to its principal at first use. A foreign origin stops only its own drafts, and gets no entry: an entry
  /// would take the id away from its owner.
  private func origin() -> Outcome? {
    guard let known = ground.standing(of: submission.id.origin), !known.belongs(to: principal) else { return nil }
    return .unrecorded(.foreign, at: nil)
  }

  /// 2. `lookUp`: A decided draft gets its verdict again; other content under a decided id is a clone.
  private func lookUp() -> Outcome? {
    guard let standing = ground.standing(of: submission.id) else { return nil }
    guard standing.hash == submission.hash else {
      // The draft before a clone is decided first, too: the draft after it asks only whether the clone's id is decided.
      return order() ?? .unrecorded(.clone, at: standing.verdict.revision)
    }
    return .repeated(standing.verdict)
  }

  /// 3. `order`: The draft before this one in its outbox is decided first. (Under a foreign origin it has a verdict without an entry.)
  private func order() -> Outcome? {
    guard let after = submission.after, ground.standing(of: after) == nil else { return nil }
    if let known = ground.standing(of: after.origin), !known.belongs(to: principal) { return nil }
    return .hold(.order)
  }

  /// 4. `sequence`: The sequences of an origin only ascend; gaps are normal.
  private func sequence() -> Outcome? {
    let last = ground.standing(of: submission.id.origin)?.last ?? 0
    return submission.id.sequence <= last ? .refused(.late, reason: "the origin has used sequence \(last) already") : nil
  }

  /// 5. `form`: Every draft in a sound envelope gets a verdict. A forged answer to a request that acts would keep its user from the undo.
  private func form() -> Outcome? {
    switch submission.body {
    case .draft(let draft) where draft.size > limits.bytesPerDraft:
      .refused(.tooLarge, reason: "the limit is \(limits.bytesPerDraft) bytes")
    case .draft(let draft):
      draft.cause.request == nil || principal == .server
        ? nil : .refused(.malformed, reason: "only the server answers a request that acts")
    case .oversized(_, let size, _): .refused(.tooLarge, reason: "it has \(size) bytes, and the limit is \(limits.bytesPerDraft)")
    case .malformed: .refused(.malformed, reason: "it cannot be decoded")
    }
  }

  /// 6. `kind`: A draft is a batch of changes, an undo or a redo.
  private func kind(_ draft: SyncDraft) -> Outcome? {
    guard case .other(let kind, _) = draft.content else { return nil }
    return .refused(.kind, reason: "a draft cannot be a '\(kind.rawValue)'")
  }

  /// 7. `scope`: The policy grants the scope, unless nothing in it can be undone.
  private func scope(_ draft: SyncDraft) -> Outcome? {
    isScopeGranted || draft.scope == .never ? nil : .refused(.scope, reason: "the policy does not grant the undo scope")
  }

  /// 8. `schema`: A newer schema is held until the operator enables it.
  private func schema(_ draft: SyncDraft) -> Outcome? {
    draft.schema > ground.schema ? .hold(.schema) : nil
  }

  /// 9. `requirement`: The requirement, or another attempt of it, is accepted. Everything before the draft is decided, so an absent one
  /// will not come.
  private func requirement(_ draft: SyncDraft) -> Outcome? {
    guard let required = draft.requires, !ground.isAccepted(required) else { return nil }
    return .refused(.requirement, reason: "the change that it requires was not accepted")
  }

  /// 10. `attempt`: At most one attempt of a change is accepted, and all attempts belong to one principal.
  private func attempt(_ draft: SyncDraft) -> Outcome? {
    if let first = draft.retries, let known = ground.standing(of: first.origin), !known.belongs(to: principal) {
      return .refused(.retries, reason: "the first attempt belongs to another principal")
    }
    if let accepted = ground.acceptedAttempt(of: draft.family) { return .refused(.retried, reason: "the attempt \(accepted) was accepted") }
    return nil
  }

  /// 11. `undo`: The rules of undo.
  private func undo(_ draft: SyncDraft) -> Outcome? { draft.target == nil ? nil : obstacle(to: draft) }

  /// 12. `permission`: The policy permits the change. Its failure is no verdict.
  private func permit() -> Outcome? {
    switch permission {
    case .permitted: return nil
    case .denied(let reason): return .refused(.denied, reason: reason)
    // A policy that was not asked permits nothing.
    case .failed, nil: return .hold(.policy)
    }
  }

  /// 13. `state`: The state accepts the change.
  private func apply(_ draft: SyncDraft) -> Outcome? { draft.target == nil ? obstacle(to: draft) : nil }

  private func obstacle(to draft: SyncDraft) -> Outcome? {
    ground.obstacle(to: draft).map { .refused($0.code, reason: $0.reason) }
  }
}
