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
      })
  }
}

/// A journal, and how a state is stored in it.
struct Backend<State: Alterable>: Sendable {
  let journal: any Journal
  let coding: RecordCoding<State>

  /// Folds the journal up to a revision.
  ///
  /// - Parameters:
  ///   - last: The last revision; nil for the present head.
  ///   - window: How far an undo is to reach back.
  ///   - known: Collect the steps after this revision; nil for none.
  /// - Throws: ``JournalError``; `damaged`, `newerSchema` and `undecodable` name the revision.
  /// - Complexity: O(entries up to there).
  func fold(
    through last: Revision? = nil, window: Int, stepsAfter known: Revision? = nil
  ) async throws(JournalError) -> (history: History<State>, head: Head, report: Replica<State>.Report) {
    var history: History<State>?
    var report = Replica<State>.Report()
    var reachesBeyond = false
    let head = try await journal.readVerified(through: last) { entry throws(JournalError) in
      guard !reachesBeyond else { return }
      let record = try coding.record(entry, journal.name)
      guard history != nil else {
        guard case .initial(let state) = record.kind else {
          throw .damaged(journal.name, at: entry.revision, "a journal begins with its initial state, but this is '\(entry.kind.rawValue)'")
        }
        history = History(state, at: entry.revision, window: window)
        return
      }
      switch history!.append(record) {
      case .applied: break
      case .suppressed(let failure): report.refusals.append((record.revision, failure))
      case .reachesBeyond: reachesBeyond = true
      }
      if let known, record.revision > known { report.steps.append((record, history!.state)) }
    }
    if reachesBeyond {
      // Rare: an undo from farther back than the window. Everything is kept for once, and let go of at the end.
      var (whole, head, report) = try await fold(through: last, window: .max, stepsAfter: known)
      whole.narrow(to: window)
      return (whole, head, report)
    }
    guard let history else { throw .noSuchRevision(journal.name, last ?? 1, head: head.revision) }
    return (history, head, report)
  }

  /// The state at a revision, by the marks of that time.
  func state(at revision: Revision) async throws(JournalError) -> State {
    let head = try await journal.head().revision
    guard revision >= 1, revision <= head else { throw .noSuchRevision(journal.name, revision, head: head) }
    return try await fold(through: revision, window: History<State>.spacing).history.state
  }
}
