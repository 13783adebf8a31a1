public import AlterCore
import AlterJournal

extension Store {
  /// Takes back the scope's last active entry, together with the feedback answers it caused, as a new entry of the journal.
  ///
  /// Others' later work stays. When somebody else undoes at the same moment, two entries are taken back.
  ///
  /// - Returns: What was taken back, once the journal has it.
  /// - Throws: ``UndoError``; then nothing has changed.
  /// - Complexity: O(entries since the one taken back), at most the undo window.
  @discardableResult
  public func undo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: false) }

  /// Takes back the scope's last undo, unless something new has followed it.
  ///
  /// - Returns: What was brought back, once the journal has it.
  /// - Throws: ``UndoError``; then nothing has changed.
  @discardableResult
  public func redo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: true) }

  private func takeBack(redo: Bool) async throws(UndoError) -> Undone<State> {
    let (commit, errand) = try makeUndo(redo: redo)
    run(errand)
    switch await commit.result() {
    case .success(let revision):
      let history = core.withLock { $0.replica.history }
      return Undone(revision: revision, records: history.records(concernedBy: revision))
    case .failure(.undo(let error)): throw error
    case .failure(.failed(let error)): throw .failed(error)
    case .failure(.unknown(let error)): throw .unknown(error)
    case .failure(.notYet(let error)): throw .notYet(error)
    case .failure(.dropped), .failure(.requirementDropped), .failure(.staleLease), .failure(.conditionFailed):
      throw redo ? .nothingToRedo : .nothingToUndo
    }
  }

  /// Makes an undo: tried on a copy, apart from the lock, and made when nothing has happened meanwhile.
  private func makeUndo(redo: Bool) throws(UndoError) -> (Commit<State>, Errand) {
    let now = options.now()
    // Who is in a hurry may change the state more quickly than an undo can be tried: then the lock makes him wait.
    for _ in 0..<4 {
      var replica: Replica<State>? = try core.withLock { core throws(UndoError) in
        try core.allowUndo()
        return core.replica.copied()
      }
      let trial = try replica?.tryUndo(redo: redo, now: now)
      // What is pending is shared no more, and changed in place.
      replica = nil
      let made = try core.withLock { core throws(UndoError) in
        try core.allowUndo()
        return trial.map { core.replica.make($0) } == true ? (committed(in: &core), errands(in: &core)) : nil
      }
      if let made { return made }
    }
    return try core.withLock { core throws(UndoError) in
      try core.allowUndo()
      _ = try core.replica.undo(redo: redo, now: now)
      return (committed(in: &core), errands(in: &core))
    }
  }
}

/// What an undo took back, or a redo brought back.
public struct Undone<State: Alterable>: Sendable {
  /// The revision of the undo or redo itself.
  public let revision: Revision
  /// The entries concerned: first the one it is about, then the feedback answers to that one.
  public let records: [Record<State>]
}
