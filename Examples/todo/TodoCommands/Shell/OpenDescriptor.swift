import _AlterTerminal

/// An open descriptor that a path denotes: `/dev/stdout`, `/dev/stderr`, `/dev/fd/3`, `/proc/self/fd/3`, or a link that leads to one.
///
/// Resolved like other links, such a path would denote the file behind the descriptor. Replacing that file would lose its content if a
/// shell has opened it for appending.
struct OpenDescriptor {
  private let number: Int32
  private let path: String

  /// The path of the standard output.
  static let standardOutput = "/dev/fd/1"

  /// Resolves the path.
  ///
  /// - Parameter path: Any path.
  /// - Returns: nil if the path denotes no descriptor.
  /// - Throws: ``CommandError`` `cannotCreate` if it denotes a descriptor of another process, or a closed one.
  init?(_ path: String) throws(CommandError) {
    var place = path
    // The maximum number of links, as in Linux.
    for _ in 0..<40 {
      guard let slash = place.lastIndex(of: "/") else {
        guard let target = Self.target(place) else { return nil }
        place = target
        continue
      }
      let name = String(place[place.index(after: slash)...])
      let folder = slash == place.startIndex ? "/" : String(place[..<slash])
      if let number = Int32(name), number >= 0, let owner = Self.owner(of: folder) {
        guard owner == getpid(), fcntl(number, F_GETFL) >= 0 else {
          throw CommandError(
            .cannotCreate,
            "can't write '\(path.printable)': it is \(owner == getpid() ? "not an open descriptor" : "a descriptor of another process"). Name a file, or '-' for the standard output."
          )
        }
        self.number = number
        self.path = path
        return
      }
      guard let target = Self.target(place) else { return nil }
      place = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    return nil
  }

  /// Writes a document at the descriptor's current position, escaped for a terminal.
  func write(_ bytes: [UInt8], isJSON: Bool) throws(CommandError) {
    switch TextOutput(descriptor: number).write(Console.shown(bytes, isJSON: isJSON, on: number)) {
    case 0: return
    case EPIPE: throw .outputClosed
    case let code:
      throw CommandError(.ioError, "can't write to '\(path.printable)': \(systemMessage(code)). A part of it may have been written.")
    }
  }

  /// The process whose descriptors a folder contains; nil for any other folder.
  private static func owner(of folder: String) -> pid_t? {
    guard let real = realpath(folder, nil) else { return nil }
    defer { free(real) }
    // On Linux, /dev/fd is a link to /proc/self/fd, which is a link to the process's own folder. The folder of a thread is
    // /proc/PID/task/TID/fd.
    let parts = String(cString: real).split(separator: "/")
    if parts == ["dev", "fd"] { return getpid() }
    guard parts.first == "proc", parts.last == "fd", parts.count >= 3 else { return nil }
    return pid_t(parts[1])
  }

  /// The target of a symbolic link.
  private static func target(_ path: String) -> String? {
    let bytes = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = max(0, readlink(path, buffer.baseAddress!, buffer.count))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
