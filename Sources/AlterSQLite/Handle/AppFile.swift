#if SQLite
  public import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension JournalPlace {
    /// The file in which an app keeps its state by default.
    ///
    /// | system | file |
    /// |---|---|
    /// | macOS, iOS and the others of Apple's | `Application Support/NAME/NAME.alter` in the library of the user, or of the app's container |
    /// | others | `$XDG_DATA_HOME/NAME/NAME.alter`; without an absolute `XDG_DATA_HOME`, `~/.local/share/NAME/NAME.alter` |
    ///
    /// Missing folders are created with mode 0700 when the journal is opened. Source of the second row: the XDG Base Directory
    /// Specification.
    ///
    /// - Parameters:
    ///   - name: The name of the app, which names the folder and the file: `"Plants"`, or a bundle identifier. It must not be empty, begin with
    ///     a dot, or contain a slash or a control character; otherwise opening throws `unreachable`.
    ///   - key: The key of the journal, of several in the file.
    ///   - durability: The failures that an acknowledged change survives.
    public static func app(_ name: String, key: String = "main", durability: Durability = .full) -> JournalPlace {
      JournalPlace { () async throws(JournalError) in try await SQLiteJournal(at: AppFile(name).made(), key: key, durability: durability) }
    }

    /// The file that an app and its extensions share.
    ///
    /// On Apple's systems it is `journals.alter` in the container of the app group. On others it is the file of ``app(_:key:durability:)``, which all
    /// programs of the user may open.
    ///
    /// - Parameters:
    ///   - identifier: The app group, such as `"group.org.example.plants"`. Without the right to it, opening throws `unreachable`.
    ///   - key: The key of the journal, of several in the file.
    ///   - durability: The failures that an acknowledged change survives.
    public static func group(_ identifier: String, key: String = "main", durability: Durability = .full) -> JournalPlace {
      JournalPlace { () async throws(JournalError) in
        try await SQLiteJournal(at: AppFile(identifier).madeInGroup(), key: key, durability: durability)
      }
    }

    /// A file.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist.
    ///   - key: The key of the journal, of several in the file.
    ///   - durability: The failures that an acknowledged change survives.
    public static func file(_ path: String, key: String = "main", durability: Durability = .full) -> JournalPlace {
      JournalPlace { () async throws(JournalError) in try await SQLiteJournal(at: path, key: key, durability: durability) }
    }
  }

  /// The default file of an app.
  package struct AppFile {
    private let name: String
    private let environment: [String: String]

    package init(_ name: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
      (self.name, self.environment) = (name, environment)
    }

    /// The path of the file.
    package func path() throws(JournalError) -> String { try folder() + "/\(name).alter" }

    // Names and paths are examined as bytes, as the system does it: a character may consist of several bytes, or of a slash and an accent.

    /// The path of the file's folder.
    private func folder() throws(JournalError) -> String {
      guard let first = name.utf8.first, first != UInt8(ascii: "."),
        !name.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "/") })
      else { throw problem("can't name a folder. Choose a name that is not empty, doesn't begin with a dot, and has no slash.") }
      return try data() + "/\(name)"
    }

    /// The path of the file, whose folder exists now.
    package func made() throws(JournalError) -> String {
      let path = try path()
      var missing: [Substring] = []
      var parent = try folder()[...]
      while parent.utf8.count > 1, access(String(parent), F_OK) != 0, errno == ENOENT {
        missing.append(parent)
        parent = parent[..<(parent.utf8.lastIndex(of: UInt8(ascii: "/")) ?? parent.startIndex)]
      }
      for folder in missing.reversed() where mkdir(String(folder), 0o700) != 0 && errno != EEXIST {
        throw .system(errno, in: path, doing: "create its folder '\(folder)'")
      }
      return path
    }

    /// The path of the file in the container of the app group with this name.
    fileprivate func madeInGroup() throws(JournalError) -> String {
      #if canImport(Darwin)
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name) else {
          throw problem("has no place: the app has no right to this app group. Add it to the entitlements of each program that opens it.")
        }
        return folder.path + "/journals.alter"
      #else
        return try made()
      #endif
    }

    /// The folder for data of apps.
    private func data() throws(JournalError) -> String {
      #if canImport(Darwin)
        guard let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first else {
          throw problem("has no place: this user has no folder 'Application Support'. Name a file.")
        }
        return folder.path
      #else
        // The specification requires that a relative path is ignored.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data == "/" ? "" : data }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
          throw problem("has no place: neither XDG_DATA_HOME nor HOME is the path of a folder. Set HOME, or name a file.")
        }
        return (home == "/" ? "" : home) + "/.local/share"
      #endif
    }

    private func problem(_ what: String) -> JournalError {
      JournalError(.unreachable, journal: name, message: what)
    }
  }
#endif
