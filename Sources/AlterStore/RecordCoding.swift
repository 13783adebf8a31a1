import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Between records and entries, for a state that has a stored form.
struct RecordCoding<State: Alterable>: Sendable {
  /// The draft of a record; throws whatever the state's own encoding throws.
  let draft: @Sendable (Record<State>) throws -> Entry.Draft
  /// The record of an entry.
  let record: @Sendable (Entry, _ journal: String) throws(JournalError) -> Record<State>
  /// The JSON of a state, and back, in the present schema: for snapshots.
  let encode: @Sendable (State) throws -> Data
  let decode: @Sendable (Data) throws -> State
  /// The present schema.
  let schema: Int
}

extension RecordCoding where State: Journaled {
  /// The one coding: JSON, by kind, in the state's present schema.
  static var json: RecordCoding {
    let schema = State.schema.version
    return RecordCoding(
      draft: { record in
        let (kind, payload): (Entry.Kind, Data) =
          switch record.kind {
          case .initial(let state): (.initial, try JournalCoding.encode(state))
          case .changes(let changes): (.changes, try JournalCoding.encode(changes))
          case .reset(let state): (.reset, try JournalCoding.encode(state))
          case .undo(let targets): (.undo, try JournalCoding.encode(Entry.Targets(targets)))
          case .redo(let targets): (.redo, try JournalCoding.encode(Entry.Targets(targets)))
          }
        return Entry.Draft(
          kind: kind, id: record.id, time: record.time, scope: record.scope, schema: schema, payload: payload,
          cause: try record.cause.map { try JournalCoding.encode($0) })
      },
      record: { entry, journal throws(JournalError) in
        guard entry.schema <= schema else {
          throw .newerSchema(journal, at: entry.revision, found: entry.schema, known: schema)
        }
        do {
          let kind: Record<State>.Kind =
            switch entry.kind {
            case .initial: .initial(try JournalCoding.decode(from: entry.payload))
            case .changes: .changes(try JournalCoding.decode(from: entry.payload))
            case .reset: .reset(try JournalCoding.decode(from: entry.payload))
            case .undo: .undo(try JournalCoding.decode(Entry.Targets.self, from: entry.payload).targets)
            case .redo: .redo(try JournalCoding.decode(Entry.Targets.self, from: entry.payload).targets)
            }
          return Record(
            revision: entry.revision, id: entry.id, time: entry.time, scope: entry.scope, kind: kind,
            cause: try entry.draft.cause.map { try JournalCoding.decode(from: $0) })
        } catch {
          throw JournalError(
            .undecodable, journal: journal, revision: entry.revision,
            message: """
              holds at revision \(entry.revision) a '\(entry.kind.rawValue)' entry that \(State.self) can't read: \
              \(JournalCoding.explain(error)). The stored bytes are unharmed: was it written by another version of the app?
              """)
        }
      },
      encode: { try JournalCoding.encode($0) },
      decode: { try JournalCoding.decode(from: $0) },
      schema: schema)
  }
}
