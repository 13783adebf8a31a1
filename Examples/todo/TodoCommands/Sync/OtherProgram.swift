/// Continues as `todo-sync`, which lies beside this program and has the same commands and the network library.
enum OtherProgram {
  /// Replaces this process if the command line is about a synced list, or about syncing. Returns otherwise.
  ///
  /// - Throws: ``CommandError`` if `todo-sync` is needed and can't be started.
  static func continueIfNeeded(_ arguments: [String]) throws {
    guard ["sync", "refused"].contains(arguments.first ?? "") || isSynced(arguments) else { return }
    let path = folder() + "/todo-sync"
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    throw CommandError(.cannotCreate, "can't start 'todo-sync', which a synced list needs, beside this program: \(systemMessage())")
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
