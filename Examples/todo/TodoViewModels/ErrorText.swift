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

/// Runs a task of a screen.
///
/// - Parameter task: The task.
/// - Returns: The text of its error, which the screen shows until a task succeeds; nil if it succeeds.
@MainActor
public func failure(of task: @MainActor () async throws -> Void) async -> String? {
  do {
    try await task()
    return nil
  } catch {
    return text(of: error)
  }
}

/// The text of a store's status, for a row of a screen; nil if changes reach the journal.
///
/// - Parameter status: The status.
public func text(of status: StoreStatus) -> String? {
  switch status {
  case .open: nil
  case .waiting(let wait): "Your changes are not saved yet. \(OpeningProblem(wait.reason).advice)"
  case .failed(let error): "Changes are no longer saved. \(OpeningProblem(error).advice)"
  case .closed: "The list is closed. Open the app again."
  }
}

/// The text of a problem that no action has reported; nil if the user need not know it.
///
/// - Parameter problem: The problem.
public func text(of problem: StoreProblem) -> String? {
  switch problem {
  case .lost: "A change was lost, because the list was changed elsewhere, or could not be saved. Check the list."
  // The status of the store has a failure. No problem of the others loses a change of the user.
  case .failed, .refusedAtReplay, .nondeterministic, .feedback, .snapshotIgnored, .blockedByObserver: nil
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
  case .failed(let error), .unencodable(let error): OpeningProblem(error).advice
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
