import Alter
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FuzzTarget {
  /// JSON as a value, as migrations, exports and the inspector parse it.
  static let json = FuzzTarget("json", nastyJSON) { bytes in
    guard let value = try? JSONValue(parsing: Data(bytes)) else { return }
    let written = value.data
    guard let again = try? JSONValue(parsing: written), again == value, again.data == written else {
      throw Surprise("read again it is another value: \(value)")
    }
    _ = (value.int, value.double, value.text, value.only)
    _ = try? value.decode([String].self)
  }

  /// Dates in the form of the journal.
  static let dates = FuzzTarget(
    "dates",
    [
      #"["2026-12-01T09:30:00Z"]"#, #"["2026-12-01T09:30:00.25Z","0001-01-01T00:00:00Z","9999-12-31T23:59:59.999999Z"]"#,
      #"["2024-02-29T00:00:00Z","2023-02-29T00:00:00Z","2026-13-01T00:00:00Z"]"#, "[0,-1e300,1e300,63113904000,0.1]",
      #"["Infinity","-Infinity","NaN"]"#, "[9223372036854775807,-9223372036854775808,9.2e12,9.3e12]",
    ] + nastyJSON
  ) { bytes in
    guard let dates = try? JournalCoding.decode([Date].self, from: Data(bytes)) else { return }
    let written = try JournalCoding.encode(dates)
    let again = try JournalCoding.decode([Date].self, from: written)
    guard zip(dates, again).allSatisfy({ $0 == $1 || $0.timeIntervalSinceReferenceDate.isNaN && $1.timeIntervalSinceReferenceDate.isNaN })
    else {
      throw Surprise("read again they are other dates: \(String(decoding: written, as: UTF8.self))")
    }
  }

  /// Changes in their stored form.
  private static let changesInWireForm = [
    #"[{"add":{"id":"00000000-0000-4000-8000-000000000001","text":"Milk","due":"2026-12-01T09:30:00Z","weight":0.1}}]"#,
    #"[{"text":{"id":"00000000-0000-4000-8000-000000000001","text":"Bread"}},{"due":{"id":"00000000-0000-4000-8000-000000000001","due":null}}]"#,
    #"[{"remove":"00000000-0000-4000-8000-000000000001"},{"due":{"id":"x"}}]"#,
    #"[{"replace":[]},{"move":{"id":"00000000-0000-4000-8000-000000000001","to":-1}},{"unknown":true}]"#,
    #"{"targets":[{"origin":"00000000-0000-4000-8000-000000000002","sequence":2}]}"#, "[]",
  ]

  /// The compact form of changes.
  static let wire = FuzzTarget("wire", changesInWireForm + nastyJSON) { bytes in
    guard let changes = try? JournalCoding.decode([Notes.Change].self, from: Data(bytes)) else { return }
    let written = try JournalCoding.encode(changes)
    guard try JournalCoding.decode([Notes.Change].self, from: written) == changes else {
      throw Surprise("read again they are other changes: \(String(decoding: written, as: UTF8.self))")
    }
    var state = Notes()
    for change in changes { try? state.apply(change, at: .none) }
    guard try JournalCoding.decode(Notes.self, from: JournalCoding.encode(state)) == state else {
      throw Surprise("read again the state is another: \(state)")
    }
  }

  /// A journal that contains these bytes as one of its entries, with a matching checksum.
  static let entries = FuzzTarget("entries", changesInWireForm + nastyJSON) { bytes in
    // The first byte selects the kind of the entry.
    let kinds = Entry.Kind.allCases
    let kind = kinds[Int(bytes.first ?? 0) % kinds.count]
    let payload = Data(bytes.dropFirst(kind == .changes ? 0 : 1))
    try await open(Notes(), [(.initial, try JournalCoding.encode(Notes())), (kind, payload), (.changes, Data(bytes))])
    try await open(Notes(), [(kind, payload)])
  }

  /// A snapshot of these bytes, with a matching checksum.
  static let snapshots = FuzzTarget(
    "snapshots",
    [
      #"{"notes":[{"id":"00000000-0000-4000-8000-000000000001","text":"x"}]}"#, #"{"notes":[]}"#, "{}",
    ] + nastyJSON
  ) { bytes in
    let initial = try JournalCoding.encode(Notes())
    try await open(Notes(), [(.initial, initial), (.changes, Data("[]".utf8)), (.changes, Data("[]".utf8))], snapshot: Data(bytes))
  }

  /// Opens a store on a journal with these payloads. Unreadable payloads must cause an error of the journal.
  private static func open<State: Journaled>(
    _ initial: State, _ payloads: [(kind: Entry.Kind, payload: Data)], snapshot: Data? = nil
  ) async throws {
    let journal = MemoryJournal(id: JournalID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))))
    let origin = Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)))
    var head = try await journal.head()
    for (number, entry) in payloads.enumerated() {
      let draft = Entry.Draft(
        kind: entry.kind, id: EntryID(origin: origin, sequence: Int64(number + 1)), time: 0, payload: entry.payload,
        cause: number > 1 ? entry.payload : nil)
      do throws(JournalError) {
        head = try await journal.append([draft], after: head).head
      } catch {
        // Only a server writes refusals.
        guard entry.kind == .refused, error.code == .readOnly else { throw error }
        return
      }
    }
    if let snapshot { try await journal.keep(Snapshot(head: head, base: head, schema: 1, written: 1, payload: snapshot)) }
    var options = StoreOptions()
    options.followsOthers = false
    options.keepsJournalOpen = true
    do throws(JournalError) {
      let store = try await Store.open(initial, in: journal, options: options)
      _ = try? await store.undo()
      await store.close()
      _ = try await Store<State>.verify(journal)
    } catch {
      guard [.undecodable, .damaged].contains(error.code) else { throw Surprise("\(error)") }
    }
  }

  /// An export that a user may have edited.
  static let export = FuzzTarget("export", exports + nastyJSON) { bytes in
    let journal = MemoryJournal()
    do throws(JournalError) {
      let head = try await journal.import(Data(bytes))
      guard try await journal.verify() == head else { throw JournalError.damaged("fuzz", "its head is another") }
    } catch {
      guard [.damaged, .newerFormat].contains(error.code), try await journal.head().revision == .zero else { throw Surprise("\(error)") }
      return
    }
    // An accepted export can be exported and imported again.
    var lines = Data()
    try await journal.export { lines += $0 }
    let again = MemoryJournal()
    try await again.import(lines)
    let (one, other) = (try await journal.entries(after: .zero, limit: .max), try await again.entries(after: .zero, limit: .max))
    guard one.map(\.draft) == other.map(\.draft) else { throw Surprise("exported and imported again it is another journal") }
  }

  /// An export of some entries, and one with a payload that is not JSON.
  private static let exports: [String] = {
    let id = JournalID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    return [["{}", "[]", #"[{"x":1.5}]"#], ["{}", "\u{1}", #"{"b":1,"a":2}"#], []].map { payloads in
      var head = Head(empty: id)
      var lines: [Data] = []
      for (number, payload) in payloads.enumerated() {
        let origin = Origin(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)))
        let entry = Entry(
          Entry.Draft(
            kind: number == 0 ? .initial : .changes, id: EntryID(origin: origin, sequence: Int64(number + 1)), time: 1_796_000_000_000_000,
            payload: Data(payload.utf8), cause: number == 2 ? Data(#"{"feedback":"x"}"#.utf8) : nil), after: head)
        lines.append(entry.wholeJSON.data)
        head = head.advanced(by: entry)
      }
      let header: JSONValue = [
        "alter": "journal", "format": 1, "journal": .string(id.description), "revision": .integer(head.revision.number),
        "checksum": .string(head.checksum.description),
      ]
      return ([header.data] + lines).map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    }
  }()
}
