public import Alter

/// The text of a rejected change, for an alert: without the ids of items.
///
/// - Parameter error: The reason.
public func text(of error: ChangeError<Refusal>) -> String {
  switch error {
  case .refused(.missing): "The list does not contain this item any more."
  case .refused(let refusal): refusal.message
  default: error.description
  }
}

/// The text of a store's status; nil if changes reach the journal.
///
/// - Parameter status: The status.
public func text(of status: StoreStatus) -> String? {
  switch status {
  case .open: nil
  case .waiting(let wait): "Your changes are not saved yet. \(wait.reason)"
  case .failed(let error): "Changes are no longer saved. \(error)"
  case .closed: "The list is closed. Open the app again."
  }
}
