import Alter
import Foundation

/// The stored entries of a released app: one line for each, with its kind and its payload.
struct Fixture {
  let entries: [(kind: Entry.Kind, payload: String)]

  /// Reads a file of the folder Fixtures.
  init(_ name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    entries = try text.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let kind = Entry.Kind(rawValue: String(parts[0])) else { throw CocoaError(.fileReadCorruptFile) }
      return (kind, String(parts[1]))
    }
  }

  /// A journal with these entries, as the app has left it.
  func journal(schema: Int = 1) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let drafts = entries.enumerated().map { index, entry in
      Entry.Draft(
        kind: entry.kind,
        id: EntryID(origin: .init(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))), sequence: Int64(index + 1)),
        time: Int64(index) * 1_000_000, schema: schema, payload: Data(entry.payload.utf8))
    }
    _ = try await journal.append(drafts, after: try await journal.head())
    return journal
  }
}
