import Alter
import TodoCore

/// A program that lies beside this one. It has the same commands, and what this one lacks: a web server, or the network library.
enum OtherProgram: String {
  /// Also shows lists on web pages.
  case web = "todo-web"
  /// Also talks to the servers of synced lists. It can do everything.
  case sync = "todo-sync"

  /// Replaces this process if the command line needs what this program lacks. Returns otherwise.
  ///
  /// - Throws: ``CommandError`` if the other program is needed and can't be started.
  static func continueIfNeeded(_ arguments: [String]) throws {
    if SyncSupport.engine == nil, arguments.first == "sync" || arguments.first == "refused" || isSynced(arguments) {
      throw sync.replaceThisProcess(arguments)
    }
    guard WebCommands.linked == nil else { return }
    if arguments.first == "serve" || arguments.starts(with: ["inspect", "serve"]) { throw web.replaceThisProcess(arguments) }
    // The program with all commands describes them best: in help, and in the completions of a shell. Without it, this one does.
    let describing = ["--generate-completion-script", "--experimental-dump-help"]
    if arguments.first == "help" || arguments.contains(where: { word in describing.contains(where: word.hasPrefix) }) {
      _ = web.replaceThisProcess(arguments)
    }
  }

  /// Continues this process as the other program.
  ///
  /// - Returns: The reason why it can't be started.
  func replaceThisProcess(_ arguments: [String]) -> CommandError {
    let path = Self.folder() + "/" + rawValue
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    let code = errno
    for word in words { free(word) }
    guard code == ENOENT else {
      return CommandError(.cannotCreate, "can't start '\(rawValue)', which lies beside this program: \(systemMessage(code))")
    }
    return CommandError(
      .cannotCreate,
      "\(purpose) the program '\(rawValue)' beside this one, which is not built yet. Run 'script/build \(self)', then this again.")
  }

  private var purpose: String {
    switch self {
    case .web: "a web page needs"
    case .sync: "a synced list needs"
    }
  }

  /// Whether the list that a command line names is synced. `todo-sync` can do everything, so a wrong yes costs only time.
  private static func isSynced(_ arguments: [String]) -> Bool {
    var location = StoreLocation.standard
    for (place, word) in arguments.enumerated() {
      if word.hasPrefix("--store=") { location.given = String(word.dropFirst(8)) }
      if word == "--store", place + 1 < arguments.count { location.given = arguments[place + 1] }
      if word == "--journal", place + 1 < arguments.count { location.given = arguments[place + 1] }
    }
    guard let path = try? location.find().path else { return false }
    return SyncFile.exists(path)
  }

  /// The folder of this program's file.
  private static func folder() -> String {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      let given = String(
        cString: [CChar](unsafeUninitializedCapacity: Int(size)) { buffer, count in
          _NSGetExecutablePath(buffer.baseAddress!, &size)
          count = Int(size)
        })
    #else
      let given = "/proc/self/exe"
    #endif
    let real = realpath(given, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? CommandLine.arguments[0]
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
