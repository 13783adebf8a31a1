import Alter

/// The text of an error, for an alert or for Siri: the problem and the next step, without ids and names of files.
///
/// - Parameter error: An error of an action, a command, an undo or the opening of the list.
public func text(of error: any Error) -> String {
  switch error {
  case let error as Refusal: text(of: error)
  case let error as ChangeError<Refusal>: text(of: error)
  case let error as CommitError<Refusal>: text(of: error)
  case let error as UndoError: text(of: error)
  case let error as JournalError where error.code == .noSuchRevision: "The history has no such entry."
  case let error as JournalError: OpeningProblem(error).advice
  default: "\(error)"
  }
}

private func text(of refusal: Refusal) -> String {
  switch refusal {
  case .missing("item", _): "The list does not contain this item any more."
  case .missing("note", _): "The list does not contain this note any more."
  default: refusal.message
  }
}

private func text(of error: ChangeError<Refusal>) -> String {
  switch error {
  case .refused(let refusal): text(of: refusal)
  case .failed(let error): OpeningProblem(error).advice
  default: error.description
  }
}

private func text(of error: CommitError<Refusal>) -> String {
  switch error {
  case .dropped(let refusal): text(of: refusal)
  case .failed(let error): OpeningProblem(error).advice
  default: error.description
  }
}

private func text(of error: UndoError) -> String {
  switch error {
  case .failed(let error): OpeningProblem(error).advice
  default: error.description
  }
}
