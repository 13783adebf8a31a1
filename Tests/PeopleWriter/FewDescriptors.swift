#if SQLite
  import Alter
  import AlterSQLite
  import Dispatch
  import StoreTesting

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #else
    import Darwin
  #endif

  /// Opens stores over a folder of files in a process that may open few files.
  ///
  /// Lines: `within …` with the number of failed openings within the default budget; the code and the message of the first opening that has
  /// failed beyond it; `written …` with the number of stores that were open at that moment and have written a change, with no free descriptor;
  /// `timers`, after timers of both kinds have fired; the codes and messages of four openings with 0 to 3 free descriptors; `again`, when a key was opened after others were released.
  func useFewDescriptors(_ folder: String) async throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    let jack = Person(id: Person.ID(country: "CH", number: 0), name: "Jack", salary: 1)
    let within = Stores<IdentityArray<Person>>(in: .folder(folder)) { _ in IdentityArray<Person>() }
    for number in 0..<20 {
      let store: Store<IdentityArray<Person>> = try await within["within \(number)"]
      try await store.put(jack).durable()
    }
    print("within \(within.report.failed)")
    await within.close()

    var budget = StoresBudget()
    budget.descriptors = 10_000
    let beyond = Stores<IdentityArray<Person>>(in: .folder(folder), budget: budget) { _ in IdentityArray<Person>() }
    var held: [Store<IdentityArray<Person>>] = []
    var others = (0..<5).map { _ in open("/dev/null", O_RDONLY) }
    while let store = await opened("beyond \(held.count)", in: beyond, isReporting: true) { held.append(store) }
    var other = open("/dev/null", O_RDONLY)
    while other >= 0 {
      others.append(other)
      other = open("/dev/null", O_RDONLY)
    }
    for store in held { try await store.put(jack).durable() }
    print("written \(held.count)")
    // Each kind of timer needs a descriptor of its own before its first use.
    try await Task.sleep(for: .milliseconds(1))
    await withCheckedContinuation { waiting in DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { waiting.resume() } }
    print("timers")
    // Each number of free descriptors ends at another of the files that an opening needs.
    for free in 0..<4 {
      if await opened("\(free) free", in: beyond, isReporting: true) != nil { print("opened with \(free) free") }
      close(others.removeLast())
    }
    for other in others { close(other) }
    held.removeLast(2)
    // The descriptors of the released stores are closed in the background.
    repeat {
      beyond.closeIdle()
      await Task.yield()
    } while await opened("again", in: beyond, isReporting: false) == nil
    print("again")
    await beyond.close()
  }

  /// Returns the store of a key; nil if it can't be opened.
  private func opened(
    _ key: String, in stores: Stores<IdentityArray<Person>>, isReporting: Bool
  ) async -> Store<IdentityArray<Person>>? {
    do {
      return try await stores[key]
    } catch {
      if isReporting { print("\(error.code.rawValue) \(error)") }
      return nil
    }
  }
#endif
