/// The rules that keep the laws, as switches. Every program uses all of them; tests remove one to show that a law then fails.
package struct SyncRules: OptionSet, Sendable, Hashable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let all = SyncRules(rawValue: .max)

  // The server's decision, in its order.
  /// An origin belongs to the principal that used it first.
  package static let bindsOrigins = SyncRules(rawValue: 1 << 0)
  /// The server looks a draft up before it decides.
  package static let looksUp = SyncRules(rawValue: 1 << 1)
  /// A repeated id with another hash is a clone.
  package static let comparesHashes = SyncRules(rawValue: 1 << 2)
  /// A draft is decided after the one before it in its outbox.
  package static let keepsOrder = SyncRules(rawValue: 1 << 3)
  /// A sequence below the last one of its origin is late.
  package static let refusesLate = SyncRules(rawValue: 1 << 4)
  /// Gaps in the sequences of an origin are normal.
  package static let permitsGaps = SyncRules(rawValue: 1 << 5)
  /// A malformed or oversized draft gets a verdict and holds up no other draft.
  package static let refusesMalformed = SyncRules(rawValue: 1 << 6)
  /// The policy grants scopes.
  package static let checksScopes = SyncRules(rawValue: 1 << 7)
  /// A newer schema is held, not refused.
  package static let holdsNewerSchema = SyncRules(rawValue: 1 << 8)
  /// A draft whose requirement was refused is refused.
  package static let checksRequirements = SyncRules(rawValue: 1 << 9)
  /// At most one attempt of a change is accepted.
  package static let acceptsOneAttempt = SyncRules(rawValue: 1 << 10)
  /// An undo keeps its target, and answers go with it by rule.
  package static let undoesAnswers = SyncRules(rawValue: 1 << 11)
  /// An undo of an undone entry is superseded.
  package static let supersedes = SyncRules(rawValue: 1 << 12)
  /// A failing policy is a hold.
  package static let holdsFailingPolicy = SyncRules(rawValue: 1 << 13)
  /// The policy is asked.
  package static let asksPolicy = SyncRules(rawValue: 1 << 14)
  /// Refusals do not count for the undo window.
  package static let windowSkipsRefusals = SyncRules(rawValue: 1 << 15)
  /// Refusals have a budget.
  package static let hasBudget = SyncRules(rawValue: 1 << 16)

  // The server's processes.
  /// A process decides again if the head has moved.
  package static let decidesAgain = SyncRules(rawValue: 1 << 17)
  /// A process reads the database before it reports that it does not have a device's head.
  package static let readsHead = SyncRules(rawValue: 1 << 18)
  /// A process that does not know the generation of a device reads the database.
  package static let readsGenerations = SyncRules(rawValue: 1 << 46)
  /// Compaction keeps verdicts and origins.
  package static let keepsVerdicts = SyncRules(rawValue: 1 << 19)
  /// Verdicts come before entries in an answer.
  package static let verdictsFirst = SyncRules(rawValue: 1 << 20)
  /// A request under another principal's token is refused.
  package static let comparesPrincipals = SyncRules(rawValue: 1 << 21)
  /// A mirror whose floor lies above the journal's takes a new floor: entries of a restored journal may undo what it has folded in.
  package static let comparesFloors = SyncRules(rawValue: 1 << 40)

  /// A mirror whose floor lies above the journal's continues if no undo can reach below that floor: the device has compacted its copy.
  package static let acceptsFloors = SyncRules(rawValue: 1 << 49)

  // The device.
  /// A draft leaves the outbox only when the mirror covers its verdict.
  package static let waitsForMirror = SyncRules(rawValue: 1 << 22)
  /// A verdict at or below the floor ends a draft.
  package static let leavesAtFloor = SyncRules(rawValue: 1 << 23)
  /// Known verdicts end with a generation.
  package static let forgetsVerdicts = SyncRules(rawValue: 1 << 24)
  /// Accepted changes that the operator has discarded become refusals, and are not sent again.
  package static let losesOnRestart = SyncRules(rawValue: 1 << 25)
  /// After a restart, an own change is forgotten only when the new mirror has it: another restore may come first.
  package static let awaitsEntries = SyncRules(rawValue: 1 << 41)
  /// A generation that a device has left is no restart by the operator, but a backup that is older than the operator's last decision.
  package static let knowsFormerGenerations = SyncRules(rawValue: 1 << 42)
  /// An answer of another journal stops the device, unless the operator's command names the device's generation.
  package static let comparesJournals = SyncRules(rawValue: 1 << 43)
  /// A server that lacks a revision that it has told was restored: the device stops, instead of asking for the revision without end, or
  /// listing changes as lost before the operator has decided.
  package static let noticesLostVerdicts = SyncRules(rawValue: 1 << 44)
  /// A floor of the same generation that does not know own entries stops the device.
  package static let asksForOwnEntries = SyncRules(rawValue: 1 << 45)
  /// An answer is absorbed only by the state of the file that has asked: another process of the device may have changed it meanwhile.
  package static let comparesRequests = SyncRules(rawValue: 1 << 47)
  /// Under another principal's token nothing is sent, and the file takes no changes.
  package static let locks = SyncRules(rawValue: 1 << 48)
  /// A device's own floor leaves an undo window of entries.
  package static let leavesWindow = SyncRules(rawValue: 1 << 50)
  /// A mirror whose fold has stopped at an entry of a newer schema keeps its floor: the state after that entry is not known.
  package static let foldsToFloor = SyncRules(rawValue: 1 << 51)
  /// A device's own floor is not the server's word: an awaited change at or below it stays.
  package static let awaitsBelowFloor = SyncRules(rawValue: 1 << 52)
  /// If a mirror begins again at an earlier floor, its own entries are awaited: a restore may come before they arrive.
  package static let awaitsAtEarlierFloor = SyncRules(rawValue: 1 << 53)
  /// A draft keeps its id when it is sent again.
  package static let keepsIDs = SyncRules(rawValue: 1 << 26)
  /// Own accepted entries beyond an outdated fold stay in the view.
  package static let showsOwnBeyondFold = SyncRules(rawValue: 1 << 27)
  /// Mirror entries are verified against the chain.
  package static let verifiesChain = SyncRules(rawValue: 1 << 28)
  /// Verdict, mirror and outbox change in one transaction.
  package static let oneTransaction = SyncRules(rawValue: 1 << 29)
  /// A process that takes over an outbox makes its own origin.
  package static let newOriginPerHandle = SyncRules(rawValue: 1 << 30)
  /// The server's initial state replaces the local one beneath the drafts.
  package static let replacesInitial = SyncRules(rawValue: 1 << 31)
  /// A refused draft is kept for the user.
  package static let keepsRefused = SyncRules(rawValue: 1 << 32)
  /// The retry of a clone has a stamp of its own.
  package static let renewsClones = SyncRules(rawValue: 1 << 39)
  /// A draft that the view refuses is sent nevertheless.
  package static let sendsPredictedRefusals = SyncRules(rawValue: 1 << 33)
  /// A process whose view is older than a revision that the device knows of, or another than a hint's, reads the database.
  package static let readsKnown = SyncRules(rawValue: 1 << 38)

  // The engine.
  /// A failed exchange is repeated.
  package static let retriesFailures = SyncRules(rawValue: 1 << 34)
  /// A request has a timeout.
  package static let timesOut = SyncRules(rawValue: 1 << 35)
  /// A pull does not wait for an empty outbox.
  package static let pullsWithOutbox = SyncRules(rawValue: 1 << 36)
  /// The engine ignores answers to requests that it has given up.
  package static let ignoresLateAnswers = SyncRules(rawValue: 1 << 37)
}
