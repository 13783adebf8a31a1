import Alter
import TodoCore

/// The passage of a list from this device to a server, or back, while this process has it open.
///
/// A passage is one step for every other process. A list that goes to a server is marked by its last entry (``TodoCore/AppState/synced``),
/// after which it takes no change; the file of a list that comes back is deleted while the passage has its lock, and a change in a deleted file
/// fails. In both cases the process has changed nothing, and begins again with the other file.
package enum ListMove {
  /// The list goes to a server, or comes back: the change of this process has to be made there.
  struct Moved: Error {}

  /// The list of this process as it was opened; nil before. Set by the only command of the process.
  nonisolated(unsafe) private static var opened: (path: String, isSynced: Bool)?

  /// Whether the command can be run once more from its beginning: it has acknowledged nothing, and has consumed no input. Set by the only
  /// command of the process, and by a server before its first request.
  nonisolated(unsafe) private(set) static var isRepeatable = true

  /// The command can't be run once more.
  package static func acknowledge() {
    if isRepeatable { isRepeatable = false }
  }

  /// Remembers the list of this process.
  static func open(_ path: String, isSynced: Bool) { opened = (path, isSynced) }

  /// Whether the list has gone to a server, or has come back, since this process opened it.
  static var hasHappened: Bool { opened.map { SyncFile.exists($0.path) != $0.isSynced } ?? false }

  /// The reason why a long-running process must be started again; nil if the list is where it was.
  package static func warning(_ store: Store<AppState>) -> String? {
    guard hasHappened || store.state.synced != nil else { return nil }
    return opened?.isSynced == true
      ? "This list is not synced any more, so that nothing can be changed here. Start the command again."
      : "This list is synced with a server now, so that nothing can be changed here. Start the command again."
  }

  /// Whether this process can begin again with the file in which the list is now. A list that was opened as a synced one, and has moved, may be
  /// one again.
  static var canBeginAgain: Bool { isRepeatable && (hasHappened || opened?.isSynced == true) }

  /// Whether an error says that nothing was changed, because the list is elsewhere now.
  static func isCause(of error: any Error) -> Bool {
    switch error {
    case is Moved: true
    case let error as ChangeError<Refusal>:
      switch error {
      case .refused(let refusal): isMark(refusal)
      case .failed(let error): isCause(of: error)
      default: false
      }
    case let error as CommitError<Refusal>:
      switch error {
      case .dropped(let refusal): isMark(refusal)
      case .failed(let error): isCause(of: error)
      default: false
      }
    case UndoError.failed(let error): isCause(of: error)
    // The file is gone. Nothing was written.
    case let error as JournalError: hasHappened && [.diverged, .unreachable].contains(error.code)
    default: false
    }
  }

  private static func isMark(_ refusal: Refusal) -> Bool {
    if case .custom(AppState.isSynced, _) = refusal { true } else { false }
  }

  /// Deletes the files beside a device's file that is gone, which this process may have left when it closed the file.
  static func tidy() {
    if let opened, opened.isSynced { DeviceFile.tidy(opened.path) }
  }

  /// The error of a command that can't be run once more.
  static var error: CommandError {
    guard hasHappened else {
      return CommandError(
        .tryAgain,
        "the list has become a list on a server, but its settings are missing: 'todo sync' with the server's address opens it. Nothing was changed."
      )
    }
    return CommandError(
      .tryAgain,
      "the list has \(opened?.isSynced == true ? "just left its server" : "just gone to a server"): run the command again for everything that was not reported as done."
    )
  }
}
