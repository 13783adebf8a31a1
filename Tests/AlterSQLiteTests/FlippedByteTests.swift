#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("A journal file with a flipped byte", .timeLimit(.minutes(60)))
  struct FlippedByteTests {
    @Test("either says that it is damaged, or gives every entry as it was", arguments: 0..<8)
    func anywhere(_ round: Int) async throws {
      try await Folder.use { folder in
        let journal = try await SQLiteJournal(at: folder.path("journal.db"))
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(60), after: try await journal.head()).head
        let entries = try await journal.entries(after: .zero, limit: 100)
        await journal.close()
        let whole = try folder.bytes("journal.db")
        // Some bytes everywhere, and both ends of every page, which contain its header and its oldest row. `script/test --full` changes all
        // bytes.
        let distance = Effort.count(short: 120, full: 1)
        let positions = stride(from: round * distance, to: whole.count, by: 8 * distance)
        let ends = whole.indices.filter { ($0 % 4_096 < 16 || $0 % 4_096 >= 4_080) && $0 % 8 == round }
        var reported = 0
        for position in Array(positions) + ends {
          var bytes = whole
          bytes[position] ^= 0x41
          let name = "\(position).db"
          try folder.write(bytes, to: name)
          do {
            let flipped = try await SQLiteJournal(at: folder.path(name))
            let outcome = await Result { () async throws(JournalError) in
              (try await flipped.verify(), try await flipped.entries(after: .zero, limit: 100))
            }
            await flipped.close()
            let (found, read) = try outcome.get()
            #expect(found == head, "byte \(position)")
            #expect(read == entries, "byte \(position)")
          } catch let error as JournalError {
            reported += 1
            #expect([.damaged, .notAJournal, .newerFormat].contains(error.code), "byte \(position): \(error)")
          }
        }
        #expect(reported > 0)
      }
    }
  }

  extension Result where Failure == JournalError {
    /// The result of the work, for a later check.
    fileprivate init(_ work: () async throws(JournalError) -> Success) async {
      do { self = .success(try await work()) } catch { self = .failure(error) }
    }
  }
#endif
