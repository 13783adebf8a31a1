import Alter
import Hummingbird
import TodoCommands
import TodoCore
import _AlterWeb

/// The reason why a request fails: a status for programs, and a sentence for users.
struct WebRefusal: Error {
  let status: HTTPResponse.Status
  let why: String

  init(_ status: HTTPResponse.Status, _ why: String) { (self.status, self.why) = (status, why) }

  /// `{"error":"…"}`
  var response: Response {
    let json: JSONValue = ["error": .string(why)]
    return .json(json.data, status: status)
  }
}

// 400: the request is malformed. 409: the current list refuses it. 422: it is impossible for any list. 503: the list can't be changed.
extension WebRefusal {
  init(_ error: MalformedRequest) { self.init(.badRequest, error.description) }

  init(_ error: ListCommand.Problem) {
    switch error {
    case .impossible: self.init(.unprocessableContent, error.description)
    case .refused: self.init(.conflict, error.description)
    }
  }

  init(_ error: ChangeError<Refusal>) {
    switch error {
    case .refused(let refusal): self.init(ListCommand.Problem.refused(refusal))
    case .closed, .failed, .unencodable, .full, .requirementDropped, .conditionFailed: self.init(.serviceUnavailable, error.description)
    }
  }

  init(_ error: CommitError<Refusal>) {
    switch error {
    case .dropped(let refusal): self.init(ListCommand.Problem.refused(refusal))
    case .undo(let error): self.init(error)
    case .requirementDropped, .conditionFailed, .staleLease, .refused, .failed, .unknown, .notYet:
      self.init(.serviceUnavailable, error.description)
    }
  }

  init(_ error: UndoError) {
    switch error {
    case .nothingToUndo, .nothingToRedo, .outsideWindow, .wouldSuppress, .performed: self.init(.conflict, error.description)
    case .closed, .full, .failed, .unknown, .notYet, .windowNotLoaded: self.init(.serviceUnavailable, error.description)
    }
  }

  init(_ error: any Error) {
    self =
      switch error {
      case let error as WebRefusal: error
      case let error as MalformedRequest: WebRefusal(error)
      case let error as ListCommand.Problem: WebRefusal(error)
      case let error as ChangeError<Refusal>: WebRefusal(error)
      case let error as CommitError<Refusal>: WebRefusal(error)
      case let error as UndoError: WebRefusal(error)
      case let error as CommandError: WebRefusal(error.status == .refused ? .conflict : .serviceUnavailable, error.message)
      case let error as JournalError: WebRefusal(.serviceUnavailable, error.description)
      default: WebRefusal(.internalServerError, "\(error)")
      }
  }
}
