#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #else
    @preconcurrency import Darwin
  #endif

  /// Waits for a lock that another process holds, and prints the numbers of this process's threads and of its descriptors of lock files,
  /// before and after.
  ///
  /// Lines: `ready`, then (after the test reports that the lock is held) `turns …`, `cancelled …` and `openings …`, each with threads and
  /// descriptors, then (after the test reports that the lock is free) `appended`.
  func waitInVain(_ path: String, _ count: Int) async throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    let timeout = Duration.milliseconds(2)
    let journal = try await SQLiteJournal(at: path, lockTimeout: timeout)
    let patient = try await SQLiteJournal(at: path, lockTimeout: .seconds(600))
    let head = try await journal.head()
    print("ready \(census())")
    _ = readLine()
    for _ in 0..<count {
      do { try await journal.takeTurn().end() } catch { precondition(error.code == .locked, "\(error)") }
    }
    print("turns \(census())")
    for _ in 0..<count {
      let wait = Task { () -> JournalError.Code? in
        do {
          try await patient.takeTurn().end()
          return nil
        } catch { return (error as? JournalError)?.code }
      }
      wait.cancel()
      let code = await wait.value
      precondition(code == .cancelled, "\(String(describing: code))")
    }
    print("cancelled \(census())")
    for _ in 0..<count {
      do { await (try SQLiteJournal(at: path, lockTimeout: timeout)).close() } catch { precondition(error.code == .locked, "\(error)") }
    }
    print("openings \(census())")
    _ = readLine()
    let draft = Entry.Draft(kind: .changes, id: EntryID(origin: .random(), sequence: 1), time: 1, payload: .init(#"["x"]"#.utf8))
    _ = try await patient.append([draft], after: head)
    print("appended")
    await patient.close()
    await journal.close()
  }

  /// The number of this process's threads, and of its descriptors of lock files.
  private func census() -> String {
    let locks = names("/proc/self/fd").count { name in
      var target = [UInt8](repeating: 0, count: 4_096)
      let length = target.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/fd/\(name)", $0.baseAddress!, $0.count) }
      }
      return String(decoding: target.prefix(max(0, length)), as: UTF8.self).hasSuffix("-lock")
    }
    return "\(names("/proc/self/task").count) \(locks)"
  }

  private func names(_ folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
#endif
