/// The rules that the model can leave out, to show that a law then fails. Those that are the model's own are switches in it; decisions of the
/// product are replaced by wrong ones where the model asks for them. The rules that the product follows between two such places can't be left
/// out here: `script/plant-faults` removes each from a copy of the sources.
package struct ModelRules: OptionSet, Sendable, Hashable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let all = ModelRules(rawValue: .max)

  // The server's decision, in its order.
  /// An origin belongs to the principal that used it first.
  package static let bindsOrigins = ModelRules(rawValue: 1 << 0)
  /// The server looks a draft up before it decides.
  package static let looksUp = ModelRules(rawValue: 1 << 1)
  /// A repeated id with another hash is a clone.
  package static let comparesHashes = ModelRules(rawValue: 1 << 2)
  /// A draft is decided after the one before it in its outbox.
  package static let keepsOrder = ModelRules(rawValue: 1 << 3)
  /// A sequence below the last one of its origin is late.
  package static let refusesLate = ModelRules(rawValue: 1 << 4)
  /// Gaps in the sequences of an origin are normal.
  package static let permitsGaps = ModelRules(rawValue: 1 << 5)
  /// A malformed or oversized draft gets a verdict and holds up no other draft.
  package static let refusesMalformed = ModelRules(rawValue: 1 << 6)
  /// The policy grants scopes.
  package static let checksScopes = ModelRules(rawValue: 1 << 7)
  /// A newer schema is held, not refused.
  package static let holdsNewerSchema = ModelRules(rawValue: 1 << 8)
  /// A draft whose requirement was refused is refused.
  package static let checksRequirements = ModelRules(rawValue: 1 << 9)
  /// At most one attempt of a change is accepted.
  package static let acceptsOneAttempt = ModelRules(rawValue: 1 << 10)
  /// An undo keeps its target, and answers go with it by rule.
  package static let undoesAnswers = ModelRules(rawValue: 1 << 11)
  /// An undo of an undone entry is superseded.
  package static let supersedes = ModelRules(rawValue: 1 << 12)
  /// A failing policy is a hold.
  package static let holdsFailingPolicy = ModelRules(rawValue: 1 << 13)
  /// The policy is asked.
  package static let asksPolicy = ModelRules(rawValue: 1 << 14)
  /// Refusals do not count for the undo window.
  package static let windowSkipsRefusals = ModelRules(rawValue: 1 << 15)
  /// Refusals have a budget.
  package static let hasBudget = ModelRules(rawValue: 1 << 16)

  // The server's processes.
  /// A process decides again if the head has moved.
  package static let decidesAgain = ModelRules(rawValue: 1 << 17)
  /// A process reads the database before it reports that it does not have a device's head.
  package static let readsHead = ModelRules(rawValue: 1 << 18)
  /// A process that does not know the generation of a device reads the database.
  package static let readsGenerations = ModelRules(rawValue: 1 << 19)
  /// Compaction keeps verdicts and origins.
  package static let keepsVerdicts = ModelRules(rawValue: 1 << 20)
  /// Verdicts come before entries in an answer.
  package static let verdictsFirst = ModelRules(rawValue: 1 << 21)
  /// A request under another principal's token is refused.
  package static let comparesPrincipals = ModelRules(rawValue: 1 << 22)
  /// A mirror whose floor lies above the journal's takes a new floor: entries of a restored journal may undo what it has folded in.
  package static let comparesFloors = ModelRules(rawValue: 1 << 23)

  /// A mirror whose floor lies above the journal's continues if no undo can reach below that floor: the device has compacted its copy.
  package static let acceptsFloors = ModelRules(rawValue: 1 << 24)

  // The device.
  /// A generation that a device has left is no restart by the operator, but a backup that is older than the operator's last decision.
  package static let knowsFormerGenerations = ModelRules(rawValue: 1 << 25)
  /// An answer is absorbed only by the state of the file that has asked: another process of the device may have changed it meanwhile.
  package static let comparesRequests = ModelRules(rawValue: 1 << 26)
  /// Under another principal's token nothing is sent, and the file takes no changes.
  package static let locks = ModelRules(rawValue: 1 << 27)
  /// A device's own floor leaves an undo window of entries.
  package static let leavesWindow = ModelRules(rawValue: 1 << 28)
  /// A mirror whose fold has stopped at an entry of a newer schema keeps its floor: the state after that entry is not known.
  package static let foldsToFloor = ModelRules(rawValue: 1 << 29)
  /// A draft keeps its id when it is sent again.
  package static let keepsIDs = ModelRules(rawValue: 1 << 30)
  /// Own accepted entries beyond an outdated fold stay in the view.
  package static let showsOwnBeyondFold = ModelRules(rawValue: 1 << 31)
  /// Mirror entries are verified against the chain.
  package static let verifiesChain = ModelRules(rawValue: 1 << 32)
  /// Verdict, mirror and outbox change in one transaction.
  package static let oneTransaction = ModelRules(rawValue: 1 << 33)
  /// A process that takes over an outbox makes its own origin.
  package static let newOriginPerHandle = ModelRules(rawValue: 1 << 34)
  /// The server's initial state replaces the local one beneath the drafts.
  package static let replacesInitial = ModelRules(rawValue: 1 << 35)
  /// The retry of a clone has a stamp of its own.
  package static let renewsClones = ModelRules(rawValue: 1 << 36)
  /// A draft that the view refuses is sent nevertheless.
  package static let sendsPredictedRefusals = ModelRules(rawValue: 1 << 37)
  /// A process whose view is older than a revision that the device knows of, or another than a hint's, reads the database.
  package static let readsKnown = ModelRules(rawValue: 1 << 38)

  // The engine.
  /// A request has a timeout.
  package static let timesOut = ModelRules(rawValue: 1 << 39)
  /// The engine ignores answers to requests that it has given up.
  package static let ignoresLateAnswers = ModelRules(rawValue: 1 << 40)
}
