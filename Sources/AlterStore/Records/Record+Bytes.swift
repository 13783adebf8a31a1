import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The bytes of records in a synced journal, which keeps bytes, while its stores speak in records.
extension Record where State: Journaled {
  /// Decodes an entry, or a draft at a provisional revision; nil for the refusal of a draft.
  ///
  /// - Throws: ``/AlterJournal/JournalError``: `newerSchema`, `undecodable`.
  package static func decoding(_ entry: Entry, in journal: String) throws(JournalError) -> Record? {
    try RecordCoding<State>.json.record(entry, journal)
  }

  /// Encodes the record as a device's draft: an undo or a redo names one entry, and its answers follow by rule.
  ///
  /// - Parameter requirement: The change that it requires.
  /// - Throws: The errors of the state's own encoding.
  package func deviceDraft(requires requirement: EntryID?) throws -> Entry.Draft {
    let draft = try RecordCoding<State>.json.draft(self)
    var cause = cause ?? Cause()
    (cause.requires, cause.retries) = (requirement ?? cause.requires, extra?.retries)
    let payload: Data =
      if content.isMark, let target = targets.first { try JournalCoding.encode(Entry.Targets(byRule: target)) } else { draft.payload }
    return Entry.Draft(
      kind: draft.kind, id: draft.id, time: draft.time, scope: draft.scope, schema: draft.schema, payload: payload,
      cause: cause.isEmpty ? nil : try JournalCoding.encode(cause))
  }
}

extension Journaled {
  /// Decodes the JSON of a state, as a floor has it, and converts it from an older schema.
  package static func decoding(_ payload: Data, schema: Int) throws -> Self { try RecordCoding<Self>.json.decode(payload, schema) }
}
