#if SQLite
  import AlterCore
  public import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A folder of journals in SQLite files, one file for each key.
  ///
  /// ```swift
  /// let folder = JournalFolder("/var/lib/lists")
  /// folder.file(of: "lists/42")   // /var/lib/lists/lists%2f42.alter
  /// try folder.keys()             // ["lists/42"]
  /// let stores = Stores(in: .folder("/var/lib/lists")) { key in TodoList() }
  /// ```
  ///
  /// ## File names
  ///
  /// A key can be any text. The name of its file consists of the key's bytes in UTF-8, followed by `.alter`. Small letters, digits, `-` and
  /// `_` of ASCII stand for themselves; every other byte is written as `%` and two small hexadecimal digits. So different keys have
  /// different names on every file system, also on one that ignores case or normalises Unicode, and no key leads out of the folder. The
  /// empty key is `%`. A name of more than 180 bytes is divided into folders, each of 180 bytes and a `+`. SQLite limits a path to about
  /// 500 bytes; a longer key cannot be opened.
  public struct JournalFolder: Sendable, Hashable {
    /// The path of the folder.
    package let path: String

    /// The greatest length of a name. The files beside a journal have 46 bytes more, and most file systems allow 255.
    private static var longestName: Int { 180 }
    private static var suffix: String { ".alter" }

    /// Creates a folder. Nothing is examined or created.
    ///
    /// - Parameter path: The path of the folder, which must exist when a journal is opened; "." for the current folder. With an empty
    ///   path, no journal is opened and no key is listed.
    public init(_ path: String) { self.path = path }

    /// Returns the path of the file of a key.
    ///
    /// - Complexity: O(length of the key).
    public func file(of key: String) -> String {
      let folders = Self.folders(of: key)
      return ([path == "/" ? "" : path] + folders.dropLast().map { $0 + "+" }).joined(separator: "/") + "/" + folders[folders.count - 1]
        + Self.suffix
    }

    /// The reason for which a key can have no file; nil if it can have one.
    func objection(to key: String) -> String? {
      let bytes = file(of: key).utf8.count - path.utf8.count
      // As the system writes the path of the folder: absolute, and without links.
      guard let folder = try? FileLocation(path + "/x", name: path).folder, folder.utf8.count + bytes > FileLocation.longestPath else {
        return nil
      }
      return "its \(key.utf8.count) bytes make the path of its file longer than \(FileLocation.longestPath) bytes"
    }

    /// Returns the keys that have a file, in order.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` if the folder cannot be read.
    /// - Complexity: O(number of files · log of the number).
    public func keys() throws(JournalError) -> [String] {
      try refuseEmptyPath()
      return try names(in: path, after: "").compactMap(Self.key(of:)).sorted()
    }

    /// An empty path is mostly a variable that is not set. With a `/` behind it, it would be the root folder.
    private func refuseEmptyPath() throws(JournalError) {
      guard path.isEmpty else { return }
      throw JournalError(
        .unreachable, journal: path,
        message: "has no folder: the path of the JournalFolder is empty. Name a folder, or '.' for the current one.")
    }

    /// Whether a key has no file.
    func lacks(_ key: String) throws(JournalError) -> Bool {
      try refuseEmptyPath()
      return access(file(of: key), F_OK) != 0 && errno == ENOENT
    }

    /// The sizes and times of the files of a key: of the database, and of its log. They change with each commit.
    ///
    /// - Returns: nil if the last change is less than 2 seconds old: another one may leave the same time. (The times of files advance in steps of
    ///   some milliseconds.)
    func mark(of key: String) -> JournalMark? {
      let now = WallClock.now
      var mark: [Int64] = []
      for suffix in ["", "-wal"] {
        var status = stat()
        guard stat(file(of: key) + suffix, &status) == 0 else {
          guard suffix == "-wal", errno == ENOENT else { return nil }
          continue
        }
        // An open journal without entries since the last checkpoint has an empty log.
        guard status.st_size > 0 else { continue }
        #if canImport(Darwin)
          let time = status.st_mtimespec
        #else
          let time = status.st_mtim
        #endif
        guard now - Int64(time.tv_sec) * 1_000_000 > 2_000_000 else { return nil }
        mark += [Int64(status.st_size), Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), Int64(status.st_ino)]
      }
      return .files(mark)
    }

    /// Returns the path of the file of a key, whose folder exists now.
    func made(for key: String) throws(JournalError) -> String {
      try refuseEmptyPath()
      let length = file(of: key).utf8.count
      guard length <= FileLocation.longestPath else {
        throw JournalError(
          .unreachable, journal: file(of: key),
          message:
            "can't be opened: its path has \(length) bytes, and SQLite allows \(FileLocation.longestPath). Choose a shorter key, or a folder with a shorter path."
        )
      }
      var folder = path
      for part in Self.folders(of: key).dropLast() {
        folder += "/\(part)+"
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system(errno, in: file(of: key), doing: "create its folder") }
      }
      return file(of: key)
    }

    // MARK: - Names

    /// The parts of the name of a key. All but the last are names of folders.
    private static func folders(of key: String) -> [String] {
      var name: [UInt8] = []
      for byte in key.utf8 {
        if isPlain(byte) {
          name.append(byte)
        } else {
          name += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
        }
      }
      if name.isEmpty { name = [UInt8(ascii: "%")] }
      return stride(from: 0, to: name.count, by: longestName).map {
        String(decoding: name[$0..<min($0 + longestName, name.count)], as: UTF8.self)
      }
    }

    /// The key with a name; nil if no key has it.
    static func key(of name: String) -> String? {
      guard name != "%" else { return "" }
      var bytes: [UInt8] = []
      var rest = name.utf8[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
          guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value), !isPlain(high << 4 | low) else {
            return nil
          }
          bytes.append(high << 4 | low)
        } else if isPlain(byte) {
          bytes.append(byte)
        } else {
          return nil
        }
      }
      return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }

    private static func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }

    /// The names of the files in a folder and its folders, without the suffix.
    private func names(in folder: String, after start: String) throws(JournalError) -> [String] {
      guard let stream = opendir(folder) else { throw .system(errno, in: path, doing: "read the folder") }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
        }
        if name.hasSuffix(Self.suffix) {
          names.append(start + name.dropLast(Self.suffix.count))
        } else if name.utf8.count == Self.longestName + 1, name.utf8.last == UInt8(ascii: "+") {
          names += try self.names(in: "\(folder)/\(name)", after: start + name.dropLast())
        }
      }
      return names
    }
  }

  extension JournalPlaces {
    /// The number of descriptors of an open file.
    static var descriptorsOfAFile: Int { 7 }

    /// A folder of SQLite files, one for each key. ``JournalFolder`` describes their names.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which must exist.
    ///   - durability: The failures that an acknowledged change survives.
    ///   - lockTimeout: The longest time that an append waits for another process; see `SQLiteJournal`.
    public static func folder(
      _ path: String, durability: Durability = .full, lockTimeout: Duration = .seconds(10)
    ) -> JournalPlaces {
      let folder = JournalFolder(path)
      return JournalPlaces(
        descriptors: descriptorsOfAFile, isMissing: { key throws(JournalError) in try folder.lacks(key) },
        objecting: { folder.objection(to: $0) },
        marking: { folder.mark(of: $0) }
      ) { key throws(JournalError) in
        try await SQLiteJournal(at: folder.made(for: key), durability: durability, lockTimeout: lockTimeout)
      }
    }

    /// One SQLite file that holds the journals of all keys. Their appends take turns. A key with a zero byte is refused.
    ///
    /// All open journals share 7 descriptors, so that a budget of descriptors does not limit their number.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist.
    ///   - durability: The failures that an acknowledged change survives.
    ///   - lockTimeout: The longest time that an append waits for another process; see `SQLiteJournal`.
    public static func file(
      _ path: String, durability: Durability = .full, lockTimeout: Duration = .seconds(10)
    ) -> JournalPlaces {
      let open = { @Sendable (key: String) async throws(JournalError) in
        try await SQLiteJournal(at: path, key: key, durability: durability, lockTimeout: lockTimeout)
      }
      return JournalPlaces(
        isMissing: { key throws(JournalError) in try await !SQLiteJournal.exists(at: path, key: key) },
        objecting: { $0.utf8.contains(0) ? "it has a zero byte" : nil },
        marking: { key throws(JournalError) in try await JournalMark(endOf: open(key)) }
      ) { key throws(JournalError) in try await open(key) }
    }
  }
#endif
