#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of a journal in SQLite. A command that writes files checks with this type that it does not overwrite one of them.
public enum JournalFiles {
  /// The reason why a path belongs to a journal.
  public enum Place: Sendable, Hashable {
    /// It is the journal's own file.
    case journal
    /// It is the name of a file next to the journal, whether that file exists or not.
    case beside(journal: String)
  }

  /// Returns whether a path belongs to a journal, under any name or link.
  ///
  /// Call it while this process has no journal open: POSIX releases SQLite's locks on a file as soon as the process closes any descriptor
  /// of that file.
  ///
  /// - Parameters:
  ///   - path: The path that a command is about to write. The file need not exist.
  ///   - journal: A journal that is recognised even if its header is damaged; nil for none.
  /// - Returns: The reason; nil if the path belongs to no journal.
  public static func place(of path: String, protecting journal: String? = nil) -> Place? {
    let place = resolved(path)
    let protected = journal.map(resolved)
    if place == protected || isJournal(place) { return .journal }
    if let status = status(place), let protected {
      if let own = Self.status(protected), own == status { return .journal }
      for suffix in suffixes where Self.status(protected + suffix) == status { return .beside(journal: protected) }
    }
    var rest = place
    while let owner = withoutSuffix(rest) {
      if owner == protected || isJournal(owner) { return .beside(journal: owner) }
      rest = owner
    }
    return nil
  }

  /// The suffixes of the files next to a journal. `Design/0003-journal-format.md` describes each.
  private static let suffixes = ["-lock", "-bell", "-wal", "-shm", "-journal", "-new", "-backup"]
  /// The suffixes of the files of a holder and of a talker; digits follow.
  private static let numbered = ["-holder-", "-talker-"]

  private static func withoutSuffix(_ path: String) -> String? {
    for suffix in suffixes where path.hasSuffix(suffix) { return String(path.dropLast(suffix.count)) }
    guard let dash = path.lastIndex(of: "-") else { return nil }
    let start = path[...dash]
    return numbered.first(where: start.hasSuffix).map { String(start.dropLast($0.count)) }
  }

  /// The device and the inode, which identify a file under any name.
  private static func status(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
  }

  /// The absolute path without symbolic links, whether the file exists or not.
  private static func resolved(_ path: String) -> String {
    if let real = real(path) { return real }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    let folder = String(path.dropLast(name.count))
    guard let real = real(folder.isEmpty ? "." : folder) else { return path }
    return (real == "/" ? "" : real) + "/" + name
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a file has the header of a SQLite database with the application id of Alter ('Altr', at byte 68).
  private static func isJournal(_ path: String) -> Bool {
    // Opening a pipe must not block the command.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var bytes = [UInt8](repeating: 0, count: 72)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == 72 && bytes.starts(with: "SQLite format 3\0".utf8) && bytes[68...].elementsEqual("Altr".utf8)
  }
}

extension JournalFiles.Place {
  /// The reason why the command does not write there, and the remedy.
  public var refusal: String {
    switch self {
    case .journal: "it is a journal of Alter, and its history would be lost. Choose another name."
    case .beside: "a journal of Alter uses that name for a file of its own. Choose another name."
    }
  }
}
