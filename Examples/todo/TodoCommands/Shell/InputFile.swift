import _AlterTerminal

/// An input file that is read in pieces: a path, or `-` for the standard input.
final class InputFile {
  let name: String
  private let descriptor: Int32
  private let limit: Int
  private var count = 0

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: The path, or `-`.
  ///   - limit: The maximum size in bytes.
  /// - Throws: ``CommandError``: `noSuchThing` if the file does not exist, `noPermission` if it may not be read.
  init(_ path: String, limit: Int = .max) throws(CommandError) {
    self.limit = limit
    guard path != "-" else {
      name = "standard input"
      descriptor = STDIN_FILENO
      ListMove.acknowledge()
      return
    }
    name = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      throw CommandError(
        code == EACCES || code == EPERM ? .noPermission : .noSuchThing, "can't open '\(path.printable)': \(systemMessage(code))")
    }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// The next piece, as soon as it is available; nil at the end.
  ///
  /// - Throws: ``CommandError`` if reading fails: `noSuchThing` for a directory, `badData` if the file is too large.
  func read(upTo size: Int = 65_536) throws(CommandError) -> [UInt8]? {
    // The size of a regular file is known at once; that of a pipe is unknown.
    if count == 0 {
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit { throw tooLarge }
    }
    let (bytes, code) = readSome(descriptor, upTo: size)
    guard code == 0 else {
      throw CommandError(code == EISDIR ? .noSuchThing : .ioError, "can't read '\(name.printable)': \(systemMessage(code))")
    }
    count += bytes.count
    guard count <= limit else { throw tooLarge }
    return bytes.isEmpty ? nil : bytes
  }

  private var tooLarge: CommandError {
    CommandError(
      .badData,
      "'\(name.printable)' has more than \(limit >> 20) MiB, which is the most that one import takes: split it. Nothing was imported.")
  }
}
