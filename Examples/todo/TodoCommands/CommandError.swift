import Alter
import AlterInspector
import TodoCore
import _AlterTerminal

/// The reason why a command fails: a message for users, and an exit status for scripts.
package struct CommandError: Error {
  package let status: ExitStatus
  /// The problem and the next step; empty if the command has already reported it.
  package let message: String

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The reader of the standard output is gone.
  static let outputClosed = CommandError(.outputClosed, "")

  /// A signal ended the command, which then finished in order.
  static func signal(_ number: Int32) -> CommandError {
    switch number {
    case SIGHUP: CommandError(.hungUp, "")
    case SIGINT: CommandError(.interrupted, "")
    default: CommandError(.terminated, "")
    }
  }
}

// The library's errors as errors of a command. Their descriptions are the messages; only the exit status is added here.
extension CommandError {
  init(_ error: JournalError) {
    // The inspector's numbers, except that these commands create the list.
    let status = error.code == .unreachable ? .cannotCreate : ExitStatus(rawValue: error.exitStatus) ?? .internalError
    self.init(status, error.description.printable)
  }

  init(_ error: ChangeError<Refusal>) {
    switch error {
    case .refused(let refusal): self.init(refusal)
    case .failed(let error), .unencodable(let error): self.init(error)
    case .full, .closed, .requirementDropped, .conditionFailed: self.init(.internalError, error.description)
    }
  }

  init(_ error: CommitError<Refusal>) {
    switch error {
    case .dropped(let refusal): self.init(CommandError(refusal).status, error.description)
    case .failed(let error): self.init(error)
    case .unknown where ListMove.hasHappened:
      self.init(
        .ioError, "the list was moved while the change was in flight, and its outcome is unknown: check the list before you try again.")
    case .unknown: self.init(.ioError, error.description)
    case .notYet(let reason): self = reason.map(CommandError.init) ?? CommandError(.tryAgain, error.description)
    case .undo(let error): self.init(error)
    case .requirementDropped, .staleLease, .conditionFailed, .refused: self.init(.internalError, error.description)
    }
  }

  /// The command ended before the journal was reachable again.
  init(_ reason: JournalError, leaving leftOver: [Unwritten<AppState>]) {
    let isKnown = !leftOver.isEmpty && leftOver.allSatisfy { !$0.mayBeWritten }
    let outcome =
      isKnown ? "The change was not made." : "The change may have been made nevertheless: check the list before you try again."
    self.init(CommandError(reason).status, "\(reason) \(outcome)")
  }

  init(_ error: UndoError) {
    switch error {
    case .failed(let error): self.init(error)
    case .unknown: self.init(.ioError, error.description)
    case .notYet, .windowNotLoaded: self.init(.tryAgain, error.description)
    case .nothingToUndo, .nothingToRedo, .outsideWindow, .wouldSuppress, .performed: self.init(.refused, error.description)
    case .closed, .full: self.init(.internalError, error.description)
    }
  }

  init(_ refusal: Refusal) {
    if case .missing = refusal { self.init(.noSuchThing, refusal.message) } else { self.init(.refused, refusal.message) }
  }

  init(_ problem: ItemName.Problem) { self.init(.noSuchThing, problem.description) }

  package init(_ error: any Error) {
    self =
      switch error {
      case let error as CommandError: error
      case let error as JournalError: CommandError(error)
      case let error as ChangeError<Refusal>: CommandError(error)
      case let error as CommitError<Refusal>: CommandError(error)
      case let error as UndoError: CommandError(error)
      case let error as ItemName.Problem: CommandError(error)
      case let error as Refusal: CommandError(error)
      default: CommandError(.internalError, "\(error)")
      }
  }
}
