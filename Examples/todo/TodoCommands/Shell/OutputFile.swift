import AlterInspector
import _AlterTerminal

/// Replaces a file atomically: its name always denotes either the complete old file or the complete new one.
enum OutputFile {
  /// Writes bytes to a new file in the same folder, syncs it, and moves it into place. A pipe, a device or a descriptor is written to
  /// directly.
  ///
  /// - Parameters:
  ///   - bytes: The whole content of the file.
  ///   - isJSON: Whether the content is JSON, for which a terminal receives JSON escapes.
  ///   - path: The path; a symbolic link is followed. `/dev/stdout`, `/dev/fd/3` and similar paths denote the open descriptors themselves.
  ///   - store: The file of the list, which must be closed; nil if the list is in a database.
  /// - Throws: ``CommandError``. The old file is then unchanged.
  static func replace(_ path: String, with bytes: [UInt8], isJSON: Bool, keeping store: String?) throws(CommandError) {
    try refuseJournal(path, store)
    if let open = try OpenDescriptor(path) { return try open.write(bytes, isJSON: isJSON) }
    let target = try resolved(path)
    var status = stat()
    guard stat(target, &status) == 0 else { return try move(bytes, to: target, inPlaceOf: nil, path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: try move(bytes, to: target, inPlaceOf: status, path)
    case S_IFDIR: throw CommandError(.cannotCreate, "can't write '\(path.printable)': \(systemMessage(EISDIR))")
    default: try write(bytes, isJSON, through: target, path)
    }
  }

  /// Refuses the path of a journal and of the files beside it.
  ///
  /// - Parameters:
  ///   - path: The path of the output.
  ///   - store: The file of the list, which must be closed.
  static func refuseJournal(_ path: String, _ store: String?) throws(CommandError) {
    guard let place = JournalFiles.place(of: path, protecting: store) else { return }
    throw CommandError(.cannotCreate, "can't write '\(path.printable)': \(place.refusal) Nothing was written.")
  }

  private static func move(_ bytes: [UInt8], to target: String, inPlaceOf old: stat?, _ path: String) throws(CommandError) {
    let temporary = "\(target).\(getpid()).tmp"
    // A list is private to its owner. A file that replaces another one keeps that file's mode.
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unopened(path, errno) }
    if let old {
      // Only root may change the owner of a file. For other users the file already belongs to them, or will from now on.
      if old.st_uid != geteuid() { _ = fchown(descriptor, old.st_uid, old.st_gid) }
      fchmod(descriptor, old.st_mode & 0o777)
    }
    var failure = TextOutput(descriptor: descriptor).write(bytes)
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(temporary, target) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw CommandError(.ioError, "can't write '\(path.printable)': \(systemMessage(failure)). The previous content is unchanged.")
    }
  }

  /// Writes to a target that is not a regular file, as a shell's `>` does. A pipe waits for its reader.
  private static func write(_ bytes: [UInt8], _ isJSON: Bool, through target: String, _ path: String) throws(CommandError) {
    let descriptor = open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unopened(path, errno) }
    var failure = TextOutput(descriptor: descriptor).write(Console.shown(bytes, isJSON: isJSON, on: descriptor))
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == EPIPE { throw .outputClosed }
    guard failure == 0 else {
      throw CommandError(.ioError, "can't write to '\(path.printable)': \(systemMessage(failure)). A part of it may have been written.")
    }
  }

  private static func unopened(_ path: String, _ code: Int32) -> CommandError {
    CommandError(
      [EACCES, EPERM, EROFS].contains(code) ? .noPermission : .cannotCreate, "can't write '\(path.printable)': \(systemMessage(code))")
  }

  private static func resolved(_ path: String) throws(CommandError) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    var status = stat()
    guard lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFLNK else {
      throw CommandError(
        .cannotCreate,
        "can't write '\(path.printable)': it is a symbolic link that leads nowhere. Name the file itself, or delete the link.")
    }
    return path
  }
}
