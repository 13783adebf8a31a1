#if SQLite
  import Alter
  import AlterSQLite
  import StoreTesting
  import Foundation

  /// Makes large changes as fast as the store accepts them, opens the journal again, and undoes two of them.
  ///
  /// The printed line contains the number of entries in the journal, the first letter of the final name, and the peak memory of this
  /// process in KiB.
  func renameHeavily(_ path: String, _ count: Int) async throws {
    let id = Person.ID(country: "CH", number: 0)
    func name(_ number: Int) -> String { String(repeating: Character(UnicodeScalar(UInt8(97 + number % 26))), count: 8 << 20) }
    let people: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: path, key: "people"))
    for number in 0..<count {
      // A change counts with its size once it is encoded. The store may be full again before the next change.
      while true {
        try await people.ready()
        do throws(ChangeError<Refusal>) {
          try people.put(Person(id: id, name: name(number), salary: number))
          break
        } catch {
          guard case .full = error else { throw error }
        }
      }
    }
    let unwritten = await people.close()
    precondition(unwritten.isEmpty, "Not everything was written.")
    let again: Store<IdentityArray<Person>> = try await Store.open([], in: SQLiteJournal(at: path, key: "people"))
    try await again.undo()
    try await again.undo()
    let letter = again.state[id: id]?.name.first.map(String.init) ?? "nobody"
    let revision = again.revision
    await again.close()
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst().first ?? "0"
    print(revision, letter, peak)
  }
#endif
