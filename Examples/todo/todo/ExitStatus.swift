/// How a command ends, as a number for scripts. The numbers are those of BSD's `sysexits.h`.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, and what it changed is on the disk.
  case success = 0
  /// The list refused: there is nothing to undo, or later work builds on it. Nothing was changed.
  case refused = 1
  /// The command line is wrong (EX_USAGE). Nothing was changed.
  case usage = 64
  /// The store is damaged or no store at all, or an imported file has malformed lines (EX_DATAERR).
  case badData = 65
  /// There is no such item, revision or input file (EX_NOINPUT). Nothing was changed.
  case noSuchThing = 66
  /// A mistake in this program (EX_SOFTWARE).
  case internalError = 70
  /// The store or the exported file can't be made there (EX_CANTCREAT).
  case cannotCreate = 73
  /// Reading or writing failed, or the disk is full (EX_IOERR). What was not acknowledged may not have been written.
  case ioError = 74
  /// Another process was in the way for too long, or first; the same command may succeed later (EX_TEMPFAIL).
  case tryAgain = 75
  /// Written by a newer version of this program or its file format (EX_PROTOCOL). Nothing was changed.
  case newerVersion = 76
  /// It may not be read or written (EX_NOPERM).
  case noPermission = 77
  /// The terminal has gone while `watch` was showing the list (128 + SIGHUP). What was done there is on the disk.
  case hungUp = 129
  /// Somebody interrupted `watch` from elsewhere (128 + SIGINT). What was done there is on the disk.
  case interrupted = 130
  /// Somebody asked `watch` to end (128 + SIGTERM). What was done there is on the disk.
  case terminated = 143
  /// Whoever read the output has gone (128 + SIGPIPE, as a shell reports it). Nothing is said about it.
  case outputClosed = 141
}
