/// The exit status of a command, for scripts. The numbers are those of BSD's `sysexits.h`.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// The command succeeded, and its changes are on disk.
  case success = 0
  /// The list refused the command: there is nothing to undo, or later changes depend on it. Nothing was changed.
  case refused = 1
  /// The command line is wrong (EX_USAGE). Nothing was changed.
  case usage = 64
  /// The store is damaged or not a store, or an imported file has malformed lines (EX_DATAERR).
  case badData = 65
  /// The item, revision or input file does not exist (EX_NOINPUT). Nothing was changed.
  case noSuchThing = 66
  /// A bug in this program (EX_SOFTWARE).
  case internalError = 70
  /// The store or the exported file can't be created (EX_CANTCREAT).
  case cannotCreate = 73
  /// Reading or writing failed, or the disk is full (EX_IOERR). Changes that were not acknowledged may be lost.
  case ioError = 74
  /// The store was contended for too long, or another process changed it first. A retry may succeed (EX_TEMPFAIL).
  case tryAgain = 75
  /// A newer version of this program or of its file format wrote the file (EX_PROTOCOL). Nothing was changed.
  case newerVersion = 76
  /// The user has no permission to read or write the file (EX_NOPERM).
  case noPermission = 77
  /// The terminal was closed while `watch` showed the list (128 + SIGHUP). The changes are on disk.
  case hungUp = 129
  /// `watch` received SIGINT from another process (128 + SIGINT). The changes are on disk.
  case interrupted = 130
  /// `watch` received SIGTERM (128 + SIGTERM). The changes are on disk.
  case terminated = 143
  /// The reader of the output is gone (128 + SIGPIPE, as a shell reports it). The command prints no message.
  case outputClosed = 141
}
