import AlterTerminal

/// Writes a file so that under its name there is always either the old one or the new one, complete.
enum OutputFile {
  /// Writes bytes to a new file in the same folder, syncs it, and moves it into place.
  ///
  /// - Parameters:
  ///   - bytes: All that the file will contain.
  ///   - path: Its name; where that is a symbolic link, the file it leads to.
  /// - Throws: ``CommandError``; then the old file is as it was.
  static func replace(_ path: String, with bytes: [UInt8]) throws(CommandError) {
    let target = resolved(path)
    guard !isFolder(target) else { throw CommandError(.cannotCreate, "can't write '\(path.printable)': \(systemMessage(EISDIR))") }
    var status = stat()
    // A file that replaces another keeps its mode; a new one gets what the umask leaves.
    let mode: mode_t? = stat(target, &status) == 0 ? status.st_mode & 0o777 : nil
    let temporary = "\(target).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
    guard descriptor >= 0 else {
      let code = errno
      throw CommandError(
        [EACCES, EPERM, EROFS].contains(code) ? .noPermission : .cannotCreate, "can't write '\(path.printable)': \(systemMessage(code))")
    }
    if let mode { fchmod(descriptor, mode) }
    var failure = writeAll(bytes, to: descriptor)
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(temporary, target) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw CommandError(.ioError, "can't write '\(path.printable)': \(systemMessage(failure)). What was there before is unharmed.")
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
