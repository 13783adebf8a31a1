import AlterTerminal

/// A file that is read in pieces: a path, or `-` for the standard input.
final class InputFile {
  let name: String
  private let descriptor: Int32

  /// Opens it.
  ///
  /// - Throws: ``CommandError`` `noSuchThing` when there is no such file, `noPermission` when it may not be read.
  init(_ path: String) throws(CommandError) {
    guard path != "-" else {
      name = "standard input"
      descriptor = STDIN_FILENO
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

  /// The next piece, as soon as there is any; nil at the end.
  ///
  /// - Throws: ``CommandError`` when reading fails: `noSuchThing` when it is a directory.
  func read(upTo size: Int = 65_536) throws(CommandError) -> [UInt8]? {
    let (bytes, code) = readSome(descriptor, upTo: size)
    guard code == 0 else {
      throw CommandError(code == EISDIR ? .noSuchThing : .ioError, "can't read '\(name.printable)': \(systemMessage(code))")
    }
    return bytes.isEmpty ? nil : bytes
  }
}
