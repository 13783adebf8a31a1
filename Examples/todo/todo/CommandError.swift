import Alter
import AlterTerminal
import TodoCore

/// Why a command ends without success: what to say, and the number for scripts.
struct CommandError: Error {
  let status: ExitStatus
  /// What happened, and what to do next; empty when there is nothing left to say.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The standard output is gone.
  static let outputClosed = CommandError(.outputClosed, "")

  /// A signal asked the command to end, which it did in good order.
  static func signal(_ number: Int32) -> CommandError {
    switch number {
    case SIGHUP: CommandError(.hungUp, "")
    case SIGINT: CommandError(.interrupted, "")
    default: CommandError(.terminated, "")
    }
  }
}

// The library's errors in the command's terms: each says itself what happened, and only the number is added here.
extension CommandError {
  init(_ error: JournalError) {
    let status: ExitStatus =
      switch error.code {
      case .damaged, .undecodable, .refusedAtReplay, .notAJournal, .diverged, .originCollision: .badData
      case .newerFormat, .newerSchema: .newerVersion
      case .locked, .unavailable, .conflict, .leased, .staleLease: .tryAgain
      case .full, .failed, .unknownOutcome: .ioError
      case .readOnly: .noPermission
      case .unreachable: .cannotCreate
      case .noSuchRevision: .noSuchThing
      case .unencodable, .closed, .cancelled: .internalError
      }
    // One line, whatever the name of a file holds.
    self.init(status, error.description.printable)
  }

  init(_ error: ChangeError<Refusal>) {
    switch error {
    case .refused(let refusal): self.init(refusal)
    case .failed(let error): self.init(error)
    case .full, .closed, .requirementDropped, .conditionFailed: self.init(.internalError, error.description)
    }
  }

  init(_ error: CommitError<Refusal>) {
    switch error {
    case .dropped(let refusal): self.init(CommandError(refusal).status, error.description)
    case .failed(let error): self.init(error)
    case .unknown: self.init(.ioError, error.description)
    case .notYet(let reason): self = reason.map(CommandError.init) ?? CommandError(.tryAgain, error.description)
    case .undo(let error): self.init(error)
    case .requirementDropped, .staleLease, .conditionFailed: self.init(.internalError, error.description)
    }
  }

  /// A command has ended before the journal could be reached again.
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
    case .notYet: self.init(.tryAgain, error.description)
    case .nothingToUndo, .nothingToRedo, .outsideWindow, .wouldSuppress: self.init(.refused, error.description)
    case .closed, .full: self.init(.internalError, error.description)
    }
  }

  init(_ refusal: Refusal) {
    if case .missing = refusal { self.init(.noSuchThing, refusal.message) } else { self.init(.refused, refusal.message) }
  }

  init(_ problem: ItemName.Problem) { self.init(.noSuchThing, problem.description) }

  init(_ error: any Error) {
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
