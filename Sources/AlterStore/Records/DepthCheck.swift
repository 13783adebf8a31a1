import AlterCore
import AlterJournal

/// Refuses a change that is too deep to be stored, on the thread that makes it.
///
/// Only a walk through a value can tell its depth. A store walks through the changes of types whose values may contain others without a limit: those
/// that contain themselves, and those with a form by hand, which may hide it. The macros describe the parts of all other types.
struct DepthCheck<State: Alterable>: Sendable {
  private let check: @Sendable (Record<State>.Content) throws -> Void

  /// Creates the check of a type's changes; nil if none of them can be too deep.
  ///
  /// - Complexity: O(1), but for the first call for a type.
  init?(of type: State.Type = State.self) where State: Journaled {
    let (states, changes) = (StoredFormDescription.canNest(State.self), StoredFormDescription.canNest(State.Change.self))
    guard states || changes else { return nil }
    check = { content in
      switch content {
      // A journal keeps a list of changes.
      case .change(let change): if changes { try StoredCoding.checkDepth(of: change, below: 1) }
      case .changes(let list): if changes { try StoredCoding.checkDepth(of: list, below: 0) }
      case .initial(let state), .reset(let state): if states { try StoredCoding.checkDepth(of: state, below: 0) }
      case .undo, .redo: break
      }
    }
  }

  /// Checks the content of a record.
  ///
  /// - Throws: ``ChangeError`` `unencodable`.
  /// - Complexity: That of encoding it.
  func callAsFunction(_ content: Record<State>.Content, in journal: String) throws(ChangeError<State.Failure>) {
    do { try check(content) } catch {
      throw .unencodable(
        JournalError(
          .unencodable, journal: journal, message: "can't hold the change: it can't be written as JSON: \(JournalCoding.explain(error))"))
    }
  }
}
