#if Postgres
  import AlterCore
  import AlterJournal
  import AlterTesting
  import ProcessTesting
  import Foundation
  import StoreTesting
  import Testing

  @testable import AlterPostgres

  @Suite("Bytes in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct LimitTests {
    @Test("A key with a zero byte, which PostgreSQL's text can't hold, is refused with this reason")
    func zeroByte() async throws {
      await #expect {
        _ = try await PostgresJournal(at: TestServer.shared().address(), key: "a\0b")
      } throws: {
        ($0 as? JournalError)?.code == .unreachable && "\($0)".contains("zero byte")
      }
    }

    @Test("are read in pages of at most 8 MiB, or of one entry: a hundred large entries never lie in memory together")
    func pages() async throws {
      let server = try TestServer.shared()
      let journal = try await PostgresJournal(at: server.address(), key: freshKey("pages"))
      var head = try await journal.head()
      let origin = Origin.random()
      for number in 1...100 {
        // Every twentieth entry is larger than a page. The cause counts, too.
        let size = number.isMultiple(of: 20) ? 9 << 20 : 1 << 20
        let draft = Entry.Draft(
          kind: .changes, id: EntryID(origin: origin, sequence: Int64(number)), time: 1, payload: Data(count: size),
          cause: Data(count: 1 << 18))
        head = try await journal.append([draft], after: head).head
      }
      var revision = Revision.zero
      var lengths: [Int] = []
      while revision < head.revision {
        let page = try await journal.entries(after: revision, limit: 1_000)
        let size = page.reduce(0) { $0 + $1.payload.count + ($1.draft.cause?.count ?? 0) }
        try #require(!page.isEmpty && (size <= 8 << 20 || page.count == 1), "\(page.count) entries of \(size) bytes")
        lengths.append(page.count)
        revision = page[page.count - 1].revision
      }
      #expect(lengths.reduce(0, +) == 100 && lengths.max() == 6, "\(lengths)")
      await journal.close()
    }

    @Test("that PostgreSQL's protocol can't carry in one statement are refused with their number, and nothing is written")
    func append() async throws {
      let server = try TestServer.shared()
      let journal = try await PostgresJournal(at: server.address(), key: freshKey("append"))
      let empty = try await journal.head()
      // The three gigabytes are only mapped and never touched.
      let count = 3 << 30
      let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
      guard let memory, memory != MAP_FAILED else { return print("SKIPPED: this machine gives no address space.") }
      let payload = Data(bytesNoCopy: memory, count: count, deallocator: .unmap)
      let origin = Origin.random()
      func draft(_ sequence: Int64, _ payload: Data) -> Entry.Draft {
        Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: sequence), time: 1, payload: payload)
      }
      for drafts in [[draft(1, payload)], [draft(1, Data("[]".utf8)), draft(2, payload)]] {
        await #expect { try await journal.append(drafts, after: empty) } throws: {
          guard let error = $0 as? JournalError else { return false }
          return error.code == .unencodable && error.description.contains("32212")
        }
      }
      var writer = TestWriter()
      #expect(try await journal.append(writer.drafts(1), after: empty).first == 1)
      await journal.close()
    }

    @Test("are counted against a limit: what reaches it is written, what is larger by one byte is not")
    func limit() async throws {
      let server = try TestServer.shared()
      let key = freshKey("limit")
      let journal = try await PostgresJournal(
        at: server.address(), key: key, limits: PostgresJournal.Limits(append: 10_000, page: 5_000))
      let empty = try await journal.head()
      var writer = TestWriter()
      let fixed = EntryRow.size(of: [writer.draft("")])
      let drafts = [writer.draft(String(repeating: "x", count: 5_000)), writer.draft(String(repeating: "y", count: 5_000 - 2 * fixed))]
      let large = drafts[0...0] + [writer.draft(String(repeating: "y", count: 5_001 - 2 * fixed))]
      await #expect { try await journal.append(Array(large), after: empty) } throws: {
        guard let error = $0 as? JournalError else { return false }
        return error.code == .unencodable && error.description.contains("10001") && error.description.contains("10000")
      }
      let head = try await journal.append(drafts, after: empty).head
      #expect(try await journal.entries(after: .zero, limit: 10).map(\.revision) == [1])
      #expect(try await journal.entries(after: 1, limit: 10).map(\.revision) == [2])
      #expect(try await journal.verify() == head)
      await journal.close()
    }

    @Test("are written and read up to the limit itself", .enabled(if: Effort.isFull))
    func largest() async throws {
      let server = try TestServer()
      let journal = try await PostgresJournal(at: server.address())
      let count =
        Parameters.mostBytes
        - EntryRow.size(of: [Entry.Draft(kind: .changes, id: EntryID(origin: .random(), sequence: 1), time: 1, payload: Data())])
      let draft = Entry.Draft(kind: .changes, id: EntryID(origin: .random(), sequence: 1), time: 1, payload: Data(count: count))
      let head = try await journal.append([draft], after: try await journal.head()).head
      #expect(try await journal.verify() == head)
      // A repeated append finds the stored draft.
      #expect(try await journal.append([draft], after: Head(empty: head.journal)).head == head)
      await journal.close()
    }
  }
#endif
