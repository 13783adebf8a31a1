import AlterCore
import AlterFeedback
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Feedbacks of a live store, and their traces in a journal.
extension Inspection {
  /// Returns the leases, the answers in the journal, and the effects of a live store.
  ///
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(leases + 100 answers). Only answers that the index has read so far are included.
  package func feedback() async throws -> FeedbackReport {
    let now = Date().microseconds
    let leases = try await journal.leases().map { lease in
      FeedbackReport.Right(
        name: lease.name, holder: lease.holder.text, epoch: lease.epoch, expires: lease.expires, isInForce: lease.expires > now)
    }
    try await keeper.start()
    let answers = try await keeper.look { index in
      index.answers.newestFirst.prefix(100).map { answer in
        FeedbackReport.Answer(
          revision: answer.revision, time: answer.time, feedback: answer.feedback < 0 ? "" : index.feedbacks[Int(answer.feedback)],
          request: answer.origin < 0
            ? nil : index.revision(of: EntryID(origin: index.origins[Int(answer.origin)], sequence: answer.sequence)))
      }
    }
    return FeedbackReport(isLive: effects != nil, effects: shownEffects(), leases: leases, answers: answers)
  }

  /// The effects of a live store, without hidden values.
  func shownEffects() -> [FeedbackReport.Effect] {
    guard let effects else { return [] }
    var shown: [FeedbackReport.Effect] = []
    for effect in effects() {
      var cause: Int64?
      if let id = effect.cause { cause = keeper.peek { $0.revision(of: id) } ?? nil }
      shown.append(
        FeedbackReport.Effect(
          feedback: effect.feedback, subject: hiding.keys.contains("id") ? Hiding.mark : effect.subject,
          // The request is a text without keys, so it may contain a value that must be hidden.
          request: hiding.isEmpty ? effect.request : Hiding.mark, phase: effect.phase.description, since: effect.since, depth: effect.depth,
          cause: cause))
    }
    return shown
  }
}

// Exports.
extension Inspection {
  /// Writes the journal as JSON lines, up to its head at the time of the call, and verifies each entry.
  ///
  /// If keys are hidden, the header reports that, and the export cannot be imported.
  ///
  /// - Parameter write: Receives whole lines with their line feeds, several at a time. It may suspend.
  /// - Throws: `JournalError` `damaged` at the first entry that is wrong or missing; `noSuchRevision` if the journal is a device's
  ///   copy that begins after a floor, or is compacted meanwhile; any error of `write`.
  /// - Complexity: O(bytes of the journal), with one page in memory.
  package func export(_ write: (Data) async throws -> Void) async throws {
    let floor = try await journal.exportedFloor()
    let end = try await journal.head()
    var header = ExportLine.header(end, floor: floor?.head)
    if !hiding.isEmpty, case .object(var members) = header {
      // The format has another name, so that no importer accepts it.
      members["alter"] = "journal with hidden values"
      members["hidden"] = .array(hiding.keys.sorted().map { .string($0) })
      members["note"] = "Values are hidden: this can't be imported."
      header = .object(members)
    }
    try await write(ExportLine.line(header))
    if let floor { try await write(ExportLine.line(shownJSON(of: floor))) }
    var position = floor?.head
    while (position?.revision ?? .zero) < end.revision {
      var lines = Data()
      position = try await journal.readVerified(
        after: position, through: min(end.revision, (position?.revision ?? .zero) + 500), bytes: 4 << 20
      ) {
        entry throws(JournalError) in
        lines.append(ExportLine.line(shownJSON(of: entry)))
      }.head
      try await write(lines)
    }
  }
}
