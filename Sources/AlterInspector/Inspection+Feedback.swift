import AlterCore
import AlterFeedback
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Feedbacks, live and at rest.
extension Inspection {
  /// What feedbacks are doing, or have done.
  ///
  /// - Throws: `JournalError` when the journal can't be read.
  /// - Complexity: O(leases + 100 answers); the answers are those that the background has come to.
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
          request: index.revision(of: EntryID(origin: index.origins[Int(answer.origin)], sequence: answer.sequence)))
      }
    }
    return FeedbackReport(isLive: effects != nil, effects: shownEffects(), leases: leases, answers: answers)
  }

  /// The effects of a live store, with what is in them hidden.
  func shownEffects() -> [FeedbackReport.Effect] {
    guard let effects else { return [] }
    var shown: [FeedbackReport.Effect] = []
    for effect in effects() {
      var cause: Int64?
      if let id = effect.cause { cause = keeper.peek { $0.revision(of: id) } ?? nil }
      shown.append(
        FeedbackReport.Effect(
          feedback: effect.feedback, subject: hiding.keys.contains("id") ? Hiding.mark : effect.subject,
          // The request is a text without keys: whether something in it is to be hidden can't be seen.
          request: hiding.isEmpty ? effect.request : Hiding.mark, phase: effect.phase, since: effect.since, depth: effect.depth,
          cause: cause))
    }
    return shown
  }
}

// Exports.
extension Inspection {
  /// Writes the journal as JSON lines, up to its present end; every entry is checked.
  ///
  /// With hidden keys the header says so, and the export can't be imported.
  ///
  /// - Parameter write: Takes some lines, their line feeds included. It may wait.
  /// - Throws: `JournalError` `damaged` at the first entry that is wrong or missing; what `write` throws.
  /// - Complexity: O(bytes of the journal), one page in memory.
  package func export(_ write: (Data) async throws -> Void) async throws {
    let end = try await journal.head()
    var header: [String: JSONValue] = [
      "alter": "journal", "format": 1, "journal": .string(end.journal.description), "revision": .integer(end.revision.number),
      "checksum": .string(end.checksum.description),
    ]
    if !hiding.isEmpty {
      // Another name, so that no reader of exports takes it for one.
      header["alter"] = "journal with hidden values"
      header["hidden"] = .array(hiding.keys.sorted().map { .string($0) })
      header["note"] = "Values are hidden: this can't be imported."
    }
    try await write(Self.line(.object(header)))
    var position: Head?
    while (position?.revision ?? .zero) < end.revision {
      var lines = Data()
      position = try await journal.readVerified(
        after: position, through: min(end.revision, (position?.revision ?? .zero) + 500), bytes: 4 << 20
      ) {
        entry throws(JournalError) in
        lines.append(Self.line(shownJSON(of: entry)))
      }.head
      try await write(lines)
    }
  }

  private static func line(_ value: JSONValue) -> Data { value.data + [UInt8(ascii: "\n")] }
}
