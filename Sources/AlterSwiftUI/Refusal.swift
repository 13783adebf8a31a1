import AlterCore
import AlterStore

extension Observed {
  /// Whether there is a refusal to present. The alert sets this to false when the user dismisses it.
  var isRefused: Bool {
    get { refusal != nil }
    set { if !newValue { dismissRefusal() } }
  }
}

extension ChangeError {
  /// The reason alone: the title of the alert already says that the change was refused.
  var reason: String {
    if case .refused(let failure) = self { "\(failure)" } else { description }
  }
}
