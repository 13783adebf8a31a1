import Alter

/// The screen of a list that could not be opened: the reason, and what the user can do.
public struct OpeningProblem: Hashable, Sendable {
  /// The title.
  public let title = "Can’t open the list"
  /// The next step of the user.
  public let advice: String
  /// The reason in detail, for a report.
  public let reason: String
  /// Whether another attempt may succeed without an action outside of the app.
  public let canRetry: Bool

  /// The screen of an error.
  ///
  /// - Parameter error: The error of the opening; for a `JournalError` the advice follows from its code.
  public init(_ error: any Error) {
    reason = "\(error)"
    (advice, canRetry) = Self.advice((error as? JournalError)?.code)
  }

  private static func advice(_ code: JournalError.Code?) -> (String, Bool) {
    switch code {
    case .newerSchema, .newerFormat, .undecodable: ("A newer version of this app has saved the list. Update this app.", false)
    case .locked, .leased: ("Another app is using the list. Close it, and try again.", true)
    case .full: ("The disk is full. Delete something, and try again.", true)
    case .damaged, .notAJournal, .originCollision, .diverged, .refusedAtReplay:
      ("The file of the list is damaged. Restore it from a backup. The app has not changed it.", false)
    case .unreachable, .readOnly: ("The app can’t use the file of the list. After a restart, unlock the device first.", true)
    default: ("The list can’t be used at the moment. Try again.", true)
    }
  }
}
